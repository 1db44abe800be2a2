"""Damage to the programs of tool environments: lmplz and build_binary of KenLM, Bicleaner's scripts.

A program that is not there, not whole or no program at all ends in one line; damage that leaves a working
program is none that can be noticed.
"""

import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.stress import mutations, running
from tests.stress.inputs import Case, judge
from tests.stress.stages import Stage, clean, stage

# Command -> its programs, below the folder that one of its arguments names.
PROGRAMS = {
    "fluency.train": ("lmplz", "build_binary"),
    "filtering.bicleaner": ("bin/bicleaner-hardrules",),
}
WAYS = ("missing", "folder", "loop", "not executable", "empty", "a text", "the end is missing", "overwritten")


def with_copy(one: Stage, run: Path, folder: Path) -> Stage:
    """The stage with programs of its own, which may be damaged; all else of the tool is linked."""
    words = list(one.job.arguments)
    known = next(word for word in words if ".venvs/" in word)
    source = (run / known.partition("=")[2] if "=" in known else run / known).resolve()
    place = folder / "tool"
    names = PROGRAMS[one.job.module]
    _linked(source, place, names)
    words[words.index(known)] = str(place)
    job = replace(one.job, arguments=tuple(words))
    made = stage(one.name, job, run, folder / one.name)
    originals = made.originals.parent / "programs"
    for name in names:
        (originals / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(place / name, originals / name)
    return made


def _linked(source: Path, place: Path, names: tuple[str, ...]) -> None:
    """A folder with copies of some files of another, and links to all else."""
    place.mkdir(parents=True)
    for path in source.iterdir():
        below = tuple(name.partition("/")[2] for name in names if name.startswith(f"{path.name}/"))
        if below:
            _linked(path, place / path.name, below)
        elif path.name in names:
            shutil.copy2(path, place / path.name)
        else:
            (place / path.name).symlink_to(path)


def damaged(one: Stage, number: int, seed: int) -> tuple[Case, str | None, str]:
    """Damage a program and run the command that calls it."""
    rng = Random(f"{seed}:programs:{one.name}:{number}")
    name = rng.choice(PROGRAMS[one.job.module])
    way = WAYS[number % len(WAYS)]
    tool = next(Path(word) for word in one.job.arguments if word.endswith("/tool"))
    path = tool / name
    data = path.read_bytes()
    match way:
        case "missing" | "folder" | "loop":
            mutations.replace(path, way)
        case "not executable":
            path.chmod(0o644)
        case _:
            # Anew, since a process may still run the old one.
            path.unlink()
            at = rng.randrange(len(data))
            path.write_bytes(
                {
                    "empty": b"",
                    "a text": b"nothing that runs\n",
                    "the end is missing": data[:at],
                    "overwritten": data[:at] + rng.randbytes(4096) + data[at + 4096 :],
                }[way]
            )
            path.chmod(0o755)
    case = Case(f"tool/{name}", way)
    done = running.run(
        one.job.module, one.job.arguments, one.folder, one.folder.parent / "log", seconds=one.limit
    )
    problem = judge(one, case, done)
    # The line names the program, not its path; above it stands what the program itself has said.
    told = ("names no file", "traceback: error: ")
    if problem and done.code == 2 and problem.startswith(told) and Path(name).name in done.errors:
        problem = None
    if done.code == 0 and way not in ("the end is missing", "overwritten"):
        problem = f"exit 0, although the program is damaged: {way}"
    mutations.restore(one.originals.parent / "programs" / name, path)
    clean(one.folder, one.before, one.originals)
    return case, problem, done.errors
