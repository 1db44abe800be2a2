"""Command: what a classifier of formality is trained on (Srinivasan and Choi, 2022, Section 5)."""

from __future__ import annotations

import random
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import read_lines, write_lines


def labelled(
    sentences: Path, scores: Path, *, informal: Path, formal: Path, seed: int, size: int | None = None
) -> None:
    """Write informal sentences with the score -1 and formal ones with 1, mixed.

    :param sentences: to write
    :param scores: to write, parallel by line
    :param informal: sentences
    :param formal: sentences
    :param seed: of the order, and of the draw
    :param size: how many are drawn of both together; all without it
    """
    rows = [(text, score) for path, score in ((informal, "-1"), (formal, "1")) for text in read_lines(path)]
    random.Random(f"labelled {seed}").shuffle(rows)
    write_lines(sentences, (text for text, _ in rows[:size]))
    write_lines(scores, (score for _, score in rows[:size]))


if __name__ == "__main__":
    run(labelled)
