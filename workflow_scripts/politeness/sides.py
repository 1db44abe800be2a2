"""Command: rated sentences as informal and formal ones."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines


def sides(informal: Path, formal: Path, *, sentences: Path, scores: Path) -> None:
    """Write the sentences with a score above 0 as formal, and all others as informal.

    :param informal: sentences to write, in their order
    :param formal: sentences to write, in their order
    :param sentences: rated sentences
    :param scores: their formality, parallel by line
    """
    texts, values = read_lines(sentences), read_numbers(scores)
    if len(texts) != len(values):
        raise InputError(f"{len(values)} scores but {len(texts)} sentences in {sentences}", path=scores)
    write_lines(informal, (text for text, value in zip(texts, values, strict=True) if value <= 0))
    write_lines(formal, (text for text, value in zip(texts, values, strict=True) if value > 0))


if __name__ == "__main__":
    run(sides)
