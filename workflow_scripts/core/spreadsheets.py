"""Command: a copy of a table in which spreadsheets take no cell for a formula.

A spreadsheet may evaluate a cell that begins with =, +, -, @, a tab or a carriage return, whoever wrote the
text. In the copy such a cell begins with an apostrophe, which is not part of the text.
"""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import header_of, read_csv, write_csv

FORMULA = ("=", "+", "-", "@", "\t", "\r")
MARK = "'"


def for_spreadsheets(target: Path, *, table: Path) -> None:
    """Write the copy; programs read the original table.

    :param target: CSV to write, with the same rows and columns
    :param table: CSV with a header
    """
    header = header_of(table)
    rows = [[escaped(field) for field in row] for _, row in read_csv(table, header)]
    write_csv(target, [escaped(name) for name in header], rows)


def escaped(field: str) -> str:
    """Escape a cell that could be a formula; a cell that looks escaped is escaped once more."""
    return MARK + field if _unmarked(field).startswith(FORMULA) else field


def unescaped(field: str) -> str:
    """The text of a cell of the copy."""
    return field[len(MARK) :] if field.startswith(MARK) and _unmarked(field).startswith(FORMULA) else field


def _unmarked(field: str) -> str:
    """A cell without the apostrophes at its beginning."""
    return field.lstrip(MARK)


if __name__ == "__main__":
    run(for_spreadsheets)
