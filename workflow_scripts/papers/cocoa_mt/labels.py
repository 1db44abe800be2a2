"""Raters' judgements of translations, for Tables 4, 5 (labels) and 10 of CoCoA-MT."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.human.sheets import Entry, Item, Rating, read_items, read_key, read_ratings
from workflow_scripts.leaves.command import Table
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.layout import by_language

NOT_RELEASED = "the labels of the paper's translators are not released"
SIMULATED = "simulated raters"
# The paper's systems are not named, and their outputs are not released.
OTHER_SYSTEMS = "systems other than A and B"
# The paper's sentences are not used here: MTNT falls under Reddit's terms, and the others get no sheet.
OTHER_SENTENCES = "other sentences"


@dataclass(frozen=True)
class Judged:
    """An item of a sheet, the systems that wrote its text, and its ratings."""

    item: Item
    entries: tuple[Entry, ...]
    """One for each system that wrote the text."""
    ratings: dict[str, Rating] = field(default_factory=dict)
    """By rater."""

    @property
    def agreed(self) -> str:
        """The answer of all raters, if there are two or more and they agree; otherwise empty."""
        values = [rating.value for rating in self.ratings.values()]
        return values[0] if len(values) > 1 and len(set(values)) == 1 else ""


def read_judged(sheet: Path, key: Path, ratings: Path) -> list[Judged]:
    """The items of a sheet of translations, in its order.

    Raises InputError for an item that is missing in the key, and for a rating of another item or task.
    """
    entries: dict[str, list[Entry]] = {}
    for entry in read_key(key):
        entries.setdefault(entry.item, []).append(entry)
    judged: dict[str, Judged] = {}
    for item in read_items(sheet):
        if item.item not in entries:
            raise InputError(f"no item {item.item} of {sheet}", path=key, fix="make both anew")
        judged[item.item] = Judged(item, tuple(entries[item.item]))
    for rating in read_ratings(ratings):
        if rating.item not in judged:
            raise InputError(f"ratings of item '{rating.item}', which is not on {sheet}", path=ratings)
        if rating.task != judged[rating.item].item.task:
            raise InputError(f"item '{rating.item}' is not rated for {rating.task}", path=ratings)
        judged[rating.item].ratings[rating.rater] = rating
    return list(judged.values())


def read_sheets(
    names: Sequence[str] | None, **files: Sequence[Path] | None
) -> dict[str, tuple[dict[str, Path], list[Judged]]]:
    """The files and the judged items of each sheet, by its name; `files`: options with a file for each."""
    by_name = by_language(names or [], **{option: paths or [] for option, paths in files.items()})
    return {
        name: (paths, read_judged(paths["sheets"], paths["item_keys"], paths["ratings"]))
        for name, paths in by_name.items()
    }


def caveat_of(difference: str, simulated: bool) -> str:
    """The caveat of all cells: what was not rated as in the paper, and whether raters are simulated."""
    return f"{difference}, {SIMULATED}" if simulated else difference


def raters_of(judged: Sequence[Judged]) -> int:
    """The number of raters."""
    return len({rater for item in judged for rater in item.ratings})


def with_reasons(cells: Cells, columns: Sequence[str], theirs: Printed) -> Table:
    """A table of cells, or without any the printed rows; printed cells without a number have the reason."""
    rows = dict.fromkeys(key[:-1] for key in cells or theirs)
    return Table({key: Cell("", "", NOT_RELEASED) for key in theirs} | cells, columns, rows)
