"""DiaBLa (Bawden et al., 2021): chats between English and French speakers, with human translations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.released_text import tidy

LANGUAGES = ("english", "french")
AGAIN = "get the corpus again"


def read_diabla(folder: Path, code: str) -> list[tuple[str, str]]:
    """What was written in either language and its reference translation, English first, chat after chat.

    The translations that the two speakers saw while they chatted are a machine's, and are not read. `folder`
    is the repository's root; `code` is french. Raises InputError for another language, if there is no chat,
    or if one is not JSON of this kind.
    """
    if code not in LANGUAGES[1:]:
        raise InputError(f"DiaBLa has no language '{code}'", path=folder, fix="known: french")
    place = folder / "DiaBLa-corpus" / "dialogues"
    paths = sorted(place.glob("*.json"))
    if not paths:
        raise InputError("no *.json in it", path=place, fix=AGAIN)
    return [pair for path in paths for pair in read_dialogue(path)]


def read_dialogue(path: Path) -> Iterator[tuple[str, str]]:
    """The pairs of one chat, English first, in the order in which they were written."""
    chat = _load(path)
    utterances = chat.get("utterances") if isinstance(chat, dict) else None
    if not isinstance(utterances, dict):
        raise InputError("no object 'utterances'", path=path, fix=AGAIN)
    for number, utterance in utterances.items():
        fields = utterance if isinstance(utterance, dict) else {}
        if (language := fields.get("language")) not in LANGUAGES:
            raise InputError(f"utterance {number!r}: language is not {' or '.join(LANGUAGES)}", path=path)
        written, translated = (
            _text(path, number, key, fields.get(key)) for key in ("original_text", "reference_translation")
        )
        yield (written, translated) if language == "english" else (translated, written)


def _text(path: Path, number: str, key: str, text: Any) -> str:
    if not isinstance(text, str):
        raise InputError(f"utterance {number!r}: no text '{key}'", path=path, fix=AGAIN)
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InputError(f"utterance {number!r}: '{key}' holds half a character", path=path, fix=AGAIN)
    return tidy(text)


def _load(path: Path) -> Any:
    data = path.read_bytes()
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError("not UTF-8", path=path, line=line, fix=AGAIN) from None
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON ({error.msg})", path=path, line=error.lineno, fix=AGAIN) from None
    # A name that stands twice, a number of thousands of digits, brackets in brackets without end.
    except (ValueError, RecursionError) as error:
        raise InputError(f"not a chat ({error})", path=path, fix=AGAIN) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; of two utterances of one name, json would lose the first without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands twice")
    return found
