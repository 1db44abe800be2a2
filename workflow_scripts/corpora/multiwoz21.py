"""Command: read MultiWOZ 2.1 in the layout of ConvLab-2, that of `data.json` with user acts."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.json_files import parse_json, read_json
from workflow_scripts.corpora.dialogue_layout import (
    AGAIN,
    DOMAINS,
    fields,
    items,
    plain_id,
    text_of,
    turns_of,
    write_dialogues,
)
from workflow_scripts.corpora.sources.unpack import reading

# In bytes; the released files unpack to 27 million.
LARGEST = 1 << 28
EMPTY = frozenset(("", "not mentioned", "none"))
# How acts name slots, where this is not what databases and states call them.
ACT_SLOTS = {
    "addr": "address",
    "post": "postcode",
    "ref": "reference",
    "id": "trainid",
    "fee": "entrance fee",
    "depart": "departure",
    "dest": "destination",
    "leave": "leaveat",
    "arrive": "arriveby",
    "open": "openhours",
    # A price is one of cheap, moderate and expensive; what a ticket costs is `ticket`.
    "price": "pricerange",
}


def read_multiwoz21(archive: Path, out: Path) -> None:
    """Write the dialogues of one fold as JSON lines, in the file's order; ids lose case and `.json`.

    A state is the annotation of the system's turn that follows the user's words, bookings among it (as
    `bookday` and so on); what is empty or "not mentioned" is left out. Users who are to book something ask
    for its reference. Spans count tokens in the file and characters in what is written; one that does not
    hold its value is left out. Raises InputError for what is not in this layout, naming dialogue and turn.

    :param archive: zip of one JSON file, such as test.json.zip
    :param out: JSON lines to write, in the layout of `multiwoz.data`
    """
    write_dialogues(out, _dialogues(archive), archive)


def _dialogues(archive: Path) -> Iterator[dict[str, Any]]:
    for name, dialogue in load(archive).items():
        yield _dialogue(archive, name, dialogue)


def load(path: Path) -> dict[str, Any]:
    """The dialogues of a JSON file, or of a zip with one JSON file, or one `data.json` of several."""
    if path.suffix != ".zip":
        return fields(read_json(path, AGAIN), path, "the file")
    with reading(path, "zip"), zipfile.ZipFile(path) as file:
        members = [info for info in file.infolist() if info.filename.endswith(".json")]
        if len(members) > 1:
            members = [info for info in members if info.filename.rpartition("/")[2] == "data.json"]
        if len(members) != 1:
            raise InputError("not one JSON file in it, and not one data.json", path=path, fix=AGAIN)
        if members[0].file_size > LARGEST:
            raise InputError(f"a file of more than {LARGEST} bytes in it", path=path, fix=AGAIN)
        with file.open(members[0]) as stream:
            data = stream.read(LARGEST + 1)
        return fields(parse_json(data, f"{path}/{members[0].filename}", fix=AGAIN), path, "the file")


def _dialogue(path: Path, name: str, content: Any) -> dict[str, Any]:
    place = f"dialogue {name!r}"
    dialogue = fields(content, path, place)
    log = turns_of(dialogue.get("log"), path, place, "log")
    turns = [
        _turn(path, f"{place}, turn {number + 1}", log[number], log[number + 1])
        for number in range(0, len(log), 2)
    ]
    goal = goal_of(path, f"{place}, goal", dialogue.get("goal"))
    services = sorted({*goal, *(domain for turn in turns for domain in turn["state"])})
    return {"id": plain_id(name), "services": services, "goal": goal, "turns": turns}


def goal_of(path: Path, place: str, content: Any) -> dict[str, Any]:
    """A goal in the layout of `multiwoz.data`; who is to book asks for a reference."""
    found = {}
    for domain, wanted in fields(content, path, place).items():
        if domain not in DOMAINS or not wanted:
            continue
        here = f"{place}, {domain}"
        one = fields(wanted, path, here)
        informable = {
            slot.lower(): text_of(text, path, f"{here}, {slot}")
            for slot, text in fields(one.get("info", {}), path, here).items()
        }
        requestable = [text_of(slot, path, here).lower() for slot in items(one.get("reqt", []), path, here)]
        if one.get("book"):
            requestable.append("reference")
        found[domain] = {"informable": informable, "requestable": requestable}
    return found


def _turn(path: Path, place: str, first: Any, second: Any) -> dict[str, Any]:
    user, system = fields(first, path, place), fields(second, path, place)
    text = text_of(system.get("text"), path, place)
    state, booked = state_of(path, place, system.get("metadata"))
    return {
        "user": text_of(user.get("text"), path, place),
        "system": text,
        "state": state,
        "booked": booked,
        "acts": list(acts_of(path, place, system.get("dialog_act", {}))),
        "spans": list(_spans(path, place, text, system.get("span_info", []))),
    }


def state_of(path: Path, place: str, metadata: Any) -> tuple[dict[str, dict[str, str]], list[str]]:
    """The state of a turn, and the domains in which something is booked by then, with a reference."""
    state: dict[str, dict[str, str]] = {}
    booked = []
    for domain, content in fields(metadata, path, f"{place}, metadata").items():
        if domain not in DOMAINS:
            continue
        here = f"{place}, metadata of {domain}"
        both = fields(content, path, here)
        book = dict(fields(both.get("book", {}), path, here))
        done = items(book.pop("booked", []), path, here)
        if any(fields(one, path, here).get("reference") for one in done):
            booked.append(domain)
        slots = {slot.lower(): one for slot, one in fields(both.get("semi", {}), path, here).items()}
        slots |= {f"book{slot.lower()}": one for slot, one in book.items()}
        kept = {slot: text_of(one, path, f"{here}, {slot}") for slot, one in slots.items()}
        if kept := {slot: one for slot, one in kept.items() if one not in EMPTY}:
            state[domain] = kept
    return state, booked


def acts_of(path: Path, place: str, content: Any) -> Iterator[list[str]]:
    """Acts as `[domain, act, slot, value]`, in one spelling."""
    for name, pairs in fields(content, path, f"{place}, dialog_act").items():
        domain, _, act = name.lower().partition("-")
        for pair in items(pairs, path, f"{place}, {name}"):
            slot, value = (text_of(one, path, f"{place}, {name}") for one in items(pair, path, place, 2))
            yield [domain, act, ACT_SLOTS.get(slot.lower(), slot.lower()), value]


def _spans(path: Path, place: str, text: str, content: Any) -> Iterator[list[Any]]:
    """The spans in characters: tokens are what white space separates, the last one included."""
    tokens = [match.span() for match in re.finditer(r"\S+", text)]
    for span in items(content, path, f"{place}, span_info"):
        act, slot, value, first, last = items(span, path, f"{place}, span_info", 5)
        if not all(isinstance(number, int) and 0 <= number < len(tokens) for number in (first, last)):
            continue
        found = [tokens[first][0], tokens[last][1]]
        if isinstance(value, str) and text[slice(*found)].lower() == value.lower() != "":
            name = text_of(slot, path, f"{place}, {act}").lower()
            yield [ACT_SLOTS.get(name, name), *found]


if __name__ == "__main__":
    run(read_multiwoz21)
