"""Leaves: CSV tables read without losing a row, written, and set beside the printed numbers."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, lines, writing

# What follows a comparison's own keys.
COMPARED = ("printed", "ours", "difference", "comparable", "signature")


def read_csv(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows below the header: the line on which a row begins, and one field per column.

    A byte order mark and CRLF are read past; a line break, a no-break space or U+2028 within quotes is text.
    Raises InputError, naming the line, for bytes that are not UTF-8, another header, a broken quote, an
    empty line, and a row with another number of fields.
    """
    reader = csv.reader(_lines(path), strict=True)
    for number, header in _records(path, reader):
        if header != list(columns):
            raise InputError(f"the columns are not {', '.join(columns)}", path=path, line=number)
        break
    else:
        raise InputError("empty file", path=path, fix=f"the first line is {','.join(columns)}")
    for number, row in _records(path, reader):
        if len(row) != len(columns):
            raise InputError(f"{len(row)} fields instead of {len(columns)}", path=path, line=number)
        yield number, row


def _lines(path: Path) -> Iterator[str]:
    """The lines with their ends, since a field may hold one; a lone CR is no end of a line."""
    for number, line in enumerate(lines(path)):
        yield (line if number else line.removeprefix("\ufeff")) + "\n"


def _records(path: Path, reader: Any) -> Iterator[tuple[int, list[str]]]:
    """What a reader of the module csv yields, with the line on which each record begins."""
    while True:
        begin = reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise InputError(f"not a row of a CSV ({error})", path=path, line=begin) from None
        yield begin, row


def read_printed(path: Path, *keys: str) -> Printed:
    """A printed table: its keys -> the number as it is printed; a key that occurs twice is an InputError."""
    printed: Printed = {}
    for number, row in read_csv(path, (*keys, "printed")):
        key = tuple(row[:-1])
        if key in printed:
            raise InputError(f"a second cell {', '.join(key)}", path=path, line=number)
        printed[key] = row[-1]
    return printed


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table; a row with another number of fields than the header is a bug."""
    with writing(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            if len(row) != len(header):
                raise ValueError(f"{len(row)} fields for {len(header)} columns of {path}")
            writer.writerow(row)


@dataclass(frozen=True)
class Cell:
    """One cell of a table: our number as the table shows it, and where it comes from."""

    ours: str
    signature: str
    # Why it cannot be compared with the printed one; without a number, why there is none.
    caveat: str = ""
    # For what is no number: what differs, in words.
    difference: str | None = None


Printed = dict[tuple[str, ...], str]
Cells = dict[tuple[str, ...], Cell]


def write_comparison(
    path: Path,
    keys: Sequence[str],
    printed: Printed,
    ours: Cells,
    *,
    scale: Literal["demo", "open", "paper"] | None = None,
) -> None:
    """Write one line per cell that is printed or ours: printed cells in their order, then the others.

    The difference is ours minus printed, of the numbers as they stand there; against a range such as 60-70 it
    is the distance to its nearer end. `scale` is that of the run, for leaves whose data depend on it: only
    numbers of the scale `paper` can be compared with the printed ones. Leaves from released data have none.
    """
    rows: list[list[str]] = []
    for key in dict.fromkeys([*printed, *ours]):
        cell, theirs = ours.get(key, Cell("", "")), printed.get(key, "")
        if scale not in (None, "paper"):
            comparable = f"no: {scale}"
        elif not theirs:
            comparable = "no: not printed"
        elif not cell.ours:
            reason = cell.caveat or ("not in the released data" if scale is None else "not computed")
            comparable = f"no: {reason}"
        else:
            comparable = f"no: {cell.caveat}" if cell.caveat else "yes"
        gap = cell.difference
        if gap is None:
            gap = difference(cell.ours, theirs) if cell.ours and theirs else ""
        rows.append([*key, theirs, cell.ours, gap, comparable, cell.signature])
    write_csv(path, (*keys, *COMPARED), rows)


def difference(ours: str, printed: str) -> str:
    """Ours minus printed, exactly, of two numbers as they are written; for a range see `write_comparison`."""
    low, _, high = printed.partition("-") if printed[:1].isdigit() else (printed, "", "")
    mine = Decimal(ours)
    bounds = [Decimal(low), Decimal(high or low)]
    gap = mine - min(max(mine, bounds[0]), bounds[1])
    return str(abs(gap)) if gap == 0 else str(gap)


def rounded(value: float, decimals: int) -> str:
    """A number with fixed decimals; -0.00 is 0.00."""
    text = f"{value:.{decimals}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def cut(value: float, decimals: int) -> str:
    """A number without what follows its last decimal: 0.5378 is 0.537 and -0.957 is -0.95."""
    # Of the shortest decimal number that is this float, so that 0.29 stays 0.29.
    exact = Decimal(repr(value))
    kept = exact.quantize(Decimal(1).scaleb(-decimals), rounding="ROUND_DOWN")
    return str(abs(kept)) if kept == 0 else str(kept)


def signature(path: Path, **facts: object) -> str:
    """Which bytes a number was computed from, and how: `af_test.csv@3411dbdaafc7|n:500|std:population`."""
    parts = [f"{path.name}@{digest(path)[:12]}", *(f"{name}:{value}" for name, value in facts.items())]
    return "|".join(parts)
