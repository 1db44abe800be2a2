"""The campaign of kills: the tiny run is killed at seeded moments, goes on, and ends with the same results.

As when a machine goes down (SIGKILL to all processes at once), as when somebody stops it (SIGINT), and as a
cluster does (SIGTERM). Runs that end before they are killed are compared and begun again.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import psutil

from tests.stress.table import Violation
from tests.workflow.tiny import CONFIG, LEAVES, snakemake

# The page tells how long jobs took.
TIMES = re.compile(rb'<h2 id="times">.*?</section>', re.DOTALL)
STAGES = (
    "transfer",
    "unsupervised",
    "formality",
    "fluency",
    "evaluation",
    "translation",
    "filtering",
    "rewrites",
)


def results(folder: Path) -> dict[str, bytes]:
    """The results of a run, the page without what it says of times."""
    found = {}
    for path in sorted((folder / "results").rglob("*")):
        if path.is_file():
            name, data = str(path.relative_to(folder)), path.read_bytes()
            found[name] = TIMES.sub(b"", data)
    return found


def everyone(process: subprocess.Popen) -> list[psutil.Process]:
    """A process and all that it has started."""
    with suppress(psutil.NoSuchProcess):
        first = psutil.Process(process.pid)
        return [first, *first.children(recursive=True)]
    return []


def kill(process: subprocess.Popen, how: int) -> None:
    """End a run: all at once by SIGKILL, or by a signal to snakemake, which then has time to end its jobs."""
    found = everyone(process)
    if how == signal.SIGKILL:
        for one in found:
            with suppress(psutil.NoSuchProcess):
                one.kill()
    else:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        with suppress(subprocess.TimeoutExpired):
            process.wait(60)
    for one in [*found, *everyone(process)]:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    process.wait()
    psutil.wait_procs(found[1:], timeout=30)


def campaign(
    run: Path, folder: Path, count: int, seed: int, pauses: tuple[float, float]
) -> Iterator[Violation | None]:
    """None for each kill; a violation for each result that is another, after each run that ends."""
    place = folder / "project"
    shutil.copytree(run, place, symlinks=True, ignore=shutil.ignore_patterns("downloads"))
    whole = snakemake(place, "--cores", 2, *CONFIG, "--", *LEAVES)
    if whole.returncode:
        raise RuntimeError(whole.stdout[-2000:] + whole.stderr[-2000:])
    expected = results(place)
    rng = Random(f"{seed}:kills")
    killed = 0
    begin_again(place, rng)
    while killed < count:
        command = [sys.executable, "-m", "snakemake", "--cores", "2", *CONFIG, "--", *LEAVES]
        with (folder / "log").open("w") as log:
            process = subprocess.Popen(command, cwd=place, stdout=log, stderr=log, start_new_session=True)
        with suppress(subprocess.TimeoutExpired):
            process.wait(rng.uniform(*pauses))
        if process.poll() is None:
            kill(process, rng.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT)))
            killed += 1
            snakemake(place, "--unlock", *CONFIG)
            yield None
            continue
        if process.returncode:
            text = (folder / "log").read_text(errors="replace")[-3000:]
            yield Violation(
                "kills", f"#{killed}", f"after {killed} kills", f"exit {process.returncode}", text
            )
            shutil.rmtree(place / "build")
        else:
            yield from compared(expected, place, killed)
        begin_again(place, rng)
    done = snakemake(place, "--cores", 2, *CONFIG, "--", *LEAVES)
    if done.returncode:
        text = (done.stdout + done.stderr)[-3000:]
        yield Violation("kills", f"#{killed}", f"after {killed} kills", f"exit {done.returncode}", text)
    else:
        yield from compared(expected, place, killed)


def begin_again(place: Path, rng: Random) -> None:
    """Delete the results and what some stages have made."""
    shutil.rmtree(place / "results")
    for name in rng.sample(STAGES, rng.randrange(2, len(STAGES) + 1)):
        shutil.rmtree(place / "build" / name, ignore_errors=True)


def compared(expected: dict[str, bytes], place: Path, killed: int) -> Iterator[Violation]:
    """A violation for each result that is another, and for what is left of finished jobs."""
    found = results(place)
    for name in sorted({*expected, *found}):
        if expected.get(name) != found.get(name):
            yield Violation("kills", f"#{killed}", f"after {killed} kills", f"another {name}")
    time.sleep(0.1)
    for path in (*place.glob("build/checkpoints/*/*"), *place.glob("build/**/*.part")):
        yield Violation("kills", f"#{killed}", f"after {killed} kills", f"left: {path.relative_to(place)}")
