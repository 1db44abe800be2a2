"""The Stanford Politeness Corpus with its single ratings (Danescu-Niculescu-Mizil et al., 2013).

Who rated is needed for the normalised scores only. The identifiers of workers are replaced by numbers while
the file is read: nothing that is written or said holds one, nor anything made from one.
"""

from __future__ import annotations

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
    """A request, its five ratings from 1 to 25, by whom (numbers), and its released normalised score."""

    text: str
    ratings: tuple[int, ...]
    workers: tuple[int, ...]
    score: float


def read_stanford(path: Path) -> list[Rated]:
    """All requests in the file's order; workers are numbered in the order in which they come.

    Raises InputError, naming the line and no field, for a request without text, a rating that is no whole
    number from 1 to 25, a rating without its worker, a worker who rated a request twice, and a score that is
    no number.
    """
    numbers: dict[str, int] = {}
    found = []
    for line, (_, _, text, *given, score) in read_csv(path, COLUMNS):
        if not text.strip():
            raise InputError("no request", path=path, line=line)
        names = [name.strip() for name in given[RATERS:]]
        if not all(names) or len(set(names)) < RATERS:
            raise InputError("a worker is missing, or stands there twice", path=path, line=line)
        try:
            ratings = tuple(whole(rating, path, line, LOWEST) for rating in given[:RATERS])
            normalised = number(score, path, line)
        except InputError:
            # In a row whose fields have moved, the text of that message may be a worker's.
            ratings = ()
        if not ratings or max(ratings) > HIGHEST:
            problem = f"ratings are whole numbers from {LOWEST} to {HIGHEST}, and the normalised score is one"
            raise InputError(problem, path=path, line=line)
        workers = tuple(numbers.setdefault(name, len(numbers)) for name in names)
        found.append(Rated(text, ratings, workers, normalised))
    if not found:
        raise InputError("no request below the header", path=path)
    return found


def z_scores(rated: Sequence[Rated]) -> list[tuple[float, ...]]:
    """The five standardised ratings of each request, each over all requests of its worker."""
    flat = standardised(
        (worker, rating) for one in rated for worker, rating in zip(one.workers, one.ratings, strict=True)
    )
    return [tuple(flat[place : place + RATERS]) for place in range(0, len(flat), RATERS)]


def by_text(rated: Sequence[Rated]) -> dict[str, int]:
    """The place of the first request with each `key`."""
    places: dict[str, int] = {}
    for place, one in enumerate(rated):
        places.setdefault(key(one.text), place)
    return places


def key(text: str) -> str:
    """What a request is recognised by in TyDiP: its letters and digits, small, with entities undone."""
    return "".join(filter(str.isalnum, html.unescape(html.unescape(text)).lower()))
