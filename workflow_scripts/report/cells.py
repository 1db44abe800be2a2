"""A leaf's table with the printed number in each cell, matched by the names of rows and columns alone.

A comparison has one line per cell: keys that name it, then `printed`, `ours`, `difference`, `comparable`.
Keys that are columns of the table name the row; the others, joined by underscores, name the column
(`metric` and `lang` name `self_bleu_pt`). A line without a cell, or whose cell contains another number,
is listed separately: no printed number is set beside a number that it does not belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from workflow_scripts.report.layout import NUMBER, Table

DIGEST = re.compile(r"[0-9a-f]{12}")
# The text between two numbers of one cell.
BETWEEN = " ± "
# Values of a comparison that describe the mark of a number: whether it has a star, and its colour.
STARS = frozenset(("yes", "no", ""))
COLOURS = frozenset(("blue", "red", "none", ""))

Place = tuple[int, int]


@dataclass(frozen=True)
class Line:
    """One line of a comparison."""

    keys: dict[str, str]
    printed: str
    ours: str
    difference: str
    comparable: str
    signature: str = ""
    interval: tuple[str, str] | None = None
    # For a cell such as `1.5 ± 0.2`: the line of each of its numbers.
    parts: tuple[Line, ...] = ()

    @property
    def gap(self) -> float | None:
        """The difference as a number; None if there is none, or if it is in words."""
        return float(self.difference.rstrip("%")) if NUMBER.fullmatch(self.difference) else None

    @property
    def flag(self) -> bool:
        """Whether the line describes the mark of a number, rather than a number."""
        values = {self.ours, self.printed}
        return (values <= STARS or values <= COLOURS) and values != {""}

    @property
    def equal(self) -> bool:
        """Whether ours is the printed value."""
        return self.gap == 0 or self.difference == "same"


@dataclass
class Grid:
    """A table, the lines that belong to its cells, and the lines that have no cell in it."""

    table: Table
    lines: dict[Place, Line] = field(default_factory=dict)
    rest: list[Line] = field(default_factory=list)
    # Rows that only the printed table has, below ours.
    printed_rows: int = 0


# The columns that every comparison has after its keys.
COMPARED = ("printed", "ours", "difference", "comparable")


def parse(comparison: Table) -> list[Line]:
    """The lines of a comparison."""
    header = comparison.header
    end = header.index("printed")
    lines = []
    for row in comparison.rows:
        named = dict(zip(header, row, strict=True))
        low, high = named.get("ci_low", ""), named.get("ci_high", "")
        lines.append(
            Line(
                keys=dict(zip(header[:end], row[:end], strict=True)),
                printed=named["printed"],
                ours=named["ours"],
                difference=named["difference"],
                comparable=named["comparable"],
                signature=named.get("signature", ""),
                interval=(low, high) if low and high else None,
            )
        )
    return lines


def match(table: Table, lines: Sequence[Line]) -> Grid:
    """Set each line beside its cell."""
    grid = Grid(Table(table.header, [list(row) for row in table.rows]))
    if not lines:
        return grid
    keys = list(lines[0].keys)
    by_name = [key for key in keys if key in table.header]
    if by_name and len(set(zip(*(table.column(key) for key in by_name), strict=True))) < len(table.rows):
        grid.rest = list(lines)
        return grid
    rows = _Rows(grid.table, lines, by_name)
    places: dict[Place, list[Line]] = {}
    for line in lines:
        row = rows(line)
        column = None if row is None else _column(grid.table, row, line, by_name, lines)
        if row is None or column is None:
            grid.rest.append(line)
        else:
            places.setdefault((row, column), []).append(line)
    for place, members in places.items():
        text = grid.table.rows[place[0]][place[1]]
        numbers = [line for line in members if not line.flag]
        if len(members) == 1 and BETWEEN not in text and not text.endswith("*"):
            grid.lines[place] = members[0]
        elif [line.ours.lstrip("+") for line in numbers] == _pieces(text):
            grid.lines[place] = _joined(numbers, members, keys)
        else:
            # Several lines for one cell: its name is ambiguous.
            grid.rest += members
    _add_printed_rows(grid, by_name)
    order = {id(line): number for number, line in enumerate(lines)}
    grid.rest.sort(key=lambda line: order[id(line)])
    return grid


def _bare(name: str) -> str:
    """A row's name without our addition to the paper's name: `human (simulated)` is `human`."""
    return re.sub(r" \([a-z ]+\)$", "", name)


class _Rows:
    """Finds the row of a line: by its keys, or, with no key among the columns, by the order of one key."""

    def __init__(self, table: Table, lines: Sequence[Line], by_name: list[str]) -> None:
        self.by_name = by_name
        self.places: dict[tuple[str, ...], int] = {}
        self.ordered = ""
        if by_name:
            names = list(zip(*(table.column(key) for key in by_name), strict=True))
            self.places = {tuple(map(_bare, name)): number for number, name in enumerate(names)}
            self.places |= {name: number for number, name in enumerate(names)}
            return
        for key in lines[0].keys:
            values = list(dict.fromkeys(line.keys[key] for line in lines))
            others = {_name(v for k, v in line.keys.items() if k != key) for line in lines}
            if len(values) == len(table.rows) and others and others <= set(table.header):
                self.ordered = key
                self.places = {(value,): number for number, value in enumerate(values)}
                return

    def __call__(self, line: Line) -> int | None:
        keys = self.by_name or ([self.ordered] if self.ordered else [])
        return self.places.get(tuple(line.keys[key] for key in keys)) if keys else None


def _column(table: Table, row: int, line: Line, by_name: list[str], lines: Sequence[Line]) -> int | None:
    """The column that the other keys name, if that cell contains the line's number."""
    values = [value for key, value in line.keys.items() if key not in by_name and value]
    if not values:
        return _only_column(table, by_name, lines)
    for name in _names(values):
        for place, column in enumerate(table.header):
            if column.lower() == name and column not in by_name and agrees(table.rows[row][place], line.ours):
                return place
    return None


def _names(values: list[str]) -> Iterator[str]:
    """Possible names of a column: all values in their order, then fewer of them."""
    for size in range(len(values), 0, -1):
        for chosen in combinations(values, size):
            yield _name(chosen)
            if size == 2:
                yield _name(reversed(chosen))


def _name(values: Iterable[str]) -> str:
    return "_".join(values).lower().replace(" ", "_")


def _only_column(table: Table, by_name: list[str], lines: Sequence[Line]) -> int | None:
    """The only column that contains all lines' numbers."""
    names = list(zip(*(table.column(key) for key in by_name), strict=True))
    ours = {tuple(line.keys[key] for key in by_name): line.ours for line in lines}
    places = [
        place
        for place, column in enumerate(table.header)
        if column not in by_name
        and all(agrees(row[place], ours.get(name, "")) for name, row in zip(names, table.rows, strict=True))
    ]
    return places[0] if len(places) == 1 else None


def _pieces(text: str) -> list[str]:
    """The numbers of a cell such as `+1.5 ± 0.2*`."""
    return [part.lstrip("+") for part in text.rstrip("*").split(BETWEEN)]


def _joined(lines: list[Line], parts: list[Line], keys: list[str]) -> Line:
    """One line for a cell with several numbers, or a star: the difference is that of the first number."""
    first = lines[0]
    same = [key for key in keys if len({line.keys[key] for line in lines}) == 1]
    return replace(
        first,
        keys={key: first.keys[key] for key in same},
        printed=BETWEEN.join(line.printed for line in lines if line.printed),
        ours=BETWEEN.join(line.ours for line in lines),
        difference="" if first.equal and not all(line.equal for line in parts) else first.difference,
        parts=tuple(parts),
    )


def agrees(shown: str, ours: str) -> bool:
    """Whether a field of the table is a comparison's number: the same text, or the same once rounded.

    Where a text may not be printed beside ours, the comparison contains twelve digits of its SHA-256.
    """
    if shown == ours or DIGEST.fullmatch(ours):
        return True
    if BETWEEN in shown or shown.endswith("*"):
        star = "yes" if shown.endswith("*") else "no"
        return ours in (star, *COLOURS) or ours.lstrip("+") in _pieces(shown)
    if NUMBER.fullmatch(shown) and NUMBER.fullmatch(ours):
        decimals = len(ours.rstrip("%").partition(".")[2])
        return abs(float(shown.rstrip("%")) - float(ours.rstrip("%"))) <= 0.5 * 10**-decimals + 1e-9
    return False


def _add_printed_rows(grid: Grid, by_name: list[str]) -> None:
    """Rows of the printed table that ours lacks, such as a half that is not computed."""
    header = grid.table.header
    rows: dict[tuple[str, ...], list[tuple[int, Line]]] = {}
    named = list(zip(*(grid.table.column(key) for key in by_name), strict=True))
    ours = {*named, *(tuple(map(_bare, name)) for name in named)}
    filled = {column for _, column in grid.lines}
    only = filled.pop() if len(filled) == 1 else None
    for line in grid.rest:
        name = tuple(line.keys[key] for key in by_name)
        values = [value for key, value in line.keys.items() if key not in by_name and value]
        column = _name(values)
        place = header.index(column) if column in header else only if not values else None
        if by_name and name not in ours and line.printed and not line.ours and place is not None:
            rows.setdefault(name, []).append((place, line))
    for name, cells in rows.items():
        row = [""] * len(header)
        for key, value in zip(by_name, name, strict=True):
            row[header.index(key)] = value
        grid.table.rows.append(row)
        grid.printed_rows += 1
        for place, line in cells:
            grid.lines[len(grid.table.rows) - 1, place] = line
    placed = {id(line) for cells in rows.values() for _, line in cells}
    grid.rest = [line for line in grid.rest if id(line) not in placed]


def strengths(lines: Iterable[tuple[str, Line]]) -> dict[int, int]:
    """How far ours lies from the printed number, 0 to 100: id of the line -> share of its group's spread.

    The spread is the distance between the largest and the smallest printed number of the group; where they
    are all the same it is that number itself.
    """
    grouped: dict[str, list[Line]] = {}
    for group, line in lines:
        grouped.setdefault(group, []).append(line)
    shares = {}
    for members in grouped.values():
        numbers = [float(m.printed.rstrip("%")) for m in members if NUMBER.fullmatch(m.printed)]
        spread = (max(numbers) - min(numbers) or abs(numbers[0])) if numbers else 0.0
        for line in members:
            if line.gap is not None:
                shares[id(line)] = min(100, round(100 * abs(line.gap) / spread)) if spread else 100
            else:
                shares[id(line)] = 0 if line.equal or not line.difference else 100
    return shares
