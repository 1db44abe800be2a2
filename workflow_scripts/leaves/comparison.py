"""Comparisons of leaves with the printed tables: `X.compare.csv`, one line per printed or computed cell.

Every leaf has the same columns: the keys that identify a cell, printed, ours, difference, ci_low and ci_high
(if there are intervals), comparable, signature. Printed cells come first, in the paper's order. A number
that only one side has leaves the other side's field empty.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Literal

from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError

Scale = Literal["demo", "open", "paper"]
# A number, or a range of two unsigned numbers.
PRINTED = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?|[0-9]+(\.[0-9]+)?-[0-9]+(\.[0-9]+)?")
INTERVAL = ("ci_low", "ci_high")


@dataclass(frozen=True)
class Cell:
    """One cell of a table: our number or word as the table shows it, and its origin."""

    ours: str
    signature: str
    # Why this number cannot be compared with the printed one, or why the cell is empty.
    caveat: str = ""
    # The difference in words, for a cell that is not a number.
    difference: str | None = None
    # The bounds of the confidence interval, formatted as in the table.
    interval: tuple[str, str] = ("", "")


class Printed(dict[tuple[str, ...], str]):
    """A printed table, as a mapping from keys to numbers as printed."""

    def __init__(self, cells: Mapping[tuple[str, ...], str] | None = None) -> None:
        super().__init__(cells or {})
        # For each key, why the printed cell is not comparable with ours in any run.
        self.caveats: dict[tuple[str, ...], str] = dict(getattr(cells, "caveats", {}))


Cells = dict[tuple[str, ...], Cell]


def read_printed(path: Path, *keys: str, words: Collection[str] = ()) -> Printed:
    """Read a printed table: keys -> the number as printed, or a range of two numbers such as 60-70.

    Cells of some leaves contain one of `words` instead of a number. A column `caveat` describes what the
    paper leaves open about a cell, so that no number is comparable with it. Further columns, such as the
    marks `significant` and `bold`, are for the page. Raises InputError, with the line number, for a repeated
    key and for any other text in a cell.
    """
    printed = Printed()
    for number, row in read_rows(path, (*keys, "printed")):
        key = tuple(row[name] for name in keys)
        if key in printed:
            raise InputError(f"a second cell {', '.join(key)}", path=path, line=number)
        if row["printed"] not in words and not PRINTED.fullmatch(row["printed"]):
            raise InputError(
                f"printed cell {', '.join(key)}: '{row['printed']}' is not a number", path=path, line=number
            )
        printed[key] = row["printed"]
        if row.get("caveat"):
            printed.caveats[key] = row["caveat"]
    return printed


def write_comparison(
    path: Path,
    keys: Sequence[str],
    printed: Mapping[tuple[str, ...], str],
    ours: Cells,
    *,
    scale: Scale | None = None,
    intervals: bool = False,
    order: Sequence[tuple[str, ...]] = (),
) -> None:
    """Write one line per cell: printed cells in their order, then the others; or all cells in `order`.

    The difference is our number minus the printed one, both rounded; for a printed range such as 60-70 it is
    the signed distance from the nearer end, and 0 inside the range. `comparable` is `yes`, or `no` with all
    reasons, the caveat of the printed cell last: `no: demo, simulated raters`. `scale` is the scale of the
    run for leaves whose data depend on it, and None for leaves of released data. Only numbers of the scale
    `paper` are comparable with the printed ones. Raises InputError if our cell is a number and the printed
    one is not.
    """
    rows: list[list[str]] = []
    caveats = printed.caveats if isinstance(printed, Printed) else {}
    for key in order or dict.fromkeys([*printed, *ours]):
        cell, theirs = ours.get(key, Cell("", "")), printed.get(key, "")
        gap = cell.difference
        if gap is None:
            gap = _gap(key, cell.ours, theirs) if cell.ours and theirs else ""
        bounds = cell.interval if intervals else ()
        comparable = _comparable(cell, theirs, scale, caveats.get(key, "") if cell.ours else "")
        rows.append([*key, theirs, cell.ours, gap, *bounds, comparable, cell.signature])
    interval_columns = INTERVAL if intervals else ()
    write_csv(
        path, (*keys, "printed", "ours", "difference", *interval_columns, "comparable", "signature"), rows
    )


def _gap(key: tuple[str, ...], ours: str, printed: str) -> str:
    try:
        return difference(ours, printed)
    except InvalidOperation:
        raise InputError(f"printed cell {', '.join(key)}: '{printed}' is not a number") from None


def _comparable(cell: Cell, printed: str, scale: Scale | None, caveat: str) -> str:
    """Return `yes`, or `no` with the reasons; `caveat` belongs to the printed cell."""
    reasons = []
    if scale not in (None, "paper"):
        reasons.append(str(scale))
    elif not printed:
        reasons.append("not printed")
    elif not cell.ours and not cell.caveat:
        reasons.append("not in the released data" if scale is None else "not computed")
    reasons += filter(None, (cell.caveat, caveat))
    return f"no: {', '.join(reasons)}" if reasons else "yes"


def difference(ours: str, printed: str) -> str:
    """The exact difference of two numbers as text, ours minus printed; for ranges see `write_comparison`."""
    # A leading hyphen is a sign, not the hyphen of a range.
    ends = [Decimal(end) for end in (printed.split("-") if printed[:1].isdigit() else [printed])]
    our_number = Decimal(ours)
    gap = our_number - min(max(our_number, ends[0]), ends[-1])
    return str(abs(gap)) if gap == 0 else str(gap)
