"""The Stanford Politeness Corpus with its single ratings (Danescu-Niculescu-Mizil et al., 2013).

Workers are needed for the normalised scores only. Their identifiers are replaced by numbers while the file is
read: no output or message contains an identifier, or anything derived from one.
"""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.statistics.standard import standardised

RATERS = 5
COLUMNS = (
    *("Community", "Id", "Request"),
    *(f"Score{place}" for place in range(1, RATERS + 1)),
    *(f"TurkId{place}" for place in range(1, RATERS + 1)),
    "Normalized Score",
)
# The ends of the scale.
LOWEST, HIGHEST = 1, 25


@dataclass(frozen=True)
class Rated:
    """A request, its five ratings from 1 to 25, their workers (numbers), and its released score."""

    text: str
    ratings: tuple[int, ...]
    workers: tuple[int, ...]
    score: float


def read_stanford(path: Path) -> list[Rated]:
    """All requests in the file's order; workers are numbered in the order of their first ratings.

    Raises InputError, naming the line and no field, for a request without text, a rating that is not a whole
    number from 1 to 25, a rating without its worker, a worker who rated a request twice, and a score that is
    not a number.
    """
    numbers: dict[str, int] = {}
    requests = []
    for line, (_, _, text, *fields, score) in read_csv(path, COLUMNS):
        if not text.strip():
            raise InputError("no request", path=path, line=line)
        names = [name.strip() for name in fields[RATERS:]]
        if not all(names) or len(set(names)) < RATERS:
            raise InputError("a worker is missing, or is given twice", path=path, line=line)
        try:
            ratings = tuple(whole(rating, path, line, LOWEST) for rating in fields[:RATERS])
            normalised = number(score, path, line)
        except InputError:
            # If the fields of a row have shifted, the text in that message may be a worker's identifier.
            ratings = ()
        if not ratings or max(ratings) > HIGHEST:
            problem = (
                f"ratings must be whole numbers from {LOWEST} to {HIGHEST}, the normalised score a number"
            )
            raise InputError(problem, path=path, line=line)
        workers = tuple(numbers.setdefault(name, len(numbers)) for name in names)
        requests.append(Rated(text, ratings, workers, normalised))
    if not requests:
        raise InputError("no request below the header", path=path)
    return requests


def z_scores(rated: Sequence[Rated]) -> list[tuple[float, ...]]:
    """The five standardised ratings of each request, each over all requests of its worker."""
    flat = standardised(
        (worker, rating) for item in rated for worker, rating in zip(item.workers, item.ratings, strict=True)
    )
    return [tuple(flat[place : place + RATERS]) for place in range(0, len(flat), RATERS)]


def by_text(rated: Sequence[Rated]) -> dict[str, int]:
    """The place of the first request with each `key`."""
    places: dict[str, int] = {}
    for place, request in enumerate(rated):
        places.setdefault(key(request.text), place)
    return places


def key(text: str) -> str:
    """The key that matches a request with TyDiP's: its letters and digits, lower-cased, entities decoded."""
    return "".join(filter(str.isalnum, html.unescape(html.unescape(text)).lower()))
