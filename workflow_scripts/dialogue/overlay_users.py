"""Command: dialogues whose users say what a style transfer has them say (Hu et al., 2022, Section IV-B)."""

from __future__ import annotations

import json
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.json_files import json_lines
from workflow_scripts.dialogue.data import read_dialogues


def overlay_users(target: Path, *, dialogues: Path, words: Path) -> None:
    """Write dialogues with other users' words; states, acts and responses are those of the dialogues.

    Raises InputError if there are not as many utterances as turns.

    :param target: JSON lines to write
    :param dialogues: JSON lines as `dialogue.data` describes them
    :param words: what users say, a line for each turn of each dialogue
    """
    turns = [len(one.turns) for one in read_dialogues(dialogues)]
    given = read_lines(words, filled=True)
    if len(given) != sum(turns):
        raise InputError(f"{len(given)} utterances for {sum(turns)} turns", path=words, fix="make it again")
    said = iter(given)
    rewritten = []
    for _, content in json_lines(dialogues):
        for turn in content["turns"]:
            turn["user"] = next(said)
        rewritten.append(json.dumps(content, ensure_ascii=False))
    write_lines(target, rewritten)


if __name__ == "__main__":
    run(overlay_users)
