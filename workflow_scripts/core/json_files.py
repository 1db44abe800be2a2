"""JSON files, read so that no content is lost silently and no content crashes the program."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, reading


def read_json(path: Path, fix: str = "") -> Any:
    """The content of a JSON file; `fix` is the advice to a user if it is damaged.

    Raises InputError if the file cannot be read, is not UTF-8 or not JSON, repeats a key within an object, or
    has a text with half a character, which no file could be written with.
    """
    with reading(path) as stream:
        return parse_json(stream.read(), path, fix=fix)


def parse_json(data: bytes, path: Path | str, *, line: int | None = None, fix: str = "") -> Any:
    """The same for bytes: the content of `path`, or of one line of it."""
    try:
        text = data.decode("utf-8-sig")
        found = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        place = line or data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8", path=path, line=place, fix=fix) from None
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error.msg})", path=path, line=line or error.lineno, fix=fix) from None
    # A repeated key, a number of thousands of digits, or endlessly nested brackets.
    except (ValueError, RecursionError) as error:
        raise InputError(f"not usable JSON ({error})", path=path, line=line, fix=fix) from None
    # UTF-8 cannot encode half a character, so only an escape can have produced it.
    if "\\u" in text and _torn(found):
        raise InputError("a text contains half a character", path=path, line=line, fix=fix)
    return found


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The content of each line of a file of JSON lines, with its number; InputError names an invalid line."""
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
    """Whether a text, or a key, in it contains a surrogate."""
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
