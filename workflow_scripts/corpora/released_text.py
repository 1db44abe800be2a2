"""Text files of released corpora, from any operating system."""

from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, parallel

BYTE_ORDER_MARK = "\ufeff"
# Later stages write several texts on one tab-separated line.
SPACES = str.maketrans("\t\r\n", "   ")


def tidy(text: str) -> str:
    """One sentence without tabs, carriage returns and line feeds; no-break spaces and U+2028 stay."""
    return text.translate(SPACES)


def read_sides(*paths: Path, filled: bool) -> list[list[str]]:
    """The lines of files that are parallel by line, tidy and without a byte order mark.

    Raises InputError for a file that is missing or not UTF-8, for files that differ in length, for files
    without a line and, with `filled`, for an empty line.
    """
    for _ in parallel(*paths):
        pass
    return [list(_sentences(path, filled)) for path in paths]


def _sentences(path: Path, filled: bool) -> Iterator[str]:
    number = 0
    for number, line in enumerate(lines(path), 1):
        text = tidy(line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line)
        if filled and not text.strip():
            raise InputError("empty line", path=path, line=number, fix="every line needs a sentence")
        yield text
    if not number:
        raise InputError("no sentence", path=path, fix="get it again")
