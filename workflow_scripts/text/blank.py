"""Blank lines: programs that learn from a text leave them out, and report how many there were."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path


def filled(lines: Iterable[str], path: Path) -> Iterator[str]:
    """Pass on the lines that contain more than white space; at the end, stderr has the number of the others.

    :param lines: lines of a text, or made one by one from its lines
    :param path: file of the text, for the message
    """
    blank = 0
    for line in lines:
        if line.strip():
            yield line
        else:
            blank += 1
    if blank:
        print(f"{path}: {blank} lines without a word are left out", file=sys.stderr)
