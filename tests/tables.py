"""CSV files that tests write and read."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from workflow_scripts.core.csv_files import write_csv


def put(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> Path:
    """A CSV file, in a folder that may not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_csv(path, header, rows)
    return path


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def lists_of(path: Path) -> list[list[str]]:
    """The lines of a CSV file, the header first."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))
