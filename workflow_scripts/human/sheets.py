"""The files of the evaluation: sheets of items, the key to their systems, and ratings."""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import header_of, read_csv, write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.fields import shown, whole
from workflow_scripts.human.scales import LETTERS, TASKS

SHEET = ("item", "batch", "task", "informal", "rewrite", "text")
# A sheet of translations.
TRANSLATIONS = ("item", "batch", "task", "source", "text")
# A sheet of requests, in which a HIT has requests of two languages; an item's name begins with its language.
HITS = ("item", "hit", "page", "task", "text")
# A sheet of dialogues.
DIALOGUES = ("item", "batch", "task", "goal", "text")
KEY = ("item", "task", "sentence", "system", "run", "option")
RATINGS = ("rater", "item", "task", "value")
# A spreadsheet saves 0012345678 and 12345678e9 as other texts; then the rated item cannot be identified.
_NUMBER = re.compile(r"\d+(e\d+)?")


@dataclass(frozen=True)
class Item:
    """The unit that a rater judges; texts that its task does not show are empty."""

    item: str
    batch: int
    task: str
    informal: str = ""
    rewrite: str = ""
    text: str = ""
    # The English sentence of a translation.
    source: str = ""
    # The goal of a dialogue's user.
    goal: str = ""
    # The texts to be ranked, named A, B, ...
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Entry:
    """The origin of an item's text: `sentence` is its line from 1, `run` its output file from 0."""

    item: str
    task: str
    sentence: int
    system: str
    run: int
    # The letter of a ranking.
    option: str = ""


@dataclass(frozen=True)
class Rating:
    """One judgment: a number of the scale, or the letters of a ranking with the best first."""

    rater: str
    item: str
    task: str
    value: str


def write_items(path: Path, items: Iterable[Item]) -> None:
    """Write a sheet with a column for each option of its longest ranking."""
    rows = list(items)
    width = max((len(row.options) for row in rows), default=0)
    write_csv(
        path,
        (*SHEET, *(f"option_{letter.lower()}" for letter in LETTERS[:width])),
        [
            (row.item, row.batch, row.task, row.informal, row.rewrite, row.text)
            + row.options
            + ("",) * (width - len(row.options))
            for row in rows
        ],
    )


def write_translations(path: Path, items: Iterable[Item]) -> None:
    """Write a sheet of translations."""
    write_csv(path, TRANSLATIONS, [(row.item, row.batch, row.task, row.source, row.text) for row in items])


def write_dialogues(path: Path, items: Iterable[Item]) -> None:
    """Write a sheet of dialogues."""
    write_csv(path, DIALOGUES, [(row.item, row.batch, row.task, row.goal, row.text) for row in items])


def item_name(seed: int, *parts: str) -> str:
    """Ten hexadecimal digits that reveal nothing without seed and texts; no number for a spreadsheet."""
    text, name = "\0".join(parts), ""
    while not name or _NUMBER.fullmatch(name):
        name = hashlib.blake2b(text.encode(), digest_size=5, key=f"human {seed}".encode()).hexdigest()
        text += "\0"
    return name


def read_items(path: Path) -> list[Item]:
    """The items of a sheet, also of translations, requests and dialogues; a HIT is a batch."""
    found = header_of(path)
    width = max(0, len(found) - len(SHEET))
    header = (*SHEET, *(f"option_{letter.lower()}" for letter in LETTERS[:width]))
    for other in (TRANSLATIONS, HITS, DIALOGUES):
        header = other if found == list(other) else header
    items: dict[str, Item] = {}
    for number, row in read_csv(path, header):
        informal = rewrite = source = goal = ""
        if header == TRANSLATIONS:
            item, batch, task, source, text = row
        elif header == HITS:
            item, batch, _, task, text = row
        elif header == DIALOGUES:
            item, batch, task, goal, text = row
        else:
            item, batch, task, informal, rewrite, text = row[: len(SHEET)]
        if task not in TASKS:
            raise InputError(f"no task {shown(task)}", path=path, line=number, fix=nearest(task, TASKS))
        if item in items:
            raise InputError(f"a second item {shown(item)}", path=path, line=number)
        options = tuple(option for option in row[len(SHEET) :] if option)
        place = whole(batch, path, number)
        items[item] = Item(item, place, task, informal, rewrite, text, source, goal, options)
    return list(items.values())


def write_key(path: Path, entries: Iterable[Entry]) -> None:
    """Write the key of a sheet."""
    rows = [(e.item, e.task, e.sentence, e.system, e.run, e.option) for e in entries]
    write_csv(path, KEY, rows)


def read_key(path: Path) -> list[Entry]:
    """The key of a sheet."""
    entries = []
    tasks: dict[str, str] = {}
    for number, (item, task, sentence, system, run, option) in read_csv(path, KEY):
        place = whole(sentence, path, number)
        if tasks.setdefault(item, task) != task:
            raise InputError(
                f"item {shown(item)} is of two tasks, {shown(tasks[item])} and {shown(task)}",
                path=path,
                line=number,
            )
        entries.append(Entry(item, task, place, system, whole(run, path, number), option))
    return entries


def read_ratings(path: Path) -> list[Rating]:
    """Ratings as `human.ratings` writes them; InputError names the line of any other."""
    found: dict[tuple[str, str], Rating] = {}
    for number, row in read_csv(path, RATINGS):
        rating = Rating(*row)
        key = (rating.rater, rating.item)
        problem = "" if _on_scale(rating) else f"no {rating.task or 'task'} is '{rating.value}'"
        if key in found:
            problem = f"a second rating of item '{rating.item}' by '{rating.rater}'"
        if problem:
            raise InputError(problem, path=path, line=number, fix="delete the file and run again")
        found[key] = rating
    return list(found.values())


def _on_scale(rating: Rating) -> bool:
    """Whether a value is valid for its task: a number of the scale, or different letters."""
    if rating.task not in TASKS:
        return False
    task, value = TASKS[rating.task], rating.value
    if not task.labels:
        return bool(value) and set(value) <= set(LETTERS) and len(set(value)) == len(value)
    return task.has(value)


def write_ratings(path: Path, ratings: Iterable[Rating]) -> None:
    """Write ratings, one per line."""
    write_csv(path, RATINGS, [(r.rater, r.item, r.task, r.value) for r in ratings])
