"""CSV files, read without losing a row and written in one form.

A byte order mark and CRLF are accepted; a line break, a no-break space or U+2028 within quotes is text.
Every reader raises InputError with the line number for bytes that are not UTF-8, a header that lacks required
columns, a broken quote, an empty line, a row with another number of fields than the header, and a row of more
than `files.LONGEST_LINE` characters, such as an unclosed quote produces.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import LONGEST_LINE, lines, writing


def read_csv(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows below the header: the line on which a row begins, and its fields in order.

    The header must be exactly `columns`.
    """
    records = _records(path)
    number, header = next(records, (1, None))
    if header is None:
        raise InputError("empty file", path=path, fix=f"the first line is {','.join(columns)}")
    if header != list(columns):
        problem = f"the columns are not {', '.join(columns)}"
        raise InputError(problem, path=path, line=number, fix=_as_saved(header, columns))
    for number, row in records:
        if len(row) != len(header):
            raise InputError(f"{len(row)} fields instead of {len(header)}", path=path, line=number)
        yield number, row


def read_keyed(path: Path, columns: Sequence[str], keys: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Yield rows as `read_csv` does; InputError for a second row with the same first `keys` fields."""
    known: set[tuple[str, ...]] = set()
    for number, row in read_csv(path, columns):
        name = tuple(row[:keys])
        if name in known:
            raise InputError(f"a second row of {', '.join(name)}", path=path, line=number, fix="keep one")
        known.add(name)
        yield number, row


def read_rows(path: Path, needed: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows below the header: the line on which a row begins, and its fields by column.

    The header must contain the columns `needed`, in any order, and may have others; a repeated name is an
    InputError too.
    """
    header = header_of(path)
    if missing := [name for name in needed if name not in header]:
        fix = _as_saved(header, needed) or f"needed: {', '.join(needed)}"
        raise InputError(f"no column {', '.join(missing)}", path=path, line=1, fix=fix)
    if len(set(header)) < len(header):
        raise InputError("a column is named twice", path=path, line=1)
    for number, row in read_csv(path, header):
        yield number, dict(zip(header, row, strict=True))


def _as_saved(header: Sequence[str], columns: Sequence[str]) -> str:
    """Advice about a header that a spreadsheet may have changed; empty if it shows no sign of that."""
    for separator, name in ((";", "semicolons"), ("\t", "tabs")):
        if len(header) == 1 and set(columns) <= {one.strip('"') for one in header[0].split(separator)}:
            return f"save it with commas between the fields, not {name}"
    if list(columns) == [*header[: len(columns)]] and not any(header[len(columns) :]):
        return "delete the empty columns behind them"
    return ""


def header_of(path: Path) -> list[str]:
    """The names of a file's columns; InputError if it is empty."""
    header = next(_records(path), (1, []))[1]
    if not header:
        raise InputError("empty file", path=path, fix="the first line names the columns")
    return header


def _lines(path: Path) -> Iterator[str]:
    """The lines with their ends, since a field may contain one; a lone CR does not end a line."""
    for number, line in enumerate(lines(path)):
        yield (line if number else line.removeprefix("\ufeff")) + "\n"


def _records(path: Path) -> Iterator[tuple[int, list[str]]]:
    """All records, the header among them, with the line on which each begins."""
    size = 0

    def counted() -> Iterator[str]:
        nonlocal size
        for line in _lines(path):
            size += len(line)
            if size > LONGEST_LINE:
                raise InputError(f"a row of more than {LONGEST_LINE} characters", path=path, line=begin)
            yield line

    reader: Any = csv.reader(counted(), strict=True)
    while True:
        begin, size = reader.line_num + 1, 0
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"not a row of a CSV ({error})", path=path, line=begin) from None
        yield begin, row


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table; a row with another number of fields than the header is a bug."""
    with writing(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            if len(row) != len(header):
                raise ValueError(f"{len(row)} fields for {len(header)} columns of {path}")
            writer.writerow(row)
