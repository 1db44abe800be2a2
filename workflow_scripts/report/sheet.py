"""One leaf as the page shows it: rows and cells in the paper's layout, and the comparison behind them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from workflow_scripts.leaves.registry import Leaf
from workflow_scripts.report.cells import COMPARED, DIGEST, Line, match, parse, strengths
from workflow_scripts.report.figure import inline
from workflow_scripts.report.layout import (
    NUMBER,
    Column,
    Table,
    columns,
    groups,
    language_heads,
    marked,
    pretty,
    read,
    significant,
    spaced,
)
from workflow_scripts.statistics.metrics import METRICS, RATINGS

# A table with more rows than this is folded at first.
LONG = 40
# Only Table 7 has halves, each with its own heads over the same columns and its own best systems.
HALVES = {
    "automatic": {
        metric.name: f"{metric.heading or metric.label} {'↓' if metric.lower_is_better else '↑'}"
        for metric in METRICS.values()
    },
    "human": {rating.column: f"{rating.label} ↑" for rating in RATINGS.values()},
}
# Rows that are not systems, so never the best.
NOT_RANKED = ("GOLD STANDARD", "COPY")


@dataclass(frozen=True)
class Cell:
    """A cell of the table: both values as text, their formatting, and the notes on them."""

    ours: list[tuple[bool, str]]
    label: str = ""
    kind: str = "number"
    start: bool = False
    # The head of its group, in the first cell of the group; `gone` if the whole group is empty.
    group: str = ""
    gone: bool = False
    compared: bool = False
    printed: str = ""
    # ▲ higher, ▼ lower, = equal, ≠ otherwise different
    sign: str = ""
    gap: str = ""
    side: str = ""
    strength: int = 0
    star: bool = False
    best: bool = False
    printed_star: bool = False
    printed_best: bool = False
    note: str = ""
    # The number of its signature below the table; 0 if it has none.
    source: int = 0


@dataclass(frozen=True)
class Row:
    """A row: the heading above it, its name, its cells; `own` if the printed table lacks the row."""

    heading: str
    titles: list[str]
    name: str
    cells: list[Cell]
    own: bool = False


@dataclass(frozen=True)
class Detail:
    """One line of the comparison in full."""

    keys: list[str]
    line: Line
    sign: str
    side: str
    strength: int
    test: str
    # The number of its signature below the table; 0 if it has none.
    source: int


@dataclass
class Sheet:
    """A leaf: its table or figure, its comparison line by line, and a summary."""

    leaf: Leaf
    svg: str = ""
    columns: list[Column] = field(default_factory=list)
    groups: list[tuple[str, int, int]] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    row_head: str = ""
    rows: list[Row] = field(default_factory=list)
    in_place: bool = False
    long: bool = False
    keys: list[str] = field(default_factory=list)
    details: list[Detail] = field(default_factory=list)
    signatures: list[str] = field(default_factory=list)
    loose: int = 0
    tested: bool = False
    intervals: bool = False
    summary: str = ""
    badge: str = ""
    state: str = ""
    halves: bool = False
    has_tests: bool = False


def sheet(leaf: Leaf, results: Path, printed: Path, languages: Path, scale: str) -> Sheet:
    """Read the files of a leaf and lay them out.

    :param leaf: from the registry
    :param results: folder with the leaves
    :param printed: folder with the printed tables
    :param languages: CSV: code and label of each language
    :param scale: of the run
    """
    table = read(results / f"{leaf.name}.csv")
    comparison = results / f"{leaf.name}.compare.csv"
    lines = parse(read(comparison, COMPARED)) if comparison.exists() else []
    grid = match(table, lines)
    shown = columns(grid.table, language_heads(languages, leaf.scaled))
    result = Sheet(leaf)
    if leaf.kind == "figure":
        result.svg = inline(results / f"{leaf.name}.svg", leaf.anchor)
    result.in_place = len(grid.lines) > 0
    result.loose = len(grid.rest)
    marks = _marks(printed / leaf.printed)
    places = _places(grid.lines)
    strength = strengths((_group(line, shown, place), line) for line, place in _placed(places, lines))
    sources = {text: number for number, text in enumerate(_signatures(lines), 1)}
    _lay_out(result, grid.table, shown, grid.lines, strength, marks, sources)
    _list(result, lines, grid.table, shown, places, strength, sources)
    result.summary, result.badge, result.state = summary(leaf, lines, scale)
    result.long = len(result.rows) > LONG
    return result


def _signatures(lines: Sequence[Line]) -> list[str]:
    """The different signatures of a comparison, in the order of its lines."""
    return list(dict.fromkeys(line.signature for line in lines if line.signature))


def _placed(
    places: dict[int, tuple[int, int]], lines: Sequence[Line]
) -> list[tuple[Line, tuple[int, int] | None]]:
    return [(line, places.get(id(line))) for line in lines]


def _places(cells: dict[tuple[int, int], Line]) -> dict[int, tuple[int, int]]:
    """The cell of each line of a comparison, by the line's id."""
    return {id(part): place for place, line in cells.items() for part in line.parts or (line,)}


def _group(line: Line, shown: Sequence[Column], place: tuple[int, int] | None) -> str:
    """The group whose spread scales a difference: a metric, or the columns under one head, in each half."""
    half = line.keys.get("section", "")
    if "metric" in line.keys:
        return f"{half} {line.keys['metric']}"
    column = next((c for c in shown if place and c.place == place[1]), None)
    return f"{half} {column.group if column else ''}"


def _marks(path: Path) -> dict[tuple[str, ...], tuple[bool, bool]]:
    """The significant and the bold printed numbers, if the printed table marks them."""
    if not path.exists():
        return {}
    table = read(path)
    if not {"significant", "bold", "printed"} <= set(table.header):
        return {}
    end = table.header.index("printed")
    star, bold = table.header.index("significant"), table.header.index("bold")
    return {tuple(row[:end]): (row[star] == "yes", row[bold] == "yes") for row in table.rows}


def _lay_out(
    result: Sheet,
    table: Table,
    shown: list[Column],
    lines: dict[tuple[int, int], Line],
    strength: dict[int, int],
    marks: dict[tuple[str, ...], tuple[bool, bool]],
    sources: dict[str, int],
) -> None:
    """Rows and cells: the last of the leading word columns names a row, those before it are headings."""
    leading = 1
    while leading < len(shown) - 1 and shown[leading].kind == "word" and not _compared(lines, shown[leading]):
        leading += 1
    # With several such columns, the first is a heading if few rows change it; the others are a row's name.
    first = table.column(shown[0].name)
    runs = sum(a != b for a, b in pairwise(first)) + 1
    heading = leading > 1 and runs == len(set(first)) and runs * 2 <= max(len(first), 2)
    named, rest = shown[1 if heading else 0 : leading], shown[leading:]
    result.halves = (
        heading and shown[0].name == "section" and {half_of(name) for name in first} <= set(HALVES)
    )
    result.row_head = ", ".join(column.head for column in named)
    result.columns, result.groups = rest, groups(rest)
    result.has_tests = any(column.tests is not None for column in rest)
    best = _best(table, rest, first) if result.halves else {}
    starts = {start for _, start, _ in result.groups} if any(name for name, _, _ in result.groups) else set()
    before, first_half = None, first[0] if first else ""
    if result.halves:
        result.titles = [HALVES[half_of(first_half)].get(name, pretty(name)) for name, _, _ in result.groups]
    else:
        result.titles = [pretty(name) if name else "" for name, _, _ in result.groups]
    for number, row in enumerate(table.rows):
        here = row[shown[0].place] if heading else ""
        titles = []
        # The head of the table is that of its first half.
        if result.halves and here not in (first_half, before):
            titles = [HALVES[half_of(here)].get(name, pretty(name)) for name, _, _ in result.groups]
        cells = []
        for place, column in enumerate(rest):
            line = lines.get((number, column.place))
            mark = marks.get(tuple(line.keys.values()), (False, False)) if line else (False, False)
            if line and any(part.flag and part.printed == "yes" for part in line.parts):
                mark = (True, mark[1])
            text = row[column.place]
            is_best = bool(text) and best.get((here, column.name)) == text and row[1] not in NOT_RANKED
            cell = _cell(text, line, column, row, strength, mark, best=is_best)
            group = HALVES[half_of(here)].get(column.group, "") if result.halves else pretty(column.group)
            begins = place in starts
            source = sources.get(line.signature, 0) if line else 0
            group = group if begins else ""
            cells.append(replace(cell, label=column.head, start=begins, group=group, source=source))
        for _, start, length in result.groups if starts else ():
            members = cells[start : start + length]
            if not any(cell.ours or cell.printed for cell in members):
                cells[start : start + length] = [replace(cell, gone=True) for cell in members]
        own = bool(lines) and not any(
            line.printed for column in rest if (line := lines.get((number, column.place)))
        )
        name = " · ".join(filter(None, (row[column.place] for column in named)))
        result.rows.append(
            Row(here if here != before else "", titles, name, cells, own=own and result.halves)
        )
        before = here


def half_of(name: str) -> str:
    """`human` of `human (simulated)`."""
    return name.partition(" (")[0]


def _compared(lines: dict[tuple[int, int], Line], column: Column) -> bool:
    return any(place == column.place for _, place in lines)


def _cell(
    text: str,
    line: Line | None,
    column: Column,
    row: list[str],
    strength: dict[int, int],
    mark: tuple[bool, bool],
    *,
    best: bool,
) -> Cell:
    kind = column.kind if column.kind != "word" or not NUMBER.fullmatch(text) else "number"
    # Only this column is marked: labels and sentences may contain such brackets too.
    shown = marked(text) if column.name == "marked" else [(False, text)] if text else []
    parts = [(strong, spaced(part)) for strong, part in shown]
    test = row[column.tests] if column.tests is not None else ""
    star = significant(test)
    if line is None:
        return Cell(parts, kind=kind, star=star, best=best)
    sign, side = _sign(line)
    # Digests replace texts that may not be copied: only the result of their comparison is shown.
    hidden = bool(DIGEST.fullmatch(line.printed))
    gap = spaced(line.difference.lstrip("+-")) if line.gap else ""
    if line.gap is None and line.difference and not line.equal:
        gap = line.difference
    return Cell(
        parts,
        kind=kind,
        compared=bool(line.printed),
        printed="" if hidden else spaced(line.printed),
        sign=sign,
        gap=gap,
        side=side,
        strength=strength[id(next((part for part in line.parts if not part.flag), line))],
        star=star,
        best=best,
        printed_star=mark[0],
        printed_best=mark[1],
        note=_note(line, test, hidden),
    )


def _sign(line: Line) -> tuple[str, str]:
    """The shape and side of a difference; both empty if the values cannot be compared."""
    if line.comparable != "yes":
        return "", ""
    if line.equal:
        return "=", "same"
    if line.gap is not None:
        return ("▲", "higher") if line.gap > 0 else ("▼", "lower")
    return ("≠", "other") if line.difference else ("", "")


def _note(line: Line, test: str, hidden: bool) -> str:
    """The tooltip of a cell; the list of all cells says the same."""
    parts = [", ".join(filter(None, line.keys.values()))]
    if line.ours and not hidden:
        bounds = f" [{line.interval[0]}, {line.interval[1]}]" if line.interval else ""
        parts.append(f"ours {line.ours}{bounds}")
    if line.printed and not hidden:
        parts.append(f"printed {line.printed}")
    if line.difference:
        parts.append(f"difference {line.difference}")
    if test:
        parts.append(f"p {test}")
    parts += filter(None, (line.signature,))
    return " · ".join(parts)


def _best(table: Table, rest: list[Column], halves: list[str]) -> dict[tuple[str, str], str]:
    """Our best number of each column in each half, without rows that are not systems."""
    best = {}
    for half in dict.fromkeys(halves):
        for column in rest:
            numbers = [
                row[column.place]
                for row in table.rows
                if row[0] == half and row[1] not in NOT_RANKED and NUMBER.fullmatch(row[column.place])
            ]
            choose = min if HALVES[half_of(half)].get(column.group, "").endswith("↓") else max
            if numbers:
                best[half, column.name] = choose(numbers, key=float)
    return best


def _list(
    result: Sheet,
    lines: Sequence[Line],
    table: Table,
    shown: Sequence[Column],
    places: dict[int, tuple[int, int]],
    strength: dict[int, int],
    sources: dict[str, int],
) -> None:
    """Every line of the comparison, with a number for its signature."""
    if not lines:
        return
    tests = {column.place: column.tests for column in shown if column.tests is not None}
    result.keys = [pretty(key) for key in lines[0].keys]
    for line in lines:
        row, column = places.get(id(line), (-1, -1))
        test = table.rows[row][tests[column]] if column in tests else ""
        source = sources.get(line.signature, 0)
        sign, side = _sign(line)
        result.details.append(
            Detail(list(line.keys.values()), line, sign, side, strength[id(line)], test, source)
        )
    result.signatures = list(sources)
    result.tested = any(detail.test for detail in result.details)
    result.intervals = any(line.interval for line in lines)


def summary(leaf: Leaf, lines: Sequence[Line], scale: str) -> tuple[str, str, str]:
    """The result of the comparison with the printed numbers: a sentence, a short badge, and a CSS class.

    All are empty for a leaf whose numbers depend on the scale if the run is below the paper's scale: the page
    says once per paper that such leaves cannot be compared.
    """
    printed = [line for line in lines if line.printed]
    if not printed:
        return "The paper prints no numbers for it.", "no printed numbers", "none"
    if leaf.scaled and scale != "paper":
        return "", "", ""
    compared = [line for line in printed if line.comparable == "yes"]
    equal = sum(line.equal for line in compared)
    text = f"{len(compared)} of {len(printed)} printed values can be compared; {equal} of them are equal."
    if not compared:
        text = f"{len(printed)} printed values, none of which can be compared."
    reasons: dict[str, int] = {}
    for line in printed:
        if line.comparable != "yes":
            reason = line.comparable.removeprefix("no: ")
            reasons[reason] = reasons.get(reason, 0) + 1
    if reasons:
        text += " Not compared: " + "; ".join(f"{count} ({why})" for why, count in reasons.items()) + "."
    if not compared:
        return text, "not comparable", "none"
    return text, f"{equal} of {len(compared)} equal", "all" if equal == len(compared) else "some"
