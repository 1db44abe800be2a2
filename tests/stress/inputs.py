"""The campaign of inputs: every input of every command is damaged; it must do well or say what is wrong.

A case is one damage to one file that a command reads, or to where it writes. Allowed is: exit code 0 with all
outputs, or exit code 2 with lines that begin with "error: ", name a file, and leave no file behind. All else
is a violation.
"""

from __future__ import annotations

import os
import re
import shutil
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.stress import commands, mutations, running
from tests.stress.commands import Job
from tests.stress.running import Done
from tests.stress.table import Violation

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
# Bytes of a file on a full disk: what a command says must go into its log.
DISK = 4096
# Of the files of a folder that a command reads.
MOST_FILES = 400
NOT_A_NUMBER = re.compile(rb"(?<![\w.])[+-]?(nan|inf|infinity)(?![\w.])", re.IGNORECASE)


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
    found = {}
    for place, folders, files in os.walk(folder):
        for name in [*files, *(one for one in folders if os.path.islink(os.path.join(place, one)))]:
            path = os.path.join(place, name)
            state = os.lstat(path)
            found[os.path.relpath(path, folder)] = (state.st_size, state.st_mtime_ns)
    return found


def read_by(job: Job, run: Path) -> list[str]:
    """The files that a job reads as far as its inputs and arguments tell, from the folder of the run."""
    written = {os.path.normpath(path) for path in job.outputs}
    named = [*job.inputs]
    for word in job.arguments:
        named += [word, word.partition("=")[2]]
    if "resources/sources.csv" in named:
        # It names lists of checksums.
        named.append("resources/sources")
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
    if not set(loaded) <= set(sys.modules):
        commanded = {f"workflow_scripts.{module}" for module in commands.modules()}
        running.preload(sorted(set(loaded) - commanded))
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
    now = listing(place)
    for path in now:
        if path not in before:
            (place / path).unlink()
    for path, state in before.items():
        if now.get(path) != state and (originals / path).exists():
            changed.append(path)
            mutations.restore(originals / path, place / path)
    folders = {str(parent) for path in before for parent in Path(path).parents}
    for name, inner, _ in os.walk(place, topdown=False):
        for one in inner:
            path = os.path.join(name, one)
            if not os.path.islink(path) and os.path.relpath(path, place) not in folders:
                shutil.rmtree(path)
    return changed


@dataclass(frozen=True)
class Case:
    """What is damaged in one case: the file (or, of an output, the place) and how."""

    path: str
    damage: str
    output: bool = False


OUTPUT_DAMAGES = (
    "output is a folder",
    "parent of the output is a file",
    "folder of the output is read-only",
    "disk full",
)


def damage(one: Stage, number: int, seed: int) -> tuple[Case, int]:
    """Damage the folder of a stage as a case says; the case, and the size that files may have."""
    rng = Random(f"{seed}:{one.name}:{number}")
    outputs = [path for path in one.job.outputs if (one.folder.parent / "result" / path).is_file()]
    if outputs and (not one.inputs or rng.random() < 0.04):
        path, how = rng.choice(outputs), rng.choice(OUTPUT_DAMAGES)
        place = one.folder / path
        if how == "output is a folder":
            place.mkdir(parents=True)
            (place / "kept").write_text("kept\n")
        elif how == "parent of the output is a file" and not place.parent.exists():
            place.parent.parent.mkdir(parents=True, exist_ok=True)
            place.parent.write_text("kept\n")
        elif how == "folder of the output is read-only":
            place.parent.mkdir(parents=True, exist_ok=True)
            place.parent.chmod(0o555)
        else:
            return Case(path, "disk full", output=True), DISK
        return Case(path, how, output=True), running.OUTPUT
    # Half of the cases go round all inputs, the others are where chance puts them.
    path = one.inputs[number // 2 % len(one.inputs)] if number % 2 == 0 else rng.choice(one.inputs)
    return Case(path, mutations.mutate(rng, one.folder / path)), running.OUTPUT


def repair(one: Stage, case: Case) -> None:
    """Make the folder of a stage again as it was, also where it was made read-only."""
    place = one.folder / case.path
    if case.output:
        if place.parent.is_dir():
            place.parent.chmod(0o755)
        elif place.parent.is_file():
            place.parent.unlink()
        if place.is_dir():
            shutil.rmtree(place)
    elif (one.originals / case.path).exists():
        mutations.restore(one.originals / case.path, place)
        # As at first, so that nothing seems to have changed.
        state = one.before[case.path]
        os.utime(place, ns=(state[1], state[1]))


def names_something(one: Stage, case: Case, message: str) -> bool:
    """Whether a message names a file or folder that the command was given, or an option of it."""
    words = {os.path.basename(path) for path in (*one.inputs, *one.job.outputs)}
    words |= {os.path.basename(word.rstrip("/")) for word in one.job.arguments if "/" in word}
    # Or a file that a manifest or a registry names.
    return (
        any(word in message for word in words if word)
        or re.search(r"/[\w.-]+: |: no such file|^error: \S+: is there already", message) is not None
    )


def judge(one: Stage, case: Case, done: Done) -> str | None:
    """What is wrong with how a case ended; None if nothing is."""
    now = listing(one.folder)
    new = [path for path in now if path not in one.before and path != case.path]
    new = [path for path in new if not (case.output and path.startswith(case.path + "/"))]
    new = [path for path in new if not path.startswith(KEPT)]
    half = [path for path in new if path.endswith(".part")]
    text = done.errors
    if "Traceback (most recent call last)" in text or done.code == 1:
        last = text.rstrip().splitlines()[-1] if text.strip() else ""
        return f"traceback: {last[:200]}"
    if done.code < 0:
        return f"ended by signal {-done.code}" + (
            " (over the limit of time)" if done.code in (-9, -14) else ""
        )
    if half:
        return f"half-written: {half[0]}"
    touched = [
        path
        for path, state in one.before.items()
        if path != case.path and now.get(path) != state and not path.startswith(KEPT)
    ]
    touched = [path for path in touched if path not in one.job.outputs]
    if touched:
        return f"an input is changed: {touched[0]}"
    if done.code == 0:
        lacking = [path for path in one.job.outputs if not os.path.lexists(one.folder / path)]
        if lacking:
            return f"exit 0 without {lacking[0]}"
        if case.output and case.damage == "disk full":
            small = [one.folder / path for path in one.job.outputs]
            if any(path.is_file() and path.stat().st_size > DISK for path in small):
                return "exit 0 though files could not be written"
        if case.output:
            return None
        return silent(one, case)
    if done.code != 2:
        return f"exit {done.code}"
    lines = text.split("\n")
    first = next((number for number, line in enumerate(lines) if line.startswith("error: ")), None)
    if first is None:
        return f"exit 2 without a line that begins with 'error: ': {text[-150:]!r}"
    said = [line for line in lines[first:] if line]
    if any(re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", line) for line in said):
        return f"a control character in the message: {said[0][:150]!r}"
    if any(len(line) > 3000 for line in said):
        return f"a line of {max(map(len, said))} characters: {said[0][:150]!r}"
    if any(not line.startswith("error: ") for line in said) and len(said) > 20:
        return f"{len(said)} lines: {said[0][:150]!r}"
    if not names_something(one, case, "\n".join(said)):
        return f"names no file: {said[0][:200]}"
    left = [
        path for path in new if path in one.written or any(path.startswith(o + "/") for o in one.job.outputs)
    ]
    # A command that writes several files may have finished some of them.
    if left and len(left) == len(one.written):
        return f"all outputs are there although it failed: {left[0]}"
    return None


def silent(one: Stage, case: Case) -> str | None:
    """What is no number in tables or weights, where undamaged inputs give none."""
    for path in one.written:
        place = one.folder / path
        original = one.folder.parent / "result" / path
        if not place.is_file() or place.suffix not in (".csv", ".tsv", ".json", ".safetensors"):
            continue
        if place.suffix == ".safetensors":
            if not finite(place):
                return f"exit 0 and weights that are not finite: {path}"
        elif original.is_file() and not NOT_A_NUMBER.search(original.read_bytes()):
            # A text that was put in stands where texts stand.
            given = one.folder / case.path
            known = len(NOT_A_NUMBER.findall(given.read_bytes())) if given.is_file() else 0
            if len(NOT_A_NUMBER.findall(place.read_bytes())) > known:
                return f"exit 0 and nan or inf in {path}"
    return None


def finite(path: Path) -> bool:
    """Whether all float32 tensors of a safetensors file are finite."""
    import json

    import numpy

    data = path.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    for name, about in json.loads(data[8 : 8 + size]).items():
        if name != "__metadata__" and about["dtype"] == "F32":
            start, end = about["data_offsets"]
            if not numpy.isfinite(numpy.frombuffer(data[8 + size + start : 8 + size + end], "<f4")).all():
                return False
    return True


def run_case(one: Stage, number: int, seed: int, keep: bool = False) -> tuple[Case, Done, str | None]:
    """Do one case; with `keep` the folder stays as the case has left it."""
    case, largest = damage(one, number, seed)
    done = running.run(
        one.job.module,
        one.job.arguments,
        one.folder,
        one.folder.parent / "log",
        seconds=one.limit,
        largest=largest,
    )
    problem = judge(one, case, done)
    if not keep:
        repair(one, case)
        clean(one.folder, one.before, one.originals)
    return case, done, problem


# What trains or translates, or loads much: minutes of setting up that the short form does without.
LONG = frozenset(
    {
        *("seq2seq.train", "unsupervised.train", "unsupervised.train_prior", "unsupervised.decode"),
        *("formality.train", "formality.score", "formality.encoder", "transfer.decode", "translation.sanity"),
        *("filtering.curate_bitext", "text.learn", "report.rulegraph", "papers.xformal.figure2"),
    }
)


def stages(
    run: Path, folder: Path, only: str = "", quick: bool = False
) -> tuple[dict[str, Stage], dict[str, str]]:
    """A stage for each chosen job, and by command why there is none; with `quick` not the `LONG` ones."""
    jobs = commands.jobs_of_rules(run, ["tiny.yaml"])
    known = {}
    for job in jobs:
        # What is made of released data, which have just been put there.
        if not all((run / path).exists() for path in job.outputs) and all(
            (run / path).exists() for path in job.inputs
        ):
            done = running.run(job.module, job.arguments, run, folder / "log", seconds=300)
            if done.code:
                known[job.module] = f"does not run: {done.errors.strip()[-300:]}"
    wanted = commands.chosen([*jobs, *commands.further_jobs(run)])
    without = dict(commands.UNTESTED)
    if quick:
        without |= dict.fromkeys(LONG, "only in the long form")
    made: dict[str, Stage] = {}
    for name, job in wanted.items():
        if job.module in without or (only and name != only):
            continue
        try:
            made[name] = stage(name, job, run, folder / name)
        except RuntimeError as error:
            without[job.module] = str(error)
            shutil.rmtree(folder / name, ignore_errors=True)
            continue
    for module in commands.modules():
        if module not in without and not any(one.job.module == module for one in made.values()):
            without[module] = known.get(
                module, "no job of the tiny run, nor of tests/stress/commands.py, calls it"
            )
    return made, without


def shares(made: dict[str, Stage], total: int, least: int) -> dict[str, int]:
    """How many cases each stage gets: fewer the longer one takes, none less than `least`."""
    weights = {name: min(1.0, 0.15 / max(one.seconds, 0.01)) for name, one in made.items()}
    rest = total - least * len(made)
    scale = max(0, rest) / sum(weights.values())
    return {name: least + round(scale * weight) for name, weight in weights.items()}


def campaign(
    made: dict[str, Stage], counts: dict[str, int], seed: int
) -> Iterator[tuple[str, Case, Violation | None]]:
    """Do the cases of all stages; each with its violation, if it is one."""
    for name, count in counts.items():
        for number in range(count):
            case, done, problem = run_case(made[name], number, seed)
            found = None
            if problem:
                what = f"{case.damage}: {case.path}"
                found = Violation("inputs", f"{name}#{number}", what, problem, done.errors[-2000:])
            yield name, case, found
