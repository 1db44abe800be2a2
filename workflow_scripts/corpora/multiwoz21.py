"""Command: read MultiWOZ 2.1 in ConvLab-2's layout, which is that of `data.json` with user acts."""

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
    fields,
    items,
    plain_id,
    text_of,
    turns_of,
    write_dialogues,
)
from workflow_scripts.corpora.sources.unpack import reading
from workflow_scripts.multiwoz.schema import DOMAINS

# In bytes; the released files unpack to 27 million.
LARGEST = 1 << 28
EMPTY = frozenset(("", "not mentioned", "none"))
# The acts' names of slots, where they differ from the names in databases and states.
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
    # A price is cheap, moderate or expensive; the cost of a ticket is `ticket`.
    "price": "pricerange",
}


def read_multiwoz21(archive: Path, out: Path) -> None:
    """Write the dialogues of one fold as JSON lines, in the file's order; ids lose case and `.json`.

    A state is the annotation of the system's turn that follows the user's words, with its bookings (as
    `bookday` and so on); empty and "not mentioned" values are left out. A user who has something to book asks
    for its reference. Spans count tokens in the file and characters in the output; a span that does not
    hold its value is left out. Raises InputError, naming dialogue and turn, if the layout is another one.

    :param archive: zip of one JSON file, such as test.json.zip
    :param out: JSON lines to write, in the layout of `multiwoz.data`
    """
    write_dialogues(out, _dialogues(archive), archive)


def _dialogues(archive: Path) -> Iterator[dict[str, Any]]:
    for name, dialogue in load(archive).items():
        yield _dialogue(archive, name, dialogue)


def load(path: Path) -> dict[str, Any]:
    """The dialogues of a JSON file, or of a zip's only JSON file or its only `data.json`."""
    if path.suffix != ".zip":
        return fields(read_json(path, AGAIN), path, "the file")
    with reading(path, "zip"), zipfile.ZipFile(path) as file:
        members = [info for info in file.infolist() if info.filename.endswith(".json")]
        if len(members) > 1:
            members = [info for info in members if info.filename.rpartition("/")[2] == "data.json"]
        if len(members) != 1:
            raise InputError(
                "does not contain exactly one JSON file, or exactly one data.json", path=path, fix=AGAIN
            )
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
    """A goal in the layout of `multiwoz.data`; a user with something to book asks for a reference."""
    goal = {}
    for domain, wanted in fields(content, path, place).items():
        if domain not in DOMAINS or not wanted:
            continue
        here = f"{place}, {domain}"
        task = fields(wanted, path, here)
        informable = {
            slot.lower(): text_of(text, path, f"{here}, {slot}")
            for slot, text in fields(task.get("info", {}), path, here).items()
        }
        requestable = [text_of(slot, path, here).lower() for slot in items(task.get("reqt", []), path, here)]
        if task.get("book"):
            requestable.append("reference")
        goal[domain] = {"informable": informable, "requestable": requestable}
    return goal


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
    """The state of a turn, and the domains with a booking that has a reference by then."""
    state: dict[str, dict[str, str]] = {}
    booked = []
    for domain, content in fields(metadata, path, f"{place}, metadata").items():
        if domain not in DOMAINS:
            continue
        here = f"{place}, metadata of {domain}"
        sections = fields(content, path, here)
        book = dict(fields(sections.get("book", {}), path, here))
        bookings = items(book.pop("booked", []), path, here)
        if any(fields(booking, path, here).get("reference") for booking in bookings):
            booked.append(domain)
        slots = {slot.lower(): value for slot, value in fields(sections.get("semi", {}), path, here).items()}
        slots |= {f"book{slot.lower()}": value for slot, value in book.items()}
        values = {slot: text_of(value, path, f"{here}, {slot}") for slot, value in slots.items()}
        if values := {slot: value for slot, value in values.items() if value not in EMPTY}:
            state[domain] = values
    return state, booked


def acts_of(path: Path, place: str, content: Any) -> Iterator[list[str]]:
    """Acts as `[domain, act, slot, value]`, spelled alike."""
    for name, pairs in fields(content, path, f"{place}, dialog_act").items():
        domain, _, act = name.lower().partition("-")
        for pair in items(pairs, path, f"{place}, {name}"):
            slot, value = (text_of(text, path, f"{place}, {name}") for text in items(pair, path, place, 2))
            yield [domain, act, ACT_SLOTS.get(slot.lower(), slot.lower()), value]


def _spans(path: Path, place: str, text: str, content: Any) -> Iterator[list[Any]]:
    """The spans in characters; white space separates tokens, and a span includes its last token."""
    tokens = [match.span() for match in re.finditer(r"\S+", text)]
    for span in items(content, path, f"{place}, span_info"):
        act, slot, value, first, last = items(span, path, f"{place}, span_info", 5)
        if not all(isinstance(number, int) and 0 <= number < len(tokens) for number in (first, last)):
            continue
        limits = [tokens[first][0], tokens[last][1]]
        if isinstance(value, str) and text[slice(*limits)].lower() == value.lower() != "":
            name = text_of(slot, path, f"{place}, {act}").lower()
            yield [ACT_SLOTS.get(name, name), *limits]


if __name__ == "__main__":
    run(read_multiwoz21)
