"""A leaf in its paper's layout: the files of each language, and the rows and columns of cells."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cells


def by_language(languages: Sequence[str], **files: Sequence[Path]) -> dict[str, dict[str, Path]]:
    """The files of each language by option; InputError if an option does not have one file per language."""
    for name, paths in files.items():
        if len(paths) != len(languages):
            raise InputError(
                f"{len(languages)} languages have {len(paths)} --{name}", fix="give each its file"
            )
    return {
        language: {name: paths[place] for name, paths in files.items()}
        for place, language in enumerate(languages)
    }


def in_layout(rows: Iterable[tuple[str, ...]], columns: Iterable[str], cells: Cells) -> list[list[str]]:
    """One row per row key: the parts of the key, then our number in each column, or an empty field.

    The key of a cell is its row key followed by the name of its column.
    """
    names = list(columns)
    return [
        [*row, *(cells[(*row, name)].ours if (*row, name) in cells else "" for name in names)] for row in rows
    ]
