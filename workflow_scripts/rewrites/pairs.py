"""The table of one language's rewrites that `measure` writes: one line per rewrite."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.rewrites.edits import TYPES

COLUMNS = ("sentence", "reference", "levenshtein", "led", *TYPES)


class Pair(NamedTuple):
    """What was found in one rewrite."""

    sentence: int
    reference: int
    levenshtein: int
    led: float
    edits: dict[str, bool]


def read_pairs(path: Path) -> list[Pair]:
    """All rewrites of one language; InputError for a file without any."""
    pairs = [
        Pair(
            int(row[0]),
            int(row[1]),
            int(row[2]),
            float(row[3]),
            {name: field == "1" for name, field in zip(TYPES, row[4:], strict=True)},
        )
        for _, row in read_csv(path, COLUMNS)
    ]
    if not pairs:
        raise InputError("no rewrite in it", path=path)
    return pairs
