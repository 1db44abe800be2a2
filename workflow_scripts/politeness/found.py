"""The table of `strategies`: its reader, and measures of its rows."""

import math
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.politeness.matching import RULES
from workflow_scripts.politeness.strategies import HEADER


@dataclass(frozen=True)
class Found:
    """The counts of one strategy in one language by one rule."""

    words: int
    flagged: int
    mapped: int
    requests: int
    mean: float
    first: int
    fourth: int
    signature: str

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of the requests in the first and in the fourth quartile."""
        return self.first / self.requests, self.fourth / self.requests


# rule -> (strategy, language) -> counts, all in the file's order
Table = dict[str, dict[tuple[str, str], Found]]


def read_found(path: Path) -> Table:
    """Read a table that `strategies` wrote; InputError without the first rule. A missing mean is NaN."""
    table: Table = {}
    for line, row in read_keyed(path, HEADER, 3):
        rule, language, strategy, *numbers, signature = row
        words, flagged, mapped, requests = (whole(text, path, line) for text in numbers[:4])
        if (numbers[4] == "") != (requests == 0):
            raise InputError("a mean without requests, or requests without a mean", path=path, line=line)
        mean = number(numbers[4], path, line) if requests else math.nan
        first, fourth = (whole(text, path, line) for text in numbers[5:])
        cell = Found(words, flagged, mapped, requests, mean, first, fourth, signature)
        table.setdefault(rule, {})[strategy, language] = cell
    if not table:
        raise InputError("no row below the header", path=path)
    if RULES[0].name not in table:
        raise InputError(f"no rule '{RULES[0].name}'", path=path)
    return table


def names(cells: dict[tuple[str, str], Found]) -> tuple[list[str], list[str]]:
    """Strategies and languages, in their order."""
    return list(dict.fromkeys(row for row, _ in cells)), list(dict.fromkeys(column for _, column in cells))


def coverage(cells: dict[tuple[str, str], Found], language: str) -> float:
    """The percentage of English words with a sequence, among those with the lexicon's flag.

    Every word with a sequence has the flag, and so do some others: it seems to mean that the word occurs in
    the translated requests, so that the denominator is the words that could be aligned at all.
    """
    chosen = [cell for (_, code), cell in cells.items() if code == language]
    flagged = sum(cell.flagged for cell in chosen)
    return 100 * sum(cell.mapped for cell in chosen) / flagged if flagged else math.nan
