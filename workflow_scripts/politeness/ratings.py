"""Command: what the raters of requests sent, checked against their sheet."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import astuple, dataclass
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, shown, whole
from workflow_scripts.core.rater_files import files_by_language
from workflow_scripts.politeness.hits import TASK, Item, read_hits

# The layout of `human.ratings`, and in which HIT the item was rated.
RATINGS = ("rater", "item", "task", "value", "hit")
CHECKED = ("lang", "hit", "line", "rater", "value")
# The slider of the paper goes from -3 to 3 in steps of 0.5; a request may be marked instead.
HIGHEST, STEP = 3.0, 0.5
INVALID = "invalid"
VALUE = re.compile(r"-?[0-3](\.[05])?", re.ASCII)
# Findings that one error message lists.
SHOWN = 20


@dataclass(frozen=True)
class Judgment:
    """How polite a rater (a number) finds a request: -3 to 3, or NaN for one that is no valid request."""

    language: str
    hit: int
    place: int
    rater: int
    value: float


def ratings(out: Path, *, sheets: list[Path], folder: Path) -> None:
    """Gather the ratings of each sheet's language, and replace the raters' names by numbers.

    The files of a language are `{lang}.csv` and those whose names go on with `-`, `_`, `.` or a space, such
    as `fr-ana.csv`; other CSV files in the folder are other languages', and anything else that is not hidden
    is refused. Stops with a line for each rating (the first twenty) without a rater, of
    an item that is not on the sheet or not in its HIT, of another task, that is not on the scale, and for a
    second rating of an item by a rater. What is missing is no mistake.

    :param out: folder to write; ``{lang}.csv`` has lang (of the request), hit, line (the request's, from 1),
        rater, value (empty if invalid), in the order of the sheet
    :param sheets: ``{lang}.csv``, as `hits` wrote them
    :param folder: where the files of raters lie
    """
    fix = "politeness.raters.ratings, or dump_ratings beside it, names the folder of the ratings"
    if not folder.is_dir():
        raise InputError("no such folder", path=folder, fix=fix)
    files = files_by_language(folder, None)
    for sheet in sheets:
        if sheet.stem not in files:
            raise InputError("no file of ratings", path=folder, fix=f"put in files called '{sheet.name}'")
        write_csv(out / sheet.name, CHECKED, _gathered(files[sheet.stem], read_hits(sheet)))


def _gathered(files: list[Path], items: dict[str, Item]) -> list[tuple[object, ...]]:
    """The rows of a language's checked ratings."""
    order = {item: place for place, item in enumerate(items)}
    found: dict[tuple[int, str], tuple[Item, str]] = {}
    findings = []
    for path in files:
        for line, row in read_csv(path, RATINGS):
            rater, item, task, value, hit = (field.strip() for field in row)
            key = (order.get(item, -1), rater)
            problem = _problem(rater, items.get(item), task, value, hit)
            if not problem and key in found:
                problem = "a second rating of an item by a rater; keep one of the two"
            if problem:
                findings.append(f"{path}:{line}: {problem}")
            else:
                found[key] = items[item], value
    if findings:
        more = [f"and {len(findings) - SHOWN} more"] if len(findings) > SHOWN else []
        raise InputError("\nerror: ".join([*findings[:SHOWN], *more]))
    if not found:
        raise InputError("no rating in it", path=files[0], fix="put in what the rater saved, or take it out")
    # In the order of the names, so that files of other names give the same.
    numbers = {name: place for place, name in enumerate(sorted({rater for _, rater in found}), 1)}
    return [
        (item.language, item.hit, item.place, numbers[rater], "" if value == INVALID else value)
        for (_, rater), (item, value) in sorted(found.items(), key=lambda one: one[0])
    ]


def _problem(rater: str, item: Item | None, task: str, value: str, hit: str) -> str:
    """What is wrong with a rating; nothing if it is right."""
    if not rater:
        return "no rater; give every rater a name"
    if item is None or hit != str(item.hit):
        return "no such item in this HIT of the sheet; restore the sheet that was rated, or take the line out"
    if task != TASK:
        return f"task {shown(task)}; it is {TASK}"
    if value != INVALID and not (VALUE.fullmatch(value) and abs(float(value)) <= HIGHEST):
        return f"value {shown(value)}; the scale goes from -3 to 3 in steps of 0.5, or it is '{INVALID}'"
    return ""


def write_judgments(path: Path, judgments: Iterable[Judgment]) -> None:
    """Write what `read_judgments` reads."""
    rows = ((*astuple(one)[:-1], "" if math.isnan(one.value) else one.value) for one in judgments)
    write_csv(path, CHECKED, rows)


def read_judgments(path: Path) -> list[Judgment]:
    """What `ratings` wrote; InputError names the line of anything else."""
    found = []
    known = set()
    for line, (language, *texts, value) in read_csv(path, CHECKED):
        hit, place, rater = (whole(text, path, line, 1) for text in texts)
        if (language, hit, place, rater) in known:
            raise InputError("a second rating of an item by a rater", path=path, line=line)
        known.add((language, hit, place, rater))
        judged = number(value, path, line) if value else math.nan
        if abs(judged) > HIGHEST:
            raise InputError("a value beyond the scale", path=path, line=line)
        found.append(Judgment(language, hit, place, rater, judged))
    return found


if __name__ == "__main__":
    run(ratings)
