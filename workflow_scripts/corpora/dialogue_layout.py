"""Shared by the readers of dialogues: checks of JSON values, and the layout that they write."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import LONGEST_LINE, writing

AGAIN = "get the corpus again"


def fields(content: Any, path: Path | str, place: str) -> dict[str, Any]:
    """A JSON object; InputError, naming its place, for anything else."""
    if not isinstance(content, dict):
        raise InputError(f"{place} is not an object", path=path, fix=AGAIN)
    return content


def items(content: Any, path: Path | str, place: str, count: int | None = None) -> list[Any]:
    """A JSON list, of `count` items if given; InputError for anything else."""
    if not isinstance(content, list) or (count is not None and len(content) != count):
        kind = "list" if count is None else f"list of {count}"
        raise InputError(f"{place} is not a {kind}", path=path, fix=AGAIN)
    return content


def turns_of(content: Any, path: Path | str, place: str, name: str) -> list[Any]:
    """The alternating turns of user and system in a dialogue; InputError if their number is odd, or 0."""
    turns = items(content, path, f"{place}, {name}")
    if len(turns) % 2 or not turns:
        raise InputError(f"{place}: {len(turns)} turns, but an even number is needed", path=path, fix=AGAIN)
    return turns


def text_of(content: Any, path: Path | str, place: str) -> str:
    """A JSON string; InputError for anything else."""
    if not isinstance(content, str):
        raise InputError(f"{place}: {ascii(content)[:40]} is not a text", path=path, fix=AGAIN)
    return content


def plain_id(name: str) -> str:
    """The id of a dialogue in all files of this project: `PMUL4398.json` is pmul4398."""
    return name.lower().removesuffix(".json")


def write_dialogues(out: Path, dialogues: Iterable[dict[str, Any]], source: Path) -> None:
    """Write dialogues in the layout of `multiwoz.data`, one a line.

    Raises InputError for two with the same id, for one that is too long for a line, and if there is none.
    """
    known: set[str] = set()
    with writing(out) as stream:
        for dialogue in dialogues:
            if (name := dialogue["id"]) in known:
                raise InputError(f"a second dialogue {name!r}", path=source, fix=AGAIN)
            known.add(name)
            line = json.dumps(dialogue, ensure_ascii=False)
            if len(line.encode()) > LONGEST_LINE:
                raise InputError(f"dialogue {name!r} is too long for a line", path=source, fix=AGAIN)
            stream.write(line + "\n")
        if not known:
            raise InputError("no dialogue in it", path=source, fix=AGAIN)
