"""Command: the ratings of raters, checked against their sheet."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.rater_files import files_by_language
from workflow_scripts.human.scales import LETTERS, TASKS
from workflow_scripts.human.sheets import RATINGS, Item, Rating, read_items, write_ratings

# The largest number of findings in an error message.
SHOWN = 20
# Folders that may lie beside the raters' files.
OF_WORKERS = frozenset({"qualification", "workers", "reviews"})


def ratings(
    target: Path,
    coverage: Path,
    *,
    sheet: Path,
    folder: Path,
    language: str,
    languages: list[str],
    raters: int,
) -> None:
    """Gather the ratings of a language and stop if anything is wrong with them.

    The files of a language are `{lang}.csv` and names that continue with `-`, `_`, `.` or a space, such as
    `fr-ana-1.csv`. Any other file in the folder that is not hidden (except the folders of workers), a folder
    without any such file, and files without a rating are refused; if only other languages have files, this
    one has no ratings, and stderr says so. A file of an unknown language, an item that is not on the sheet, a
    task that is not the item's, a value that is not on the scale, a ranking that omits or repeats a letter,
    and a second rating of an item by a rater are each reported with file and line. Missing ratings are not an
    error: they are counted.

    :param target: CSV to write: rater, item, task, value; in the order of the sheet
    :param coverage: CSV to write: rater, task, items, rated, missing
    :param sheet: the items
    :param folder: the folder with the files of raters
    :param language: the language whose files are read
    :param languages: all codes that a file's name may begin with
    :param raters: the number of judgments that each item should have
    """
    items = {item.item: item for item in read_items(sheet)}
    findings: list[str] = []
    first: dict[tuple[str, str], str] = {}
    found: list[Rating] = []
    files = _files(folder, language, languages)
    for path in files:
        for number, row in read_csv(path, RATINGS):
            rating = Rating(*(field.strip() for field in row))
            problem = _problem(rating, items)
            place = f"{path}:{number}"
            key = (rating.rater, rating.item)
            if not problem and key in first:
                problem = (
                    f"a second rating of item '{rating.item}' by '{rating.rater}'; the first is {first[key]};"
                    " keep one of the two"
                )
            if problem:
                findings.append(f"{place}: {problem}")
            else:
                first[key] = place
                found.append(rating)
    if findings:
        more = [f"and {len(findings) - SHOWN} more"] if len(findings) > SHOWN else []
        raise InputError("\nerror: ".join([*findings[:SHOWN], *more]))
    if files and not found:
        others = f", nor in {len(files) - 1} more" if len(files) > 1 else ""
        fix = "put in the file that the rater saved, or take it out"
        raise InputError(f"no rating in it{others}", path=files[0], fix=fix)
    order = {item: place for place, item in enumerate(items)}
    found.sort(key=lambda rating: (order[rating.item], rating.rater))
    _tell(found, items, language, raters)
    write_csv(coverage, ("rater", "task", "items", "rated", "missing"), _coverage(found, items))
    write_ratings(target, found)


def _files(folder: Path, language: str, languages: list[str]) -> list[Path]:
    """The files of a language; InputError for a file of no language, and if there is no file at all."""
    if not folder.is_dir():
        raise InputError("no such folder", path=folder, fix="the settings name the folder of the ratings")
    names = f"'{language}.csv' or '{language}-NAME.csv'"
    found = files_by_language(folder, [language, *languages], beside=OF_WORKERS)
    if not found:
        fix = f"put in files called {names} (or another of {', '.join(languages)})"
        raise InputError("no file of ratings in this folder", path=folder, fix=fix)
    if language not in found:
        print(f"{folder}: no file of '{language}', which would be called {names}", file=sys.stderr)
    return found.get(language, [])


def _problem(rating: Rating, items: dict[str, Item]) -> str:
    """The problem with a rating, and the remedy; empty if it is valid."""
    if not rating.rater:
        return "no rater; give every rater a name"
    if rating.item not in items:
        return (
            f"no item '{rating.item}' on the sheet, which was made from other outputs or with another"
            " seed: restore the files behind the rater's sheet, or take the line out"
        )
    item = items[rating.item]
    if rating.task != item.task:
        known = nearest(rating.task, TASKS) + "; " if rating.task not in TASKS else ""
        return f"task '{rating.task}' of item '{rating.item}'; {known}on the sheet it is {item.task}"
    if item.options:
        letters = LETTERS[: len(item.options)]
        if sorted(rating.value) != list(letters):
            return (
                f"ranking '{rating.value}' of item '{rating.item}'; give each of the letters {letters} once,"
                " the best first"
            )
    else:
        task = TASKS[item.task]
        if task.words and not task.has(rating.value):
            answers = ", ".join(task.words)
            return f"{item.task} '{rating.value}' of item '{rating.item}'; the answers are {answers}"
        if not task.has(rating.value):
            return (
                f"{item.task} '{rating.value}' of item '{rating.item}';"
                f" the scale has the whole numbers from {task.low} to {task.high}"
            )
    return ""


def _coverage(found: list[Rating], items: dict[str, Item]) -> Iterator[tuple[object, ...]]:
    """The numbers of items and ratings of each rater in each task."""
    asked = Counter(item.task for item in items.values())
    done = Counter((rating.rater, rating.task) for rating in found)
    for rater in sorted({rating.rater for rating in found}):
        for task, count in asked.items():
            yield rater, task, count, done[rater, task], count - done[rater, task]


def _tell(found: list[Rating], items: dict[str, Item], language: str, raters: int) -> None:
    """Print the number of ratings and of items that lack some."""
    counts = Counter(rating.item for rating in found)
    short = sum(counts[item] < raters for item in items)
    none = sum(not counts[item] for item in items)
    names = len({rating.rater for rating in found})
    print(
        f"{language}: {len(found)} ratings of {len(items)} items by {names} raters;"
        f" {short} items have fewer than {raters}, {none} of them none",
        file=sys.stderr,
    )


if __name__ == "__main__":
    run(ratings)
