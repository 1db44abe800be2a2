"""Inform and Success of one dialogue (Nekvinda and Dušek, 2021), and the variant of older evaluators."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from workflow_scripts.multiwoz.belief import State
from workflow_scripts.multiwoz.data import Dialogue
from workflow_scripts.multiwoz.database import Database
from workflow_scripts.multiwoz.normalise import state as normal_state
from workflow_scripts.multiwoz.schema import REQUESTABLE, TRAIN, VENUES, placeholder_of

# standard: all offers fit the goal; older: at least one offer does.
Mode = Literal["standard", "older"]
NAMES = re.compile(r"\b[A-Z]+\b")


@dataclass(frozen=True)
class Verdict:
    """Whether a system has offered what a dialogue's goal describes, and told all that it asks for."""

    inform: bool
    success: bool


@dataclass(frozen=True)
class Judged:
    """A turn to judge: its normalised response, its normalised state, and its active domains."""

    response: str
    state: State
    active: Sequence[str]


def judge(dialogue: Dialogue, turns: Sequence[Judged], database: Database, mode: Mode) -> Verdict:
    """Inform and Success of a system's turns.

    If a domain of the goal is active in a turn, the turn offers the database rows that match its state,
    provided that its response has NAME (a restaurant, hotel or attraction) or TRAINID (a train). An earlier
    offer stays if the state still matches all of it. At the end a domain matches without an offer if the
    goal gives the name of its venue, if the domain has no database (taxi, police, hospital), or if it is
    train, no train was offered and the goal does not ask for the train's number. Otherwise there must be an
    offer, and all of it (mode older: some of it) must fit the goal. Inform: every domain matches. Success:
    Inform, and each of PHONE, ADDRESS, POST, REFERENCE and TRAINID that the goal asks for has been told while
    its domain was active. A REFERENCE counts only if the annotated dialogue has booked in that domain by
    then.
    """
    offered: dict[str, frozenset[str]] = {domain: frozenset() for domain in dialogue.goal}
    told: dict[str, set[str]] = {domain: set() for domain in dialogue.goal}
    for turn, annotated in zip(turns, dialogue.turns, strict=False):
        names = set(NAMES.findall(turn.response))
        for domain in dialogue.goal:
            if domain not in turn.active:
                continue
            if ("TRAINID" if domain == TRAIN else "NAME") in names and domain in (TRAIN, *VENUES):
                matching = database.keys(domain, turn.state.get(domain, {}))
                if not offered[domain] or not offered[domain] <= matching:
                    offered[domain] = matching
            told[domain] |= names if domain in annotated.booked else names - {"REFERENCE"}
    inform = all(_matches(dialogue, domain, offered[domain], database, mode) for domain in dialogue.goal)
    success = inform and all(requested(dialogue, domain) <= told[domain] for domain in dialogue.goal)
    return Verdict(inform, success)


def requested(dialogue: Dialogue, domain: str) -> set[str]:
    """The placeholders of a domain that the goal asks for and Success looks for."""
    return {placeholder_of(slot) for slot in dialogue.goal[domain].requestable} & set(REQUESTABLE)


def _matches(
    dialogue: Dialogue, domain: str, offered: frozenset[str], database: Database, mode: Mode
) -> bool:
    wanted = normal_state({domain: dialogue.goal[domain].informable}).get(domain, {})
    if domain not in (TRAIN, *VENUES) or (domain != TRAIN and "name" in wanted):
        return True
    if domain == TRAIN and not offered and "TRAINID" not in requested(dialogue, domain):
        return True
    right = database.keys(domain, wanted)
    return bool(offered & right) if mode == "older" else bool(offered) and offered <= right
