"""Counts of single steps as cells, for Tables 2, 11 and 12."""

from pathlib import Path

from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.leaves.signature import signature

# The names of a row -> the option whose files count it, and the step in these files.
Rows = dict[tuple[str, ...], tuple[str, str]]


def count_of(path: Path, step: str, unit: str) -> Cell:
    """The count of a step as a cell; InputError, naming the file, if its table has no such step."""
    counts = read_counts(path)
    if step not in counts:
        raise InputError(f"no step '{step}'", path=path, fix=nearest(step, counts))
    return Cell(str(counts[step]), signature(path, step=step, unit=unit))
