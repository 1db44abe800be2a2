"""The table of one language's rewrites that `measure` writes: one line per rewrite."""

from pathlib import Path
from typing import NamedTuple

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.rewrites.edits import TYPES

COLUMNS = ("sentence", "reference", "levenshtein", "led", *TYPES)


class Pair(NamedTuple):
    """The measurements of one rewrite."""

    sentence: int
    reference: int
    levenshtein: int
    led: float
    edits: dict[str, bool]


def read_pairs(path: Path) -> list[Pair]:
    """All rewrites of one language; InputError for a file without any."""
    pairs = [
        Pair(
            whole(row[0], path, line),
            whole(row[1], path, line),
            whole(row[2], path, line),
            number(row[3], path, line),
            {name: _flag(field, path, line) for name, field in zip(TYPES, row[4:], strict=True)},
        )
        for line, row in read_csv(path, COLUMNS)
    ]
    if not pairs:
        raise InputError("no rewrite in it", path=path)
    return pairs


def _flag(text: str, path: Path, line: int) -> bool:
    """Whether an edit is in a rewrite: 0 or 1."""
    if text not in ("0", "1"):
        raise InputError(f"{text[:40]!r} is neither 0 nor 1", path=path, line=line)
    return text == "1"
