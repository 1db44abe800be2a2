"""Command: a system's rewrites of users' words, in the format of the impolite corpus."""

import json
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import write_lines
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.users.overlay_users import words_of_turns


def made_corpus(corpus: Path, *, dialogues: Path, words: Path) -> None:
    """Write a corpus of rewritten dialogues without ratings and without scenarios.

    :param corpus: JSON lines to write, as `corpora.impolite` describes them
    :param dialogues: JSON lines as `multiwoz.data` describes them
    :param words: users' words, a line for each turn of each dialogue
    """
    known = read_dialogues(dialogues)
    said = iter(words_of_turns(words, known))
    write_lines(
        corpus,
        (
            json.dumps(
                {
                    "dialogue_id": dialogue.id,
                    "turns": [
                        {"turn_id": str(2 * at), "impolite": next(said)} for at in range(len(dialogue.turns))
                    ],
                }
            )
            for dialogue in known
        ),
    )


if __name__ == "__main__":
    run(made_corpus)
