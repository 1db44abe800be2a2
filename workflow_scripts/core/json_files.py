"""JSON files, read so that nothing in them is lost without a word and nothing in them ends the program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, reading


def read_json(path: Path, fix: str = "") -> Any:
    """What a JSON file holds; `fix` is what a user can do about one that holds none.

    Raises InputError if the file cannot be read, is not UTF-8 or not JSON, names something twice in an
    object, or holds a text with half a character, which no file could be written with.
    """
    with reading(path) as stream:
        return parse_json(stream.read(), path, fix=fix)


def parse_json(data: bytes, path: Path | str, *, line: int | None = None, fix: str = "") -> Any:
    """The same of bytes: those of `path`, or of one line of it."""
    try:
        text = data.decode("utf-8-sig")
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        place = line or data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8", path=path, line=place, fix=fix) from None
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error.msg})", path=path, line=line or error.lineno, fix=fix) from None
    # A name that stands twice, a number of thousands of digits, brackets in brackets without end.
    except (ValueError, RecursionError) as error:
        raise InputError(f"not usable JSON ({error})", path=path, line=line, fix=fix) from None
    # Half a character cannot be in UTF-8, so that only an escape can have brought it.
    if "\\u" in text and _torn(found):
        raise InputError("a text holds half a character", path=path, line=line, fix=fix)
    return found


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """What each line of a file of JSON lines holds, with its number; InputError names a line that is none."""
    for number, line in enumerate(lines(path), 1):
        yield number, parse_json(line.encode(), path, line=number)


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!a} stands twice")
    return found


def _torn(found: Any) -> bool:
    """Whether a text, or a name, in it holds a surrogate."""
    waiting = [found]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str) and any("\ud800" <= character <= "\udfff" for character in one):
            return True
        if isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one
    return False
