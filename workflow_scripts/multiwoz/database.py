"""The databases of MultiWOZ, and the search for rows that match a state."""

from collections.abc import Mapping
from pathlib import Path

from rapidfuzz.fuzz import partial_ratio

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.json_files import read_json
from workflow_scripts.multiwoz.normalise import minutes, value
from workflow_scripts.multiwoz.schema import DONTCARE, TRAIN, VENUES, slot_of

Row = dict[str, str]
# Slots whose values match approximately, and the least similarity, of 100.
FUZZY = {("restaurant", "food"), ("train", "departure"), ("train", "destination")}
ALIKE = 90
AGAIN = "get the database again"


class Database:
    """Rows by domain, with a cache of searches: equal questions are answered once."""

    def __init__(self, rows: Mapping[str, list[Row]]) -> None:
        """`rows`: per domain, in the spelling of `slot_of` and `value`, each with `id` or `trainid`."""
        self._rows = dict(rows)
        self._columns = {domain: {slot for row in listed for slot in row} for domain, listed in rows.items()}
        self._matching: dict[tuple[str, str, str], frozenset[int]] = {}
        self._found: dict[tuple[str, frozenset[tuple[str, str]]], frozenset[str]] = {}

    def rows(self, domain: str, state: Mapping[str, str]) -> list[Row]:
        """The rows that match a domain's slots, in the order of the file.

        A slot is ignored if its value is `dontcare` or it has no column, such as the day of a booking.
        Names, food and the ends of a train journey match if rapidfuzz's `partial_ratio` is at least 90; a
        train must arrive at the given time or earlier, and leave at the given time or later; other values
        must be equal. A row with `?` in a slot matches any value of that slot.
        """
        known = self._rows.get(domain, [])
        asked = [(slot, text) for slot, text in state.items() if text != DONTCARE and self._has(domain, slot)]
        places = set(range(len(known)))
        for slot, text in asked:
            places &= self._places(domain, slot, text)
        return [known[place] for place in sorted(places)]

    def keys(self, domain: str, state: Mapping[str, str]) -> frozenset[str]:
        """The keys of the same rows: `trainid` for trains (which run every day), otherwise `id`."""
        question = domain, frozenset(state.items())
        if question not in self._found:
            key = "trainid" if domain == TRAIN else "id"
            self._found[question] = frozenset(row[key] for row in self.rows(domain, state))
        return self._found[question]

    def _has(self, domain: str, slot: str) -> bool:
        return slot in self._columns.get(domain, ())

    def _places(self, domain: str, slot: str, text: str) -> frozenset[int]:
        question = domain, slot, text
        if question not in self._matching:
            answers: dict[str, bool] = {}
            places = []
            for place, row in enumerate(self._rows[domain]):
                have = row.get(slot, "?")
                if have not in answers:
                    answers[have] = have == "?" or matches(domain, slot, have, text)
                if answers[have]:
                    places.append(place)
            self._matching[question] = frozenset(places)
        return self._matching[question]


class BackwardTimes(Database):
    """A database that compares times as DAMD's code does: arrive then or later, leave then or earlier."""

    def _places(self, domain: str, slot: str, text: str) -> frozenset[int]:
        if slot not in ("arrive", "leave"):
            return super()._places(domain, slot, text)
        asked = minutes(text)
        return frozenset(
            place
            for place, row in enumerate(self._rows[domain])
            if (have := row.get(slot, "?")) == "?"
            or (minutes(have) >= asked if slot == "arrive" else minutes(have) <= asked)
        )


def matches(domain: str, slot: str, have: str, asked: str) -> bool:
    """Whether a value of the database matches the value in a state, see `Database.rows`."""
    if slot == "arrive":
        return minutes(have) <= minutes(asked)
    if slot == "leave":
        return minutes(have) >= minutes(asked)
    if slot == "name" or (domain, slot) in FUZZY:
        return partial_ratio(have, asked) >= ALIKE
    return have == asked


def load_database(*files: Path, times: type[Database] = Database) -> Database:
    """Read databases in MultiWOZ's layout: `<domain>_db.json` is a list of objects.

    :param times: the class to build: `BackwardTimes`, or `Database` with the plain meaning of times

    Only texts and numbers are read. Raises InputError for a file with another name, a file that is not such
    a list, and a row without its key.
    """
    rows: dict[str, list[Row]] = {}
    for path in files:
        domain, _, rest = path.name.partition("_")
        if rest != "db.json" or domain not in (*VENUES, TRAIN):
            known = ", ".join(f"{name}_db.json" for name in (*VENUES, TRAIN))
            raise InputError("not the name of a database", path=path, fix=f"known: {known}")
        rows[domain] = _read(path, domain)
    return times(rows)


def _read(path: Path, domain: str) -> list[Row]:
    content = read_json(path, AGAIN)
    if not isinstance(content, list) or not all(isinstance(row, dict) for row in content):
        raise InputError("not a list of objects", path=path, fix=AGAIN)
    key = "trainid" if domain == TRAIN else "id"
    rows: list[Row] = []
    for number, row in enumerate(content, 1):
        texts = {}
        for name, text in row.items():
            if isinstance(text, (str, int, float)):
                slot = "id" if name == "id" else slot_of(name)
                texts[slot] = value(slot, str(text)) if slot != key else str(text).lower()
        if not texts.get(key):
            raise InputError(f"row {number} has no '{key}'", path=path, fix=AGAIN)
        rows.append(texts)
    return rows
