"""Lines that teach nothing: what learns from a text leaves them out, and says how many there were."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path


def filled(lines: Iterable[str], path: Path) -> Iterator[str]:
    """Pass on the lines that hold more than white space; at the end, stderr says how many others there were.

    :param lines: of a text, or made of them one by one
    :param path: where the text is from
    """
    blank = 0
    for line in lines:
        if line.strip():
            yield line
        else:
            blank += 1
    if blank:
        print(f"{path}: {blank} lines without a word are left out", file=sys.stderr)
