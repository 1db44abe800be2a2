"""Dialogues in the layout that the readers of `corpora` write: JSON lines, one dialogue per line.

A line is an object with `id`, `services` (its domains), `goal` (domain -> `informable`: slot -> value,
`requestable`: list of slots) and `turns`. A turn has the user's words and the system's answer:

- `user`, `system`: their words
- `state`: domain -> slot -> value, after the user's words
- `booked`: domains with a booking, with a reference, after the system's answer
- `acts`: `[domain, act, slot, value]` of the system
- `spans`: `[slot, start, end]`, the characters of a slot's value in `system`

Turn i combines the MultiWOZ turns 2i and 2i + 1.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.json_files import json_lines
from workflow_scripts.multiwoz.belief import State

AGAIN = "make the file again"


@dataclass(frozen=True)
class Goal:
    """A user's goal in one domain: constraints, and slots to ask for."""

    informable: dict[str, str]
    requestable: tuple[str, ...]


@dataclass(frozen=True)
class Turn:
    """A user's words and the system's answer."""

    user: str
    system: str
    state: State
    booked: frozenset[str]
    acts: tuple[tuple[str, str, str, str], ...]
    spans: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True)
class Dialogue:
    """A dialogue with its goal by domain."""

    id: str
    services: tuple[str, ...]
    goal: dict[str, Goal]
    turns: tuple[Turn, ...]


def read_dialogues(path: Path) -> list[Dialogue]:
    """All dialogues of a file.

    Raises InputError, naming the line, for a line that is not in this layout, for a duplicate id, and for a
    file without a dialogue.
    """
    dialogues: dict[str, Dialogue] = {}
    for number, content in json_lines(path):
        try:
            dialogue = _dialogue(content)
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            problem = f"no {error}" if isinstance(error, KeyError) else str(error)
            raise InputError(f"not a dialogue ({problem})", path=path, line=number, fix=AGAIN) from None
        if dialogue.id in dialogues:
            raise InputError(f"a second dialogue {dialogue.id!r}", path=path, line=number, fix=AGAIN)
        dialogues[dialogue.id] = dialogue
    if not dialogues:
        raise InputError("no dialogue", path=path, fix=AGAIN)
    return list(dialogues.values())


def _dialogue(content: Any) -> Dialogue:
    goal = {
        domain: Goal(_texts(part["informable"]), tuple(_text(slot) for slot in _list(part["requestable"])))
        for domain, part in content["goal"].items()
    }
    turns = tuple(_turn(turn) for turn in _list(content["turns"]))
    if not turns:
        raise ValueError("no turn")
    services = tuple(_text(domain) for domain in _list(content["services"]))
    return Dialogue(_text(content["id"]), services, goal, turns)


def _turn(content: Any) -> Turn:
    system = _text(content["system"])
    spans = tuple((_text(slot), _whole(start), _whole(end)) for slot, start, end in _list(content["spans"]))
    if any(not start < end <= len(system) for _, start, end in spans):
        raise ValueError("a span that is not in its text")
    acts = [tuple(_text(part) for part in act) for act in _list(content["acts"])]
    return Turn(
        _text(content["user"]),
        system,
        {domain: _texts(slots) for domain, slots in content["state"].items()},
        frozenset(_text(domain) for domain in _list(content["booked"])),
        tuple((domain, act, slot, value) for domain, act, slot, value in acts),
        spans,
    )


def _text(content: Any) -> str:
    if not isinstance(content, str):
        raise TypeError(f"{ascii(content)[:40]} is not a text")
    return content


def _whole(content: Any) -> int:
    if not isinstance(content, int) or isinstance(content, bool) or content < 0:
        raise TypeError(f"{ascii(content)[:40]} is not a place in a text")
    return content


def _list(content: Any) -> list[Any]:
    if not isinstance(content, list):
        raise TypeError(f"{ascii(content)[:40]} is not a list")
    return content


def _texts(content: Any) -> dict[str, str]:
    return {slot: _text(text) for slot, text in content.items()}
