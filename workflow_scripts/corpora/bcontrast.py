"""BConTrasT (Farajian et al., 2020): chats of customers and agents of Taskmaster-1 in English and German."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.json_files import read_json
from workflow_scripts.corpora.released_text import tidy

LANGUAGE = "german"
# Agents' words are English originals with translations; customers' words are German originals.
SPEAKERS = {"agent": ("source", "target"), "customer": ("target", "source")}
# CoCoA-MT's raters saw the first chats in the paper (Section 6.3); no model learns from them.
HELD_OUT = 35
AGAIN = "get the corpus again"


def read_bcontrast(folder: Path, code: str) -> list[tuple[str, str]]:
    """The utterances of the training chats, English first, chat after chat, without the held-out chats.

    Pairs whose English is a sentence of a held-out chat are left out too. `folder` is the repository's root;
    `code` is german. Raises InputError for another language, if there is no further chat, and for a file
    that is not JSON of this kind.
    """
    path = folder / "train.json"
    if code != LANGUAGE:
        raise InputError(f"BConTrasT has no language '{code}'", path=path, fix=f"known: {LANGUAGE}")
    chats = read_json(path, AGAIN)
    if not isinstance(chats, dict):
        raise InputError("not an object of chats", path=path, fix=AGAIN)
    pairs = [list(_pairs(path, name, chat)) for name, chat in chats.items()]
    held_out = {english.strip() for chat in pairs[:HELD_OUT] for english, _ in chat}
    training = [pair for chat in pairs[HELD_OUT:] for pair in chat if pair[0].strip() not in held_out]
    if not training:
        raise InputError(f"no sentence after the first {HELD_OUT} chats", path=path, fix=AGAIN)
    return training


def _pairs(path: Path, name: str, chat: Any) -> Iterator[tuple[str, str]]:
    if not isinstance(chat, list):
        raise InputError(f"chat {name!a}: no list of utterances", path=path, fix=AGAIN)
    for number, utterance in enumerate(chat):
        fields = utterance if isinstance(utterance, dict) else {}
        place = f"chat {name!a}: utterance {number}"
        speaker = fields.get("speaker")
        if not isinstance(speaker, str) or speaker not in SPEAKERS:
            raise InputError(f"{place}: speaker is not {' or '.join(SPEAKERS)}", path=path, fix=AGAIN)
        english, german = (fields.get(side) for side in SPEAKERS[speaker])
        if not isinstance(english, str) or not isinstance(german, str):
            raise InputError(f"{place}: no text 'source' or 'target'", path=path, fix=AGAIN)
        yield tidy(english), tidy(german)
