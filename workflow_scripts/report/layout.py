"""Any leaf's table: its columns in groups, their heads, which contain text, and how numbers are set."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path

from workflow_scripts.core.csv_files import header_of, read_csv, read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.statistics.metrics import METRICS, Bleu, MAcc, Metric

NUMBER = re.compile(r"[-+]?\d+(\.\d+)?%?")
# Numbers with an annotation, such as 1.5 ± 0.2 or 60-70.
NUMBERS = re.compile(rf"{NUMBER.pattern}(?: ± {NUMBER.pattern}|-\d+)?\*?")
NAMED: tuple[type[Metric], ...] = (*METRICS.values(), Bleu, MAcc)
# Heads of columns that are not spelt as their names.
WORDS = {
    **{metric.name: metric.label for metric in NAMED},
    "gyafc": "GYAFC",
    "opensubtitles": "OpenSubtitles",
    "yahoo": "Yahoo",
    "lang": "language",
    "icc": "ICC",
    "led": "LeD",
    "sd": "std. dev.",
    "std": "std. dev.",
    "p": "p",
    "n": "n",
    "marked": "text",
}
SIGNIFICANT = 0.05
# The languages of the papers whose data are released; those of the workflow have a table of their own.
RELEASED = ["af", "de", "en", "es", "fr", "hi", "hu", "it", "ja", "ko", "nl", "pt", "ru", "ta", "vi"]


@dataclass(frozen=True)
class Table:
    """A CSV as it is: names of columns, and rows of as many fields."""

    header: list[str]
    rows: list[list[str]]

    def column(self, name: str) -> list[str]:
        """All fields of a column."""
        place = self.header.index(name)
        return [row[place] for row in self.rows]


@dataclass(frozen=True)
class Column:
    """A column of the table as it is shown: its place in the CSV, and its head in two lines."""

    name: str
    place: int
    # Columns side by side with the same group share the upper line of the head.
    group: str
    head: str
    kind: str
    # The column with the p-values of its numbers, if there is one.
    tests: int | None = None

    @property
    def label(self) -> str:
        """The head in one line."""
        return " ".join(filter(None, (pretty(self.group) if self.group else "", self.head)))


def read(path: Path, needed: Sequence[str] = ()) -> Table:
    """Any CSV with a header; InputError if it is empty, lacks a column, or has a row of another length."""
    header = header_of(path)
    if missing := [name for name in needed if name not in header]:
        raise InputError(f"no column {', '.join(missing)}", path=path, line=1)
    return Table(header, [row for _, row in read_csv(path, header)])


def language_heads(path: Path, own: bool) -> dict[str, str]:
    """The form of each language in a head: its code, or with `own` the form used in XFORMAL."""
    labels = {row["code"]: row["label"] for _, row in read_rows(path, ("code", "label"))}
    codes = [*RELEASED, *labels]
    return {code: labels.get(code, code.upper()) if own else code.upper() for code in codes}


def columns(table: Table, languages: dict[str, str]) -> list[Column]:
    """The columns that are shown, with their heads.

    `<metric>_<language>` is a group of languages if at least two columns have such a name; `<name>_p` beside
    `<name>` contains its p-values and is not shown as a column; `marked` is `text` with marks, in its place.

    :param table: a leaf
    :param languages: codes that may end a column's name -> how they are written
    """
    parts = {name: name.rpartition("_") for name in table.header}
    # The heads that change less often are on top: metrics over languages, or languages over metrics.
    named = [(group, end) for group, _, end in parts.values() if group and end in languages]
    by_language = len(list(groupby(named, itemgetter(1)))) < len(list(groupby(named, itemgetter(0))))
    several = sum(group != "" and end in languages for group, _, end in parts.values()) > 1
    shown = []
    for place, name in enumerate(table.header):
        if (name.endswith("_p") and name[:-2] in table.header) or (
            name == "text" and "marked" in table.header
        ):
            continue
        group, _, end = parts[name]
        tests = table.header.index(f"{name}_p") if f"{name}_p" in table.header else None
        # A number that names something is a word.
        kind = "word" if name == "id" else kind_of(row[place] for row in table.rows)
        if several and group and end in languages:
            upper, lower = group, languages[end]
            if by_language:
                upper, lower = languages[end], pretty(group)
            shown.append(Column(name, place, upper, lower, kind, tests))
        elif name in languages:
            shown.append(Column(name, place, "", languages[name], kind, tests))
        else:
            shown.append(Column(name, place, "", pretty(name), kind, tests))
    return shown


def kind_of(fields: Iterable[str]) -> str:
    """`number`, `word` or `text`: text is long, and needs a wide column."""
    filled = [field for field in fields if field]
    if not filled or all(NUMBERS.fullmatch(field) for field in filled):
        return "number"
    return "text" if max(map(len, filled)) > 40 else "word"


def groups(shown: Sequence[Column]) -> list[tuple[str, int, int]]:
    """Runs of columns with one upper head: (group, first place among the shown, number of columns)."""
    runs, start = [], 0
    for name, run in groupby(shown, key=lambda column: column.group):
        length = len(list(run))
        runs.append((name, start, length))
        start += length
    return runs


def pretty(name: str) -> str:
    """A column's name in words."""
    if name in WORDS:
        return WORDS[name]
    return " ".join(WORDS.get(part, part) for part in name.split("_"))


def spaced(number: str) -> str:
    """A long whole number in groups of three digits, and a real minus sign; anything else as it is."""
    if " ± " in number and NUMBERS.fullmatch(number):
        star = "*" if number.endswith("*") else ""
        return "\u00a0±\u00a0".join(map(spaced, number.rstrip("*").split(" ± "))) + star
    if not NUMBER.fullmatch(number):
        return number
    sign, digits = ("−", number[1:]) if number[0] == "-" else ("", number)
    whole, dot, rest = digits.partition(".")
    if whole.isdigit() and len(whole) > 4:
        whole = f"{int(whole):,}".replace(",", "\u202f")
    return sign + whole + dot + rest


def marked(text: str) -> list[tuple[bool, str]]:
    """A text with emphasised `[[words]]`: (whether emphasised, part) from left to right."""
    parts = re.split(r"\[\[(.*?)\]\]", text)
    return [(place % 2 == 1, part) for place, part in enumerate(parts) if part]


def significant(p: str) -> bool:
    """Whether a p-value of a table is below 0.05; a spreadsheet may have written it in per cent."""
    if not NUMBER.fullmatch(p):
        return False
    return float(p.rstrip("%")) / (100 if p.endswith("%") else 1) < SIGNIFICANT
