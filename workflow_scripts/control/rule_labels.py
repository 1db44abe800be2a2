"""Command: which sentences of a bitext are formal or informal by rules (CoCoA-MT, Section 6.2)."""

import sys
from collections import Counter
from pathlib import Path

from workflow_scripts.control.lists import Lists
from workflow_scripts.core.command import run
from workflow_scripts.core.files import parallel, progress, write_lines


def rule_labels(source: Path, target: Path, labels: Path, *, lists: Path) -> None:
    """Write a level for each pair, or an empty line where the rules say none; stderr has their numbers.

    Raises InputError for lists that are none (see `control.lists`), and for files of different lengths.

    :param source: English sentences, one a line
    :param target: their translations
    :param labels: file to write: formal, informal or nothing, parallel to them
    :param lists: table of the forms of the translations' language
    """
    known = Lists.read(lists)
    counts: Counter[str] = Counter()

    def found(one: str, other: str) -> str:
        level = known.label(one, other)
        counts[level] += 1
        return level

    pairs = progress(parallel(source, target), f"labels {target.name}", unit="pair")
    write_lines(labels, (found(one, other) for one, other in pairs))
    print(
        f"{target}: {counts['formal']} formal, {counts['informal']} informal, {counts['']} neither",
        file=sys.stderr,
    )


if __name__ == "__main__":
    run(rule_labels)
