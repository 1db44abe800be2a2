"""Command: the training sentences of a formality classifier (Srinivasan and Choi, 2022, Section 5)."""

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.encoders.classes import write_label


def labelled(
    sentences: Path, labels: Path, *, informal: Path, formal: Path, seed: int, size: int | None = None
) -> None:
    """Write informal sentences with the label -1 and formal sentences with 1, shuffled.

    :param sentences: to write
    :param labels: to write, parallel by line
    :param informal: sentences
    :param formal: sentences
    :param size: number of sentences to draw from both together; all if not given
    """
    sides = [(informal, write_label(False)), (formal, write_label(True))]
    rows = [(text, label) for path, label in sides for text in read_lines(path)]
    random.Random(f"labelled {seed}").shuffle(rows)
    write_lines(sentences, (text for text, _ in rows[:size]))
    write_lines(labels, (label for _, label in rows[:size]))


if __name__ == "__main__":
    run(labelled)
