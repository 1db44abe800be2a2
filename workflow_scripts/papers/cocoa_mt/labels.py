"""What raters say of translations, behind Tables 4 and 5 (labels) and 10 of CoCoA-MT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.human.sheets import Entry, Item, Rating, read_items, read_key, read_ratings
from workflow_scripts.leaves.comparison import Cell, Cells, Printed

NOT_RELEASED = "what the paper's translators said is not released"
SIMULATED = "simulated raters"
# The paper's are not named, and what they wrote is not released.
OTHER_SYSTEMS = "other systems than A and B"
# Those of the paper are not made here: MTNT has Reddit's terms, of the others no sheet is made.
OTHER_SENTENCES = "other sentences"


@dataclass(frozen=True)
class Judged:
    """An item with all that is known of it: whose text it is, and what each rater said."""

    item: Item
    entries: tuple[Entry, ...]
    """One of each system that wrote the text."""
    ratings: dict[str, Rating] = field(default_factory=dict)
    """By rater."""

    @property
    def agreed(self) -> str:
        """The answer that all raters gave, if there are two or more and they agree; else nothing."""
        values = [rating.value for rating in self.ratings.values()]
        return values[0] if len(values) > 1 and len(set(values)) == 1 else ""


def read_judged(sheet: Path, key: Path, ratings: Path) -> list[Judged]:
    """The items of a sheet of translations, in its order.

    Raises InputError for an item of the sheet that is not in the key, and for ratings of another item.
    """
    entries: dict[str, list[Entry]] = {}
    for entry in read_key(key):
        entries.setdefault(entry.item, []).append(entry)
    found: dict[str, Judged] = {}
    for item in read_items(sheet):
        if item.item not in entries:
            raise InputError(f"no item {item.item} of {sheet}", path=key, fix="make both anew")
        found[item.item] = Judged(item, tuple(entries[item.item]))
    for rating in read_ratings(ratings):
        if rating.item not in found:
            raise InputError(f"ratings of item '{rating.item}', which is not on {sheet}", path=ratings)
        if rating.task != found[rating.item].item.task:
            raise InputError(f"item '{rating.item}' is not rated for {rating.task}", path=ratings)
        found[rating.item].ratings[rating.rater] = rating
    return list(found.values())


def raters_of(judged: Sequence[Judged]) -> int:
    """How many raters there are."""
    return len({rater for one in judged for rater in one.ratings})


def with_reasons(cells: Cells, printed: Printed) -> Cells:
    """All cells, and for printed ones that have no number why they have none."""
    return {key: Cell("", "", NOT_RELEASED) for key in printed} | cells
