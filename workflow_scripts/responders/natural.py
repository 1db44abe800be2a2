"""States, counts and responses in plain words, as AuGPT writes them (Kulhánek et al., 2021).

`hotel {area = north, price range = cheap}` is a state, `hotel 10 matches , train no match` the database
counts for it, and `[leave at]` the placeholder of a value: a pretrained model knows these words.
"""

import re
from collections.abc import Mapping

from workflow_scripts.multiwoz.belief import State
from workflow_scripts.multiwoz.schema import DOMAINS, INFORMABLE
from workflow_scripts.responders.serialise import plain

# Slots of several words.
NAMES = {
    **{"arriveby": "arrive by", "leaveat": "leave at", "pricerange": "price range"},
    **{f"book{slot}": f"book {slot}" for slot in ("day", "people", "stay", "time")},
    **{"postcode": "post code", "entrancefee": "entrance fee", "openhours": "open hours", "trainid": "id"},
}
SLOTS = {NAMES.get(slot, slot): slot for slot in INFORMABLE}
_DOMAIN = re.compile(r"(\w+) ?\{([^{}]*)\}")
_VALUE = re.compile(r"\[value_(\w+)\]")
# Characters that end a value.
_ENDS = str.maketrans("{},", "   ")


def natural_belief(state: Mapping[str, Mapping[str, str]], first: str = "") -> str:
    """A state: the domain `first`, if the state has it, then the others by name; slots by name."""
    order = sorted(state, key=lambda domain: (domain != first, domain))
    return " ".join(f"{domain} {{{_slots(state[domain])}}}" for domain in order)


def _slots(slots: Mapping[str, str]) -> str:
    named = sorted((NAMES.get(slot, slot), value) for slot, value in slots.items())
    return ", ".join(f"{name} = {plain(value.translate(_ENDS))}" for name, value in named)


def belief_in(text: str) -> State:
    """The state in a text; unknown domains, unknown slots and slots without a value are left out."""
    state: State = {}
    for domain, slots in _DOMAIN.findall(text):
        for entry in slots.split(","):
            name, _, value = (part.strip() for part in entry.partition("="))
            if domain in DOMAINS and name in SLOTS and value:
                state.setdefault(domain, {})[SLOTS[name]] = value
    return state


def counts_text(counts: Mapping[str, int], first: str = "") -> str:
    """The number of rows in the database for each domain, in the order of `natural_belief`."""
    order = sorted(counts, key=lambda domain: (domain != first, domain))
    return " , ".join(f"{domain} {_matches(counts[domain])}" for domain in order)


def _matches(count: int) -> str:
    return {0: "no match", 1: "1 match"}.get(count, f"{count} matches")


def natural_response(text: str) -> str:
    """A response with `[leave at]` for `[value_leaveat]`."""
    return _VALUE.sub(lambda match: f"[{NAMES.get(match[1], match[1])}]", text)
