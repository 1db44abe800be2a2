"""Command: check the ratings of requests against their sheets, and gather them."""

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

# The layout of `human.ratings`, and the HIT in which the item was rated.
RATINGS = ("rater", "item", "task", "value", "hit")
CHECKED = ("lang", "hit", "line", "rater", "value")
# The slider of the paper goes from -3 to 3 in steps of 0.5; a request may be marked instead.
HIGHEST, STEP = 3.0, 0.5
INVALID = "invalid"
VALUE = re.compile(r"-?[0-3](\.[05])?", re.ASCII)
# The largest number of problems that an error message lists.
SHOWN = 20


@dataclass(frozen=True)
class Judgment:
    """The politeness rating of a request by a rater (a number): -3 to 3, or NaN for an invalid request."""

    language: str
    hit: int
    place: int
    rater: int
    value: float


def ratings(out: Path, *, sheets: list[Path], folder: Path) -> None:
    """Gather the ratings of each sheet's language, and replace the raters' names by numbers.

    The files of a language are `{lang}.csv` and those whose names continue with `-`, `_`, `.` or a space,
    such as `fr-ana.csv`; other CSV files in the folder belong to other languages, and any other file that is
    not hidden is an error. Raises InputError with a line for each bad rating (the first twenty): without a
    rater, of an item that is not on the sheet or not in its HIT, of another task, off the scale, or a second
    rating of an item by a rater. Missing ratings are not an error.

    :param out: folder to write; ``{lang}.csv`` has lang (of the request), hit, line (the request's, from 1),
        rater, value (empty if invalid), in the order of the sheet
    :param sheets: ``{lang}.csv``, as `hits` wrote them
    :param folder: folder with the files of raters
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
    checked: dict[tuple[int, str], tuple[Item, str]] = {}
    problems = []
    for path in files:
        for line, row in read_csv(path, RATINGS):
            rater, item, task, value, hit = (field.strip() for field in row)
            key = (order.get(item, -1), rater)
            problem = _problem(rater, items.get(item), task, value, hit)
            if not problem and key in checked:
                problem = "a second rating of an item by a rater; keep one of the two"
            if problem:
                problems.append(f"{path}:{line}: {problem}")
            else:
                checked[key] = items[item], value
    if problems:
        more = [f"and {len(problems) - SHOWN} more"] if len(problems) > SHOWN else []
        raise InputError("\nerror: ".join([*problems[:SHOWN], *more]))
    if not checked:
        raise InputError(
            "no rating in it", path=files[0], fix="put in the file that the rater saved, or take it out"
        )
    # Raters are numbered by their names, so that the names of files have no influence.
    numbers = {name: place for place, name in enumerate(sorted({rater for _, rater in checked}), 1)}
    return [
        (item.language, item.hit, item.place, numbers[rater], "" if value == INVALID else value)
        for (_, rater), (item, value) in sorted(checked.items(), key=lambda pair: pair[0])
    ]


def _problem(rater: str, item: Item | None, task: str, value: str, hit: str) -> str:
    """The problem with a rating; an empty string if it is valid."""
    if not rater:
        return "no rater; give every rater a name"
    if item is None or hit != str(item.hit):
        return "no such item in this HIT of the sheet; restore the sheet that was rated, or remove the line"
    if task != TASK:
        return f"task {shown(task)}; it is {TASK}"
    if value != INVALID and not (VALUE.fullmatch(value) and abs(float(value)) <= HIGHEST):
        return f"value {shown(value)}; the scale goes from -3 to 3 in steps of 0.5, or it is '{INVALID}'"
    return ""


def write_judgments(path: Path, judgments: Iterable[Judgment]) -> None:
    """Write ratings in the layout that `read_judgments` reads."""
    rows = ((*astuple(item)[:-1], "" if math.isnan(item.value) else item.value) for item in judgments)
    write_csv(path, CHECKED, rows)


def read_judgments(path: Path) -> list[Judgment]:
    """The ratings in a file that `ratings` wrote; InputError names the line of any error."""
    judgments = []
    known = set()
    for line, (language, *texts, value) in read_csv(path, CHECKED):
        hit, place, rater = (whole(text, path, line, 1) for text in texts)
        if (language, hit, place, rater) in known:
            raise InputError("a second rating of an item by a rater", path=path, line=line)
        known.add((language, hit, place, rater))
        judged = number(value, path, line) if value else math.nan
        if abs(judged) > HIGHEST:
            raise InputError("a value beyond the scale", path=path, line=line)
        judgments.append(Judgment(language, hit, place, rater, judged))
    return judgments


if __name__ == "__main__":
    run(ratings)
