"""The released ratings of Pavlick and Tetreault (2016), without their sentences."""

import re
from pathlib import Path

from workflow_scripts.core.errors import InputError

LOWEST, HIGHEST = -3.0, 3.0
NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)")


def read_ratings(path: Path) -> list[float]:
    """The mean rating of each sentence, in the file's order.

    A line has four tab-separated fields: mean, comma-separated ratings, id, sentence. The sentences, which
    are not UTF-8 in two genres, are not read. Raises InputError, naming the line, for another number of
    fields and for a rating that is not a number from -3 to 3.
    """
    means = []
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", path=path) from None
    for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), 1):
        fields = line.split(b"\t")
        if len(fields) != 4:
            raise InputError(
                f"{len(fields)} tab-separated fields instead of 4 (mean, ratings, id, sentence)",
                path=path,
                line=number,
            )
        # A few sentences have fewer than five ratings, and two only have a mean.
        for text in [fields[0], *filter(None, fields[1].split(b","))]:
            if not NUMBER.fullmatch(text) or not LOWEST <= float(text) <= HIGHEST:
                shown = text[:40].decode("utf-8", "backslashreplace")
                raise InputError(f"rating {shown!r} is not a number from -3 to 3", path=path, line=number)
        means.append(float(fields[0]))
    return means
