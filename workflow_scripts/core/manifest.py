"""Command: a manifest, the table of the files that a command reads, with facts about each."""

import json
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError


def manifest(path: Path, *, rows: str) -> None:
    """Write a manifest, so that a command needs one option instead of several lists of equal length.

    :param path: CSV to write
    :param rows: JSON: a list of the columns' names, then one list of texts for each file
    """
    header, *lines = json.loads(rows)
    write_csv(path, header, lines)


def read_manifest(path: Path, columns: Sequence[str]) -> list[list[str]]:
    """The rows of a manifest, one field per column.

    Raises InputError, naming the line, for another header, a row with another number of fields, an empty
    field, a field with a zero byte, which no path can have, and a repeated row.
    """
    rows: list[list[str]] = []
    for number, row in read_csv(path, columns):
        if "" in row:
            raise InputError(f"no {columns[row.index('')]}", path=path, line=number)
        if any("\0" in field for field in row):
            raise InputError("a field with a zero byte", path=path, line=number)
        if row in rows:
            raise InputError(f"a second row {', '.join(row)}", path=path, line=number)
        rows.append(row)
    return rows


if __name__ == "__main__":
    run(manifest)
