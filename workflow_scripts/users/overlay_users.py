"""Command: replace users' words by the output of a style transfer (Hu et al., 2022, Section IV-B)."""

import json
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.json_files import json_lines
from workflow_scripts.multiwoz.data import Dialogue, read_dialogues


def overlay_users(target: Path, *, dialogues: Path, words: Path) -> None:
    """Write dialogues with replaced users' words; states, acts and responses stay.

    Raises InputError if the numbers of utterances and turns differ.

    :param target: JSON lines to write
    :param dialogues: JSON lines as `multiwoz.data` describes them
    :param words: users' words, a line for each turn of each dialogue
    """
    said = iter(words_of_turns(words, read_dialogues(dialogues)))
    rewritten = []
    for _, content in json_lines(dialogues):
        for turn in content["turns"]:
            turn["user"] = next(said)
        rewritten.append(json.dumps(content, ensure_ascii=False))
    write_lines(target, rewritten)


def words_of_turns(words: Path, dialogues: Sequence[Dialogue]) -> list[str]:
    """Users' words, a line for each turn of each dialogue; InputError if the numbers differ."""
    utterances = read_lines(words, filled=True)
    turns = sum(len(dialogue.turns) for dialogue in dialogues)
    if len(utterances) != turns:
        raise InputError(f"{len(utterances)} utterances for {turns} turns", path=words, fix="make it again")
    return utterances


if __name__ == "__main__":
    run(overlay_users)
