"""Counts of single steps, for Tables 2, 11 and 12: which file holds them, and how they stand in a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.leaves.table import Cell, Cells, signature

# The names of a row: the option whose files count it, and the step there.
Rows = dict[tuple[str, ...], tuple[str, str]]


def count_of(path: Path, step: str, unit: str) -> Cell:
    """The count of a step as a cell; InputError, naming the file, if its table has no such step."""
    counts = read_counts(path)
    if step not in counts:
        raise InputError(f"no step '{step}'", path=path, fix=nearest(step, counts))
    return Cell(str(counts[step]), signature(path, step=step, unit=unit))


def by_language(languages: Sequence[str], **files: Sequence[Path]) -> dict[str, dict[str, Path]]:
    """The files of each language by their option; InputError if an option has more or fewer files."""
    for name, paths in files.items():
        if len(paths) != len(languages):
            raise InputError(
                f"{len(languages)} languages have {len(paths)} --{name}", fix="give each its file"
            )
    return {
        language: {name: paths[place] for name, paths in files.items()}
        for place, language in enumerate(languages)
    }


def in_layout(rows: Rows, languages: Sequence[str], cells: Cells) -> list[list[str]]:
    """One row per key of `rows`: its names, then a number for each language, empty where there is none."""
    return [
        [*row, *(cells[(*row, language)].ours if (*row, language) in cells else "" for language in languages)]
        for row in rows
    ]
