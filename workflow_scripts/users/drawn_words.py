"""Command: draw dialogues, and write their users' words for a system that makes them impolite."""

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.users.pairs import plain


def drawn_words(dialogues: Path, words: Path, *, folds: list[Path], sizes: list[int], seed: int) -> None:
    """Write a random sample of dialogues of each fold in their order, and their users' words.

    :param dialogues: JSON lines to write, as `multiwoz.data` describes them
    :param words: text to write, a line for each turn of each dialogue
    :param folds: files of dialogues
    :param sizes: the largest number of dialogues of each file
    """
    lines, said = [], []
    for path, size in zip(folds, sizes, strict=True):
        known, content = read_dialogues(path), read_lines(path)
        places = random.Random(seed).sample(range(len(known)), min(size, len(known)))
        for place in sorted(places):
            lines.append(content[place])
            said += [plain(turn.user) for turn in known[place].turns]
    write_lines(words, said)
    write_lines(dialogues, lines)


if __name__ == "__main__":
    run(drawn_words)
