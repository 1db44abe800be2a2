"""A stage for each command: a folder of its own in which it runs, is damaged, and is made whole again."""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.commands import COMMANDS
from tests.stress import commands, mutations, running
from tests.stress.commands import Job
from tests.stress.further import further_jobs

# What a command may leave behind when it fails: the state with which it goes on, and what was paid for.
KEPT = ("build/checkpoints/", "cache/", "build/downloads/", "partial/")
# What the rules of a run need besides inputs; they are linked, not copied.
LINKED = (
    ".venvs",
    "workflow_scripts",
    "rules",
    "config",
    "envs",
    "profiles",
    "Snakefile",
    "config.yaml",
    "tiny.yaml",
)
# Of the files of a folder that a command reads.
MOST_FILES = 400


@dataclass(frozen=True)
class Stage:
    """A command in a folder of its own: what it reads and writes there, and how long it takes undisturbed."""

    name: str
    job: Job
    folder: Path
    originals: Path
    inputs: tuple[str, ...]
    before: dict[str, tuple[int, int]]
    written: tuple[str, ...]
    seconds: float

    @property
    def limit(self) -> float:
        """Seconds after which a case is stopped."""
        return 20 + 5 * self.seconds


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """All files below a folder, links to elsewhere among them: size and time of change."""
    return walked(folder)[0]


def walked(folder: Path) -> tuple[dict[str, tuple[int, int]], list[str]]:
    """The same, and all folders below, each after those in it."""
    found: dict[str, tuple[int, int]] = {}
    folders = []
    rest = [""]
    while rest:
        place = rest.pop()
        with os.scandir(os.path.join(folder, place)) as entries:
            for entry in entries:
                path = place + entry.name
                if entry.is_dir(follow_symlinks=False):
                    rest.append(f"{path}/")
                    folders.append(path)
                else:
                    state = entry.stat(follow_symlinks=False)
                    found[path] = (state.st_size, state.st_mtime_ns)
    return found, folders[::-1]


def read_by(job: Job, run: Path) -> list[str]:
    """The files that a job reads as far as its inputs and arguments tell, from the folder of the run."""
    written = {os.path.normpath(path) for path in job.outputs}
    named = [*job.inputs]
    for word in job.arguments:
        named += [word, word.partition("=")[2]]
    if "resources/sources.csv" in named:
        # It names lists of checksums.
        named.append("resources/sources")
    if job.module == "report.rulegraph":
        # It asks Snakemake, whose rules read them all.
        named += ["resources", "my outputs"]
    found: dict[str, None] = {}
    for path in filter(None, named):
        place = run / path
        path = os.path.normpath(path)
        if os.path.isabs(path) or path.startswith("..") or path.split("/")[0] in LINKED or path == ".":
            continue
        if path in written or len(path) > 200 or not os.path.exists(place):
            continue
        below = [place]
        if place.is_dir():
            below = sorted(one for one in place.rglob("*") if one.is_file() and one.name[0] != ".")
        for one in below[:MOST_FILES]:
            name = os.path.normpath(one.relative_to(run))
            if not any(name == out or name.startswith(out + "/") for out in written):
                found[name] = None
    return list(found)


def stage(name: str, job: Job, run: Path, folder: Path, seconds: float = 300) -> Stage:
    """Copy what a job reads from the folder of a run and do it once, undisturbed; it must do well."""
    originals, place = folder / "originals", folder / "work"
    inputs = read_by(job, run)
    for path in inputs:
        (originals / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(run / path, originals / path)
    originals.mkdir(parents=True, exist_ok=True)
    shutil.copytree(originals, place)
    for path in LINKED:
        if (run / path).exists():
            (place / path).symlink_to((run / path).resolve())
    before = listing(place)
    done = running.run(
        job.module, job.arguments, place, folder / "log", seconds=seconds, modules=folder / "modules"
    )
    if done.code:
        raise RuntimeError(f"{name} does not do undamaged: {done.code}\n{done.errors}")
    loaded = (folder / "modules").read_text().split()
    new = set(loaded) - set(sys.modules) - {f"workflow_scripts.{module}" for module in COMMANDS}
    if new:
        running.preload(sorted(new))
        # Without the seconds of what is imported only once.
        if done.seconds > 1:
            again = running.run(job.module, job.arguments, place, folder / "log", seconds=seconds)
            done = again if again.code == 0 else done
    written = tuple(sorted(path for path in listing(place) if path not in before))
    shutil.copytree(place, folder / "result", symlinks=True)
    # A folder that is named may hold what the command itself has written.
    for path in clean(place, before, originals):
        if not path.startswith(KEPT):
            (originals / path).unlink()
            (place / path).unlink()
            inputs.remove(path)
            written = (*written, path)
    return Stage(name, job, place, originals, tuple(inputs), listing(place), written, done.seconds)


def clean(place: Path, before: dict[str, tuple[int, int]], originals: Path) -> list[str]:
    """Remove what is new in a folder and put back what has changed; the paths of inputs that had changed."""
    changed = []
    now, folders = walked(place)
    for path in now.keys() - before.keys():
        os.unlink(place / path)
    for path, state in before.items():
        if now.get(path) != state and (originals / path).exists():
            changed.append(path)
            mutations.restore(originals / path, place / path)
    for path in folders:
        # A folder may have stood in the place of a file, which is back by now.
        if (place / path).is_dir() and not any(known.startswith(f"{path}/") for known in before):
            shutil.rmtree(place / path)
    return changed


# What trains or translates, or loads much: minutes of setting up that the short form does without.
LONG = frozenset(
    {
        *(
            "seq2seq.train",
            "seq2seq.train_transformer",
            "unsupervised.train",
            "unsupervised.train_prior",
            "unsupervised.decode",
        ),
        *("encoders.train", "encoders.score", "encoders.encoder", "transfer.decode", "translation.sanity"),
        *(
            "filtering.curate_bitext",
            "filtering.bicleaner",
            "text.learn",
            "report.rulegraph",
            "papers.xformal.figure2",
        ),
    }
)


def _there(run: Path, paths: tuple[str, ...]) -> bool:
    return all((run / path).exists() for path in paths)


def _put(made: Path, place: Path) -> None:
    """Copy what a command has made to where others read it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    if made.is_dir():
        shutil.copytree(made, place)
    elif made.exists():
        shutil.copy2(made, place)


def stages(
    run: Path, folder: Path, only: str = "", quick: bool = False
) -> tuple[dict[str, Stage], dict[str, str]]:
    """A stage for each chosen job, and by command why there is none; with `quick` not the `LONG` ones."""
    without = dict(commands.UNTESTED)
    if quick:
        without |= dict.fromkeys(LONG, "only in the long form")
    jobs = commands.jobs_of_rules(run, ["tiny.yaml"])
    known: dict[str, str] = {}
    made: dict[str, Stage] = {}

    def add(name: str, job: Job) -> None:
        """Make the stage of a job if it is wanted; its outputs, which others read, if they are not there."""
        # Leaves of the released data, which have just been put there, are not yet made; no tools are built.
        lacking = [path for path in job.outputs if not (run / path).exists()]
        try:
            if name and job.module not in without and only in ("", name):
                made[name] = stage(name, job, run, folder / name)
                for path in lacking:
                    _put(folder / name / "result" / path, run / path)
            elif lacking and job.module not in commands.UNTESTED and _there(run, job.inputs):
                done = running.run(job.module, job.arguments, run, folder / "log", seconds=300)
                if done.code:
                    known[job.module] = f"does not run: {done.errors.strip()[-300:]}"
        except RuntimeError as error:
            without[job.module] = str(error)
            shutil.rmtree(folder / name, ignore_errors=True)

    names = {job: name for name, job in commands.chosen(jobs).items()}
    for job in jobs:
        add(names.get(job, ""), job)
    # They read what has been made just now.
    for name, job in commands.chosen([*jobs, *further_jobs(run)]).items():
        if job not in names:
            add(name, job)
    for module in COMMANDS:
        if module not in without and not any(one.job.module == module for one in made.values()):
            without[module] = known.get(
                module, "no job of the tiny run, nor of tests/stress/further.py, calls it"
            )
    return made, without
