"""Command: divide rated sentences into informal and formal sentences."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines
from workflow_scripts.politeness.thresholds import is_formal


def sides(informal: Path, formal: Path, *, sentences: Path, scores: Path) -> None:
    """Write the sentences with a formal score as formal, and all others as informal.

    :param informal: sentences to write, in their order
    :param formal: sentences to write, in their order
    :param sentences: rated sentences
    :param scores: their formality, parallel by line
    """
    texts, values = read_lines(sentences), read_numbers(scores)
    if len(texts) != len(values):
        raise InputError(f"{len(values)} scores but {len(texts)} sentences in {sentences}", path=scores)
    rated = list(zip(texts, map(is_formal, values), strict=True))
    write_lines(informal, (text for text, is_so in rated if not is_so))
    write_lines(formal, (text for text, is_so in rated if is_so))


if __name__ == "__main__":
    run(sides)
