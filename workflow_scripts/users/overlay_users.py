"""Command: dialogues whose users say what a style transfer has them say (Hu et al., 2022, Section IV-B)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.json_files import json_lines
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues


def overlay_users(target: Path, *, dialogues: Path, words: Path) -> None:
    """Write dialogues with other users' words; states, acts and responses are those of the dialogues.

    Raises InputError if there are not as many utterances as turns.

    :param target: JSON lines to write
    :param dialogues: JSON lines as `multiwoz.data` describes them
    :param words: what users say, a line for each turn of each dialogue
    """
    said = iter(words_of_turns(words, read_dialogues(dialogues)))
    rewritten = []
    for _, content in json_lines(dialogues):
        for turn in content["turns"]:
            turn["user"] = next(said)
        rewritten.append(json.dumps(content, ensure_ascii=False))
    write_lines(target, rewritten)


def words_of_turns(words: Path, dialogues: Sequence[Dialogue]) -> list[str]:
    """What users say, a line for each turn of each dialogue; InputError if there are not as many."""
    given = read_lines(words, filled=True)
    turns = sum(len(one.turns) for one in dialogues)
    if len(given) != turns:
        raise InputError(f"{len(given)} utterances for {turns} turns", path=words, fix="make it again")
    return given


if __name__ == "__main__":
    run(overlay_users)
