"""The campaign of kills: the tiny run is killed again and again, goes on, and ends with the same files.

One run is carried from kill to kill until it is done; then all that it has made is compared, byte for byte,
with what an undisturbed run makes, and it is begun again. Nobody waits for what a kill left alive: jobs whose
Snakemake is gone still work when the next run begins.
"""

import hashlib
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil

from tests.signals import obey_signals
from tests.stress.table import Violation
from tests.workflow.dag import ask
from tests.workflow.tiny import CONFIG, LEAVES, copy_run, snakemake
from workflow_scripts.core.files import digest
from workflow_scripts.core.temporary import remove

# The page tells how long jobs took.
TIMES = re.compile(rb'<h2 id="times">.*?</section>', re.DOTALL)
# Of what is made, not compared: how long jobs took, and what unfinished ones keep.
OTHERWISE = ("build/benchmarks/", "build/checkpoints/", "build/downloads/")
# In the order in which data flow: whoever makes one anew needs all that come later anew.
STAGES = (
    *("filtering", "translation", "formality", "fluency"),
    *("transfer", "unsupervised", "evaluation", "rewrites"),
)
Way = Callable[[subprocess.Popen, Path, Random], object]
# How often Snakemake starts a job again in runs that go on when jobs are killed.
RETRIES = 20
# Seconds that a run may go on after its signal, and a job without its Snakemake.
PATIENCE = 600


def living(folder: Path) -> list[psutil.Process]:
    """The processes that work in a folder."""
    found = []
    for one in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if Path(one.cwd()) == folder and lives(one):
                found.append(one)
    return found


def jobs(folder: Path) -> list[psutil.Process]:
    """The commands of the package that run in a folder."""
    found = []
    for one in living(folder):
        with suppress(psutil.Error):
            words = one.cmdline()
            if "-m" in words and words[words.index("-m") + 1].startswith("workflow_scripts."):
                found.append(one)
    return found


def end(processes: Sequence[psutil.Process]) -> None:
    """Kill processes all at once."""
    for how in (psutil.Process.suspend, psutil.Process.kill):
        for one in processes:
            with suppress(psutil.NoSuchProcess):
                how(one)
    wait_until(lambda: not any(map(lives, processes)), PATIENCE)


def lives(one: psutil.Process) -> bool:
    """Whether a process has not ended; whoever has started it may not yet know."""
    with suppress(psutil.NoSuchProcess):
        return one.status() != psutil.STATUS_ZOMBIE
    return False


def machine(process: subprocess.Popen, folder: Path, rng: Random) -> None:
    """Everything ends at once, as when a machine goes down."""
    end(living(folder))


def snakemake_alone(process: subprocess.Popen, folder: Path, rng: Random) -> None:
    """Snakemake is killed and its jobs go on, also beside those of the next run."""
    process.kill()


def one_job(process: subprocess.Popen, folder: Path, rng: Random) -> bool:
    """A job is killed, as by a system without memory, and the run ends when others have; whether one was."""
    if found := jobs(folder):
        chosen = rng.choice(found)
        with suppress(psutil.NoSuchProcess):
            end([*chosen.children(recursive=True), chosen])
            return True
    return False


def group(number: int) -> Way:
    """A signal to Snakemake and its jobs, as Ctrl-C and a cluster send."""

    def send(process: subprocess.Popen, folder: Path, rng: Random) -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, number)

    return send


def alone(number: int) -> Way:
    """A signal to Snakemake only, which has time to end its jobs."""
    return lambda process, folder, rng: process.send_signal(number)


JOB = "one job alone"
WAYS: dict[str, Way] = {
    "all at once": machine,
    "snakemake alone": snakemake_alone,
    JOB: one_job,
    "SIGINT to all": group(signal.SIGINT),
    "SIGTERM to all": group(signal.SIGTERM),
    "SIGTERM to snakemake": alone(signal.SIGTERM),
    "SIGHUP to snakemake": alone(signal.SIGHUP),
}
# How often each of them comes.
SHARES = dict(zip(WAYS, (6, 4, 6, 2, 1, 1, 1), strict=True))


def made(folder: Path, among: Sequence[str]) -> dict[str, str]:
    """The digests of all files that a run makes, the page without what it says of times.

    `among`: folders below `build/`.
    """
    found = {}
    for top in ("results", *(f"build/{name}" for name in among)):
        for path in sorted((folder / top).rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_file() or name.startswith(OTHERWISE):
                continue
            found[name] = digest(path)
            if path.suffix == ".html":
                found[name] = hashlib.sha256(TIMES.sub(b"", path.read_bytes())).hexdigest()
    return found


def wait_until(seen: Callable[[], object], seconds: float) -> None:
    """Wait until something is seen, or for so many seconds."""
    last = time.monotonic() + seconds
    while not seen() and time.monotonic() < last:
        time.sleep(0.01)


def writes(folder: Path) -> bool:
    """Whether something is just being written below a folder."""
    return any(name.endswith(".part") for _, folders, files in os.walk(folder) for name in (*folders, *files))


def moment(process: subprocess.Popen, place: Path, rng: Random, longest: float) -> None:
    """Wait for the moment of a kill: soon after the start, at a write, or so long after the first job."""
    over = process.poll
    kind = rng.random()
    if kind < 0.1:
        wait_until(lambda: over() is not None, rng.uniform(0, 4))
        return
    wait_until(lambda: over() is not None or jobs(place), PATIENCE)
    if kind < 0.4:
        wait_until(lambda: over() is not None or writes(place / "build"), longest)
    else:
        wait_until(lambda: over() is not None, rng.uniform(0, longest))


class Kills:
    """The run in its folder, the undisturbed one's files, and how often it was killed."""

    def __init__(
        self, run: Path, folder: Path, seed: int, stages: Sequence[str], removed: Sequence[str]
    ) -> None:
        self.place, self.log = folder / "project", folder / "log"
        self.stages, self.removed = stages, removed
        self.rng = Random(f"{seed}:kills")
        self.killed, self.way, self.retries = 0, "undisturbed", 0
        copy_run(run, self.place)
        self.compared = sorted(path.name for path in (self.place / "build").iterdir())
        self.expected = made(self.place, self.compared)
        files = [str(self.place / name) for name in CONFIG[2:]]
        # The run may have leaves of other papers, too, for which nobody asks again.
        self.asked_for = {path for job in ask(self.place, {}, files, LEAVES) for path in job["output"]}

    def violation(self, problem: str, errors: str = "") -> Violation:
        """What is wrong after so many kills."""
        done = f"after {self.killed} kills, the last: {self.way}"
        return Violation("kills", f"#{self.killed}", done, problem, errors)

    def begin_again(self, starts: int) -> None:
        """Delete the results, or some of them, and what is made from some stage on."""
        for name in (*self.removed, *(f"build/{one}" for one in self.stages[self.rng.randrange(starts) :])):
            remove(self.place / name)

    def start(self) -> subprocess.Popen:
        """Go on with the run, where the last one was killed with a lock as a user is told to."""
        if locks := self.locks():
            if self.rng.random() < 0.1:
                snakemake(self.place, "--unlock", *CONFIG)
            else:
                # What --unlock does, without the seconds of reading all rules.
                for path in locks:
                    path.unlink()
        self.retries = self.rng.choice((0, RETRIES))
        words = [sys.executable, "-m", "snakemake", "--cores", "2", "--retries", str(self.retries)]
        words += [*CONFIG, "--", *LEAVES]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        # Anew, since what is left alive still writes into the old one.
        self.log.unlink(missing_ok=True)
        with self.log.open("w") as log:
            return subprocess.Popen(
                words,
                cwd=self.place,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env=environment,
                preexec_fn=obey_signals,
            )

    def kill(self, process: subprocess.Popen) -> Iterator[Violation]:
        """Kill a run in some way; a violation if it goes on after a signal, or is locked afterwards."""
        # With retries a job that is killed ends no run; before the first job there is none to kill.
        none = self.retries or not jobs(self.place)
        ways = {way: share for way, share in SHARES.items() if not none or way != JOB}
        self.way = self.rng.choices(list(ways), list(ways.values()))[0]
        WAYS[self.way](process, self.place, self.rng)
        self.killed += 1
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            yield self.violation("goes on", self.said())
            end(living(self.place))
            process.wait()
            return
        # By a signal it ends before it has a lock, or after it has given it back.
        if (process.returncode or 0) >= 0 and self.locks():
            yield self.violation("the lock stays", self.said())

    def kill_jobs(self, process: subprocess.Popen, most: int, longest: float) -> Iterator[None]:
        """Kill some jobs of a run that starts them again; None for each."""
        for _ in range(min(most, self.rng.randint(1, RETRIES // 2)) if self.retries else 0):
            moment(process, self.place, self.rng, longest)
            if process.poll() is None and one_job(process, self.place, self.rng):
                self.killed, self.way = self.killed + 1, f"{JOB}, started again"
                yield None

    def locks(self) -> list[Path]:
        """The locks that lie in the folder."""
        return list(self.place.glob(".snakemake/locks/*"))

    def said(self) -> str:
        """The end of what the run has printed."""
        return self.log.read_text(errors="replace")[-3000:]

    def compare(self) -> Iterator[Violation]:
        """A violation for each file that is another, missing or new, and for what finished jobs have left."""
        wait_until(lambda: not living(self.place), PATIENCE)
        found = made(self.place, self.compared)
        for name in sorted({*self.expected, *found}):
            # What nobody needs any more is not made again; of results, the raters' sheets.
            needed = name in self.asked_for and name.startswith("results/") and "/human/" not in name
            if self.expected.get(name) != found.get(name) and (name in found or needed):
                yield self.violation(f"another, missing or new: {name}")
        for pattern in ("build/checkpoints/*/*", "build/**/*.part", "results/**/*.part"):
            for path in self.place.glob(pattern):
                yield self.violation(f"left: {path.relative_to(self.place)}")

    def ended(self, process: subprocess.Popen) -> Iterator[Violation]:
        """Look at a run that has ended by itself."""
        if process.returncode:
            yield self.violation(f"exit {process.returncode}", self.said())
        else:
            yield from self.compare()


def campaign(
    run: Path,
    folder: Path,
    count: int,
    seed: int,
    *,
    longest: float = 5,
    stages: Sequence[str] = STAGES,
    starts: int = len(STAGES),
    removed: Sequence[str] = ("results",),
    until: float = math.inf,
) -> Iterator[Violation | None]:
    """None for each kill; a violation for each thing that is wrong after one, or when the run is done.

    `run`: the folder of a finished run, which is copied. `longest`: seconds from the first job to a kill at
    most. `stages`: those of which one of the first `starts`, and all later ones, are made anew each time,
    with the results that are `removed`. `until`: when kills end before `count` (of time.monotonic); the last
    run is always carried to its end and compared.
    """
    kills = Kills(run, folder, seed, stages, removed)
    kills.begin_again(starts)
    while True:
        process = kills.start()
        if kills.killed < count and time.monotonic() < until:
            yield from kills.kill_jobs(process, count - kills.killed - 1, longest)
            moment(process, kills.place, kills.rng, longest)
            if process.poll() is None:
                yield from kills.kill(process)
                yield None
                continue
        process.wait()
        yield from kills.ended(process)
        if kills.killed >= count or time.monotonic() >= until:
            return
        kills.begin_again(starts)
