"""Does what a document with walk-through says: makes its files, edits others, runs its commands.

A code block is preceded by a line that says what to do with it: ``New file `x`:``, ``At the end of `x`:`` or
``In `x`, before `text`:``. A sentence with ``in `x`, replace `old` by `new``` is done too. A block of bash is
run; a walk-through ends where the next heading of its level begins.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_TODO = {
    "new": re.compile(r"New file `([^`]+)`:"),
    "append": re.compile(r"At the end of `([^`]+)`:"),
    "insert": re.compile(r"In `([^`]+)`, before `([^`]+)`:"),
}
_REPLACE = re.compile(r"[Ii]n `([^`]+)`, replace `([^`]+)` by `([^`]+)`")


@dataclass(frozen=True)
class Step:
    """What is to be done: with a file, or (`run`) with a block of commands."""

    line: int
    kind: str
    path: str = ""
    text: str = ""
    place: str = ""


def steps(document: str, heading: str) -> list[Step]:
    """The steps of one walk-through; a code block without a line before it is an error."""
    lines = document.splitlines()
    start = lines.index(f"## {heading}") + 1
    end = next((i for i in range(start, len(lines)) if lines[i].startswith("## ")), len(lines))
    found: list[Step] = []
    said: Step | None = None
    block: list[str] | None = None
    language = ""
    for number in range(start, end):
        line = lines[number]
        if line.startswith("```") and block is None:
            block, language = [], line[3:]
        elif line.startswith("```") and block is not None:
            text = "".join(f"{inner}\n" for inner in block)
            if said is None:
                assert language == "bash", f"line {number + 1}: nothing says what to do with this block"
                found.append(Step(number + 1, "run", text=text))
            else:
                found.append(Step(said.line, said.kind, said.path, text, said.place))
            block, said = None, None
        elif block is not None:
            block.append(line)
        else:
            for kind, pattern in _TODO.items():
                if match := pattern.fullmatch(line):
                    said = Step(number + 1, kind, match[1], place=match[2] if kind == "insert" else "")
            for match in _REPLACE.finditer(line):
                found.append(Step(number + 1, "replace", match[1], match[3], match[2]))
    return found


def made(document: str) -> set[str]:
    """The files that all walk-throughs of a document make."""
    return {match[1] for match in map(_TODO["new"].fullmatch, document.splitlines()) if match}


def walk(todo: list[Step], folder: Path, snakemake: Callable[[list[str]], None]) -> None:
    """Do the steps in a copy of the checkout; `snakemake` runs the arguments of such a command."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    for step in todo:
        file = folder / step.path
        match step.kind:
            case "run":
                for command in step.text.splitlines():
                    if command.startswith("snakemake "):
                        snakemake(shlex.split(command)[1:])
                    else:
                        subprocess.run(["bash", "-ec", command], cwd=folder, env=environment, check=True)
            case "new":
                assert not file.exists(), f"line {step.line}: {step.path} is there already"
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(step.text, encoding="utf-8")
            case _:
                file.write_text(_edited(step, file.read_text(encoding="utf-8")), encoding="utf-8")


def _edited(step: Step, text: str) -> str:
    """A file's text after a step; two empty lines stand between blocks of code."""
    apart = "\n\n" if Path(step.path).suffix in (".py", ".smk") else ""
    if step.kind == "append":
        assert text.endswith("\n"), f"line {step.line}: {step.path} does not end with a line"
        return text + apart + step.text
    assert text.count(step.place) == 1, f"line {step.line}: {step.place!r} is not once in {step.path}"
    new = step.text + apart + step.place if step.kind == "insert" else step.text
    return text.replace(step.place, new)
