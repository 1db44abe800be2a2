"""Command: a system's translations of the test set, from one file or from one file per domain."""

from itertools import groupby
from pathlib import Path

from workflow_scripts.control.data import read_translations
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines


def gather_outputs(out: Path, *, files: list[Path], domains: Path) -> None:
    """Write the translations in the order of the test set.

    Raises InputError if a file is missing, has another number of lines than its part of the test set, or an
    empty line.

    :param out: text file to write, parallel to the test set
    :param files: one file of all sentences, or one per domain in the order of the test set
    :param domains: the domain of each test sentence
    """
    parts = [(name, len(list(lines))) for name, lines in groupby(read_lines(domains, filled=True))]
    if len(files) == 1:
        parts = [("the test set", sum(count for _, count in parts))]
    if len(files) != len(parts):
        raise InputError(f"{len(files)} files, but {len(parts)} domains", path=domains)
    texts = [read_translations(path, count, name) for path, (name, count) in zip(files, parts, strict=True)]
    write_lines(out, (line for text in texts for line in text))


if __name__ == "__main__":
    run(gather_outputs)
