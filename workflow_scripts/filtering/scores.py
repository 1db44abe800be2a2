"""Formality scores that are read in parallel with their sentences."""

from math import isfinite
from pathlib import Path

from workflow_scripts.core.errors import InputError


def read_score(field: str, path: Path, line: int) -> float:
    """The number on a line of a file of scores; InputError if it is not a number."""
    try:
        score = float(field)
    except ValueError:
        score = float("nan")
    if not isfinite(score):
        raise InputError(f"{field!r} is not a score", path=path, line=line, fix="score the sentences again")
    return score
