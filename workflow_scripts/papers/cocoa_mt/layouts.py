"""What the leaves of CoCoA-MT share: keys and columns of tables, values on disk, how numbers are written."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, writing


@dataclass(frozen=True)
class Layout:
    """A table: what names its rows, and its columns with their decimals."""

    keys: tuple[str, ...]
    decimals: dict[str, int]


LAYOUTS = {
    # Table 2: segments of the training and test data, BLEU between the references of the test data.
    "table2": Layout(("lang",), {"train": 0, "test": 0, "overlap": 1}),
    # Table 3: marked phrases and tokens of the formal training references; shares in per cent of all tokens.
    "table3": Layout(
        ("lang",),
        {
            "phrases_unique": 0,
            "phrases_total": 0,
            "tokens_unique": 0,
            "tokens_total": 0,
            "verbs": 1,
            "pronouns": 1,
        },
    ),
    # Table 12: per cent of the segments.
    "table12": Layout(("lang",), {"train": 0, "test": 0}),
    # Table 6's columns, for the references themselves: accuracy in per cent, segments per label.
    "m-acc": Layout(
        ("lang", "domains", "mode", "references"),
        {"m_acc": 1, "formal": 0, "informal": 0, "neutral": 0, "other": 0, "malformed": 0},
    ),
}

Key = tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """A cell's number with its signature; without a number, the reason why there is none."""

    number: float | None
    signature: str
    reason: str = ""


def write_values(path: Path, layout: Layout, values: dict[Key, Value]) -> None:
    """Write values, keyed by the layout's keys and a column: one line each, six decimals."""
    with writing(path) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*layout.keys, "metric", "value", "signature", "reason"])
        for key, value in values.items():
            number = "" if value.number is None else f"{value.number:.6f}"
            writer.writerow([*key, number, value.signature, value.reason])


def read_values(paths: Iterable[Path], layout: Layout) -> dict[Key, Value]:
    """The values of several files, in their order; InputError for a second value of a cell."""
    values: dict[Key, Value] = {}
    for path in paths:
        for key, row, number in read_cells(path, layout, ("value", "signature", "reason")):
            if key in values:
                raise InputError(f"a second value of {', '.join(key)}", path=path, line=number)
            value = _number(row["value"], path, number) if row["value"] else None
            values[key] = Value(value, row["signature"], row["reason"])
    return values


def read_printed(path: Path, layout: Layout) -> dict[Key, str]:
    """The printed numbers as they stand in the paper; InputError for a second one or one that is none."""
    cells: dict[Key, str] = {}
    for key, row, number in read_cells(path, layout, ("printed",)):
        _number(row["printed"], path, number)
        if key in cells:
            raise InputError(f"a second cell {', '.join(key)}", path=path, line=number)
        cells[key] = row["printed"]
    return cells


def read_cells(
    path: Path, layout: Layout, columns: Sequence[str]
) -> Iterable[tuple[Key, dict[str, str], int]]:
    """Cells of a CSV: keys and column, the whole row, its line; InputError for a row that is no cell."""
    needed = [*layout.keys, "metric", *columns]
    reader = csv.DictReader(lines(path), strict=True)
    try:
        if list(reader.fieldnames or []) != needed:
            raise InputError(f"the columns are not {', '.join(needed)}", path=path, line=1)
        for row in reader:
            if None in row or None in row.values():
                raise InputError(f"not {len(needed)} fields", path=path, line=reader.line_num)
            if row["metric"] not in layout.decimals:
                raise InputError(f"unknown metric '{row['metric']}'", path=path, line=reader.line_num)
            yield tuple(row[name] for name in (*layout.keys, "metric")), row, reader.line_num
    except csv.Error as error:
        raise InputError(f"no CSV ({error})", path=path, line=reader.line_num) from None


def _number(text: str, path: Path, line: int) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise InputError(f"'{text}' is not a number", path=path, line=line)
    return number


def rounded(number: float | None, decimals: int) -> str:
    """A number with fixed decimals, halves away from zero as in print (10.5 is 11); no number is empty."""
    if number is None:
        return ""
    # Six decimals, as on disk: what a division left behind them does not decide a half.
    text = str(Decimal(f"{number:.6f}").quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP))
    return text.removeprefix("-") if float(text) == 0 else text
