"""States, acts and database counts as the words that language models read and write.

The notation is that of DAMD (Zhang et al., 2020): a domain in brackets, then its slots and values, such as
`[train] destination cambridge day monday`; `[train] [request] leave people` for acts; `[db_2]` for how many
rows match. All of it is lower-case.
"""

import re
from collections.abc import Mapping

from workflow_scripts.language_models.texts import BOOKED, GONE, NO_BOOKING, NO_DATABASE, NOT_BOOKED
from workflow_scripts.multiwoz.belief import Change
from workflow_scripts.multiwoz.data import Turn
from workflow_scripts.multiwoz.database import Database
from workflow_scripts.multiwoz.normalise import state as normal_state
from workflow_scripts.multiwoz.schema import DOMAINS, INFORMABLE, TRAIN, VENUES

# Largest number of rows for [db_0], [db_1] and [db_2], for trains and all other domains; [db_3] is more.
BUCKETS = {TRAIN: (0, 5, 10)}
OTHER_BUCKETS = (0, 1, 3)
IN_BRACKETS = re.compile(r"\[(\w+)\]")
# Names of slots in brackets, some of several words, such as MultiWOZ 2.1's `entrance fee`.
_SLOT = re.compile(r"\[(\w+(?: \w+)*)\]")


def plain(text: str) -> str:
    """Users' and systems' words as a model reads them: lower-case, with single spaces."""
    return " ".join(text.lower().split())


def values_marked(text: str) -> str:
    """A delexicalised text with the single word `[value_name]` for `[name]`, as in DAMD and later systems."""
    return _SLOT.sub(lambda match: f"[value_{match[1].replace(' ', '')}]", plain(text))


def belief_text(state: Mapping[str, Mapping[str, str | None]]) -> str:
    """A state, or the change of a state, as words."""
    words = []
    for domain, slots in state.items():
        words.append(f"[{domain}]")
        for slot, value in slots.items():
            words += [slot, GONE if value is None else plain(value)]
    return " ".join(words)


def belief_of(text: str) -> Change:
    """The state, or change, in a text; words outside a known slot, and slots without a value, are left out.

    It inverts `belief_text` for known slots whose values are not names of slots.
    """
    change: Change = {}
    domain, slot = "", ""
    values: list[str] = []

    def end() -> None:
        if domain and slot and values:
            value = " ".join(values)
            change.setdefault(domain, {})[slot] = None if value == GONE else value

    for word in text.split():
        name = word[1:-1] if word[:1] == "[" and word[-1:] == "]" else ""
        if name in DOMAINS or word in INFORMABLE:
            end()
            domain, slot, values = (name, "", []) if name else (domain, word, [])
        elif slot:
            values.append(word)
    end()
    return change


def act_text(turn: Turn) -> str:
    """The system's acts as words: domains and acts in their order, each once."""
    grouped: dict[str, dict[str, dict[str, None]]] = {}
    for domain, act, slot, _ in turn.acts:
        slots = grouped.setdefault(domain, {}).setdefault(act, {})
        if slot != "none":
            slots[slot] = None
    words = []
    for domain, acts in grouped.items():
        words.append(f"[{domain}]")
        for act, slots in acts.items():
            words += [f"[{act}]", *slots]
    return " ".join(words)


def found_text(domain: str, state: Mapping[str, Mapping[str, str]], database: Database) -> str:
    """The token for how many rows of a domain match a state."""
    if domain not in (*VENUES, TRAIN):
        return NO_DATABASE
    count = counts_of({domain: state.get(domain, {})}, database)[domain]
    limits = BUCKETS.get(domain, OTHER_BUCKETS)
    return f"[db_{sum(count > limit for limit in limits)}]"


def counts_of(state: Mapping[str, Mapping[str, str]], database: Database) -> dict[str, int]:
    """The number of rows that match a state, for each of its domains with a database."""
    known = [domain for domain in state if domain in (*VENUES, TRAIN)]
    asked = normal_state({domain: state[domain] for domain in known})
    return {domain: len(database.rows(domain, asked.get(domain, {}))) for domain in known}


def booking_text(before: frozenset[str], turn: Turn) -> str:
    """The token for whether something was booked in a turn, or could not be, by its annotation."""
    if turn.booked - before:
        return BOOKED
    return NOT_BOOKED if any(act == "nobook" for _, act, _, _ in turn.acts) else NO_BOOKING
