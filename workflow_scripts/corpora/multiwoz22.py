"""Command: read MultiWOZ 2.2 in its official layout, with goals and bookings from an older version."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.json_files import read_json
from workflow_scripts.corpora.dialogue_layout import (
    AGAIN,
    fields,
    items,
    plain_id,
    text_of,
    turns_of,
    write_dialogues,
)
from workflow_scripts.corpora.multiwoz21 import ACT_SLOTS, acts_of, goal_of, load, state_of
from workflow_scripts.multiwoz.schema import DOMAINS

SPEAKERS = ("USER", "SYSTEM")


def read_multiwoz22(folder: Path, out: Path, *, fold: Literal["train", "dev", "test"], older: Path) -> None:
    """Write the dialogues of one fold as JSON lines, file after file; ids lose case and `.json`.

    Version 2.2 has neither goals nor bookings: they come from `older`, for the same dialogues. A state is
    that of the user's turn, with the first of several acceptable values of a slot. Acts and spans are those
    of `dialog_acts.json`; a span outside its text is left out. Raises InputError, naming file, dialogue and
    turn, for another layout.

    :param folder: folder with dialog_acts.json, and `dialogues_*.json` in a folder for each fold
    :param out: JSON lines to write, in the layout of `multiwoz.data`
    :param fold: train, dev or test
    :param older: `data.json` of MultiWOZ 2.0 or 2.1, or a zip with it
    """
    files = sorted((folder / fold).glob("dialogues_*.json"))
    if not files:
        raise InputError("no dialogues_*.json in it", path=folder / fold, fix=AGAIN)
    acts_file = folder / "dialog_acts.json"
    acts = fields(read_json(acts_file, AGAIN), acts_file, "the file")
    past = {plain_id(name): dialogue for name, dialogue in load(older).items()}
    write_dialogues(
        out,
        (
            _dialogue(path, dialogue, acts, acts_file, past, older)
            for path in files
            for dialogue in items(read_json(path, AGAIN), path, "the file")
        ),
        folder / fold,
    )


def _dialogue(
    path: Path, content: Any, acts: dict[str, Any], acts_file: Path, past: dict[str, Any], older: Path
) -> dict[str, Any]:
    dialogue = fields(content, path, "a dialogue")
    name = text_of(dialogue.get("dialogue_id"), path, "a dialogue_id")
    place = f"dialogue {name!r}"
    turns = turns_of(dialogue.get("turns"), path, place, "turns")
    if plain_id(name) not in past:
        raise InputError(
            f"no {place}", path=older, fix="goals and bookings come from it; use a complete data.json"
        )
    old_dialogue = fields(past[plain_id(name)], older, place)
    log = items(old_dialogue.get("log"), older, f"{place}, log", len(turns))
    annotated = fields(acts.get(name, {}), acts_file, place)
    services = [
        text_of(service, path, f"{place}, services")
        for service in items(dialogue.get("services"), path, place)
    ]
    return {
        "id": plain_id(name),
        "services": sorted(services),
        "goal": goal_of(older, f"{place}, goal", old_dialogue.get("goal")),
        "turns": [
            {
                **_turn(path, f"{place}, turn {at}", turns[at], turns[at + 1]),
                "booked": _booked(older, f"{place}, turn {at + 1}", log[at + 1]),
                **_noted(acts_file, f"{place}, turn {at + 1}", annotated.get(str(at + 1), {}), turns[at + 1]),
            }
            for at in range(0, len(turns), 2)
        ],
    }


def _booked(older: Path, place: str, turn: Any) -> list[str]:
    return state_of(older, place, fields(turn, older, place).get("metadata"))[1]


def _turn(path: Path, place: str, first: Any, second: Any) -> dict[str, Any]:
    user, system = fields(first, path, place), fields(second, path, place)
    for turn, speaker in zip((user, system), SPEAKERS, strict=True):
        if turn.get("speaker") != speaker:
            raise InputError(f"{place}: the speakers are not {' and '.join(SPEAKERS)}", path=path, fix=AGAIN)
    state: dict[str, dict[str, str]] = {}
    for frame in items(user.get("frames"), path, f"{place}, frames"):
        content = fields(fields(frame, path, place).get("state", {}), path, f"{place}, state")
        for name, values in fields(content.get("slot_values", {}), path, f"{place}, slot_values").items():
            domain, _, slot = name.partition("-")
            if domain not in DOMAINS or not slot:
                raise InputError(f"{place}: unknown slot {ascii(name)[:40]}", path=path, fix=AGAIN)
            if choices := items(values, path, f"{place}, {name}"):
                state.setdefault(domain, {})[slot] = text_of(choices[0], path, f"{place}, {name}")
    return {
        "user": text_of(user.get("utterance"), path, f"{place}, utterance"),
        "system": text_of(system.get("utterance"), path, f"{place}, utterance of the system"),
        "state": state,
    }


def _noted(path: Path, place: str, content: Any, turn: Any) -> dict[str, Any]:
    annotation = fields(content, path, place)
    return {
        "acts": list(acts_of(path, place, annotation.get("dialog_act", {}))),
        "spans": list(_spans(path, place, turn["utterance"], annotation.get("span_info", []))),
    }


def _spans(path: Path, place: str, text: str, content: Any) -> Iterator[list[Any]]:
    for span in items(content, path, f"{place}, span_info"):
        _, slot, _, start, end = items(span, path, f"{place}, span_info", 5)
        name = text_of(slot, path, place).lower()
        whole = all(isinstance(number, int) and not isinstance(number, bool) for number in (start, end))
        if whole and 0 <= start < end <= len(text):
            yield [ACT_SLOTS.get(name, name), start, end]


if __name__ == "__main__":
    run(read_multiwoz22)
