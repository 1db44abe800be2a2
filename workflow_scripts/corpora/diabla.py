"""DiaBLa (Bawden et al., 2021): chats between English and French speakers, with human translations."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.json_files import read_json
from workflow_scripts.corpora.released_text import tidy

LANGUAGES = ("english", "french")
AGAIN = "get the corpus again"


def read_diabla(folder: Path, code: str) -> list[tuple[str, str]]:
    """The utterances in both languages and their reference translations, English first, chat after chat.

    The machine translations that the speakers saw during the chat are not read. `folder`
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
    """The pairs of one chat, English first, in the order of writing."""
    chat = read_json(path, AGAIN)
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
    return tidy(text)
