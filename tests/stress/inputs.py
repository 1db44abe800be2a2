"""The campaign of inputs: every input of every command is damaged; it must do well or say what is wrong.

A case is one damage to one file that a command reads, or to where it writes. Allowed is: exit code 0 with all
outputs, or exit code 2 with lines that begin with "error: ", name a file, and leave no file behind. All else
is a violation.
"""

import csv
import os
import re
import shutil
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.stress import mutations, running
from tests.stress.running import Done
from tests.stress.stages import KEPT, Stage, clean, listing
from tests.stress.table import Violation

# Bytes of a file on a full disk: what a command says must go into its log.
DISK = 4096
# Files of names and of texts, which may be any.
NAMES = (
    "resources/qualification/countries.csv",
    "systems.manifest.csv",
    "control/systems.csv",
    "transcripts.csv",
)
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?(e[+-]?\d+)?")
NOT_A_NUMBER = re.compile(rb"(?<![\w.])[+-]?(nan|inf|infinity)(?![\w.])", re.IGNORECASE)


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
    outputs = [path for path in one.job.outputs if (one.folder.parent / "result" / path).exists()]
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
        elif (
            not case.path.endswith(NAMES)
            and original.is_file()
            and not NOT_A_NUMBER.search(original.read_bytes())
        ):
            # A text that was put in stands where texts stand.
            given = one.folder / case.path
            known = len(NOT_A_NUMBER.findall(given.read_bytes())) if given.is_file() else 0
            if len(NOT_A_NUMBER.findall(of_numbers(place, original))) > known:
                return f"exit 0 and nan or inf in {path}"
    return None


def of_numbers(path: Path, original: Path) -> bytes:
    """Those columns of a CSV file that hold a number in the undisturbed one; any other file whole."""
    data = path.read_bytes()
    if path.suffix != ".csv":
        return data
    with original.open(encoding="utf-8", newline="") as stream:
        names = {
            name for row in csv.DictReader(stream) for name, text in row.items() if NUMBER.fullmatch(text)
        }
    # Damage makes fields of any length.
    limit = csv.field_size_limit(1 << 30)
    try:
        rows = list(csv.DictReader(data.decode(errors="replace").splitlines()))
    finally:
        csv.field_size_limit(limit)
    return "\n".join(row[name] or "" for row in rows for name in sorted(names & row.keys())).encode()


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


def shares(made: dict[str, Stage], total: int, least: int) -> dict[str, int]:
    """How many cases each stage gets: fewer the longer one takes, none less than `least`."""
    weights = {name: min(1.0, 0.15 / max(one.seconds, 0.01)) for name, one in made.items()}
    rest = total - least * len(made)
    scale = max(0, rest) / sum(weights.values())
    return {name: least + round(scale * weight) for name, weight in weights.items()}


def campaign(
    made: dict[str, Stage], counts: dict[str, int], seed: int
) -> Iterator[tuple[str, Case, Violation | None]]:
    """Do the cases of all stages in turn; each with its violation, if it is one."""
    for number in range(max(counts.values(), default=0)):
        for name, count in counts.items():
            if number >= count:
                continue
            case, done, problem = run_case(made[name], number, seed)
            found = None
            if problem:
                what = f"{case.damage}: {case.path}"
                found = Violation("inputs", f"{name}#{number}", what, problem, done.errors[-2000:])
            yield name, case, found
