"""Sheets on which a native speaker judges rewrites (Appendix H), and the reader of filled-in sheets.

A sheet is a CSV with one line per rewrite: `id`, `informal` and `formal` are given; the annotator fills in
`quality` (excellent, acceptable or poor), marks the boxes of all types of edits that the rewrite has, and may
write further types into `other`. A mark is 1, x, yes or true; an empty box, 0, no or false means no mark, in
any case. A sentence may be escaped for spreadsheets (`core.spreadsheets`). `s17r2` is the rewrite of sentence
17 (line 17) in `formal.ref2.txt`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_csv, read_keyed
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.spreadsheets import unescaped
from workflow_scripts.rewrites.labels import BOXES, QUALITIES

GIVEN = ("id", "informal", "formal")
COLUMNS = (*GIVEN, "quality", *BOXES, "other")
MARKED = frozenset({"1", "x", "yes", "true"})
UNMARKED = frozenset({"", "0", "no", "false"})


@dataclass(frozen=True)
class Judgment:
    """One annotator's judgment of one rewrite."""

    quality: str
    edits: dict[str, bool]
    other: str


def identifier(sentence: int, reference: int) -> str:
    """The id of a rewrite, which no spreadsheet converts to a number or a date."""
    return f"s{sentence}r{reference}"


def read_task(path: Path) -> dict[str, tuple[str, str]]:
    """An empty sheet: id -> informal sentence and rewrite."""
    return {row[0]: (row[1], row[2]) for _, row in read_keyed(path, COLUMNS)}


def read_sheet(path: Path, task: Mapping[str, tuple[str, str]]) -> dict[str, Judgment]:
    """A filled-in sheet of a task, in the task's order, whatever the order of its lines.

    Raises InputError, naming file and line, for an id that is not in the task or occurs twice, for sentences
    that are not the task's (ignoring white space), for a missing or unknown quality, and for an invalid
    mark; and, without a line, if rewrites of the task are missing.
    """
    judgments: dict[str, Judgment] = {}
    for number, row in read_csv(path, COLUMNS):
        name, *sentences = row[: len(GIVEN)]
        if name not in task:
            raise InputError(f"'{name}' is not in the task", path=path, line=number, fix=nearest(name, task))
        if name in judgments:
            raise InputError(f"'{name}' occurs twice", path=path, line=number, fix="keep one of its lines")
        for column, text, asked in zip(GIVEN[1:], sentences, task[name], strict=True):
            if asked.split() not in (text.split(), unescaped(text).split()):
                raise InputError(
                    f"the {column} sentence differs from the task",
                    path=path,
                    line=number,
                    fix="copy it from the task, or make the task again with the settings of this sheet",
                )
        quality, *boxes, other = row[len(GIVEN) :]
        judgments[name] = Judgment(
            _quality(quality, path, number), _marks(boxes, path, number), other.strip()
        )
    if missing := [name for name in task if name not in judgments]:
        raise InputError(
            f"{len(missing)} of {len(task)} rewrites are missing, the first is '{missing[0]}'",
            path=path,
            fix="every rewrite of the task needs a line",
        )
    return {name: judgments[name] for name in task}


def _quality(text: str, path: Path, number: int) -> str:
    quality = text.strip().lower()
    if quality not in QUALITIES:
        problem = f"'{text}' is not a quality" if quality else "no quality"
        raise InputError(problem, path=path, line=number, fix=f"give {', '.join(QUALITIES)}")
    return quality


def _marks(boxes: list[str], path: Path, number: int) -> dict[str, bool]:
    marks = {}
    for name, text in zip(BOXES, boxes, strict=True):
        mark = text.strip().lower()
        if mark not in MARKED | UNMARKED:
            raise InputError(
                f"'{text}' in the box {name} is not a mark",
                path=path,
                line=number,
                fix="give 1, or leave it empty; notes go into other",
            )
        marks[name] = mark in MARKED
    return marks
