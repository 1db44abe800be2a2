"""Command: how far raters of requests agree (Srinivasan and Choi, 2022, Section 2.2)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import read_keyed, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.politeness.corpus import ENGLISH
from workflow_scripts.politeness.ratings import read_judgments
from workflow_scripts.politeness.stanford import read_stanford

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    # Raters x requests; NaN where a rater gave none.
    Ratings = NDArray[np.float64]

COLUMNS = ("raters", "part", "hit", "agreement", "shuffled", "pairs", "dropped")
# Whose ratings of which requests: of a language's raters English ones or their own, of Stanford's raters
# theirs.
TARGET, ORIGINAL = "target", "original"


def agreement(
    table: Path,
    *,
    stanford: Path,
    seed: int,
    ratings: list[Path] | None = None,
    languages: list[str] | None = None,
) -> None:
    """Write a line for each part of each HIT: the mean correlation over the pairs of its raters.

    The correlation is Spearman's. `shuffled` is the same after each rater's ratings within the part have
    changed places at random. A pair shares the requests that both rated; where it shares fewer than two, or
    one of them rated all alike, it has no correlation: it is left out, and counted. Stanford's parts are the
    requests that the same five workers rated.

    :param table: CSV to write: raters (a language, or `stanford`), part (`en`, `target`, `original`), hit,
        agreement, shuffled (six decimals; empty without a pair), pairs (that count), dropped (that do not)
    :param stanford: the Stanford Politeness Corpus with its single ratings
    :param ratings: files that politeness.ratings wrote
    :param languages: the raters' languages, parallel
    :param seed: of the shuffle
    """
    fix_threads(1)
    rows: list[list[object]] = []
    for language, path in zip(languages or [], ratings or [], strict=True):
        for (part, hit), matrix in _parts(path, language):
            rows.append(
                [language, part, hit, *_measured(matrix, [seed, *f"{language} {part} {hit}".encode()])]
            )
    for hit, matrix in enumerate(_sets(stanford), 1):
        rows.append(["stanford", ORIGINAL, hit, *_measured(matrix, [seed, hit])])
    write_csv(table, COLUMNS, rows)


def _parts(path: Path, language: str) -> Iterator[tuple[tuple[str, int], Ratings]]:
    """The ratings of each part of each HIT, English first."""
    import numpy as np

    parts: defaultdict[tuple[str, int], dict[tuple[int, int], float]] = defaultdict(dict)
    for one in read_judgments(path):
        if one.language not in (ENGLISH, language):
            raise InputError(f"ratings of requests in '{one.language}'", path=path)
        part = TARGET if one.language == language else ENGLISH
        parts[part, one.hit][one.rater, one.place] = one.value
    for key, given in sorted(parts.items()):
        raters, places = (sorted(set(side)) for side in zip(*given, strict=True))
        yield key, np.array([[given.get((r, p), math.nan) for p in places] for r in raters])


def _sets(path: Path) -> Iterator[Ratings]:
    """The ratings of the requests that the same workers rated, in the order in which the sets come."""
    import numpy as np

    sets: defaultdict[frozenset[int], list[dict[int, int]]] = defaultdict(list)
    for one in read_stanford(path):
        sets[frozenset(one.workers)].append(dict(zip(one.workers, one.ratings, strict=True)))
    for workers, given in sets.items():
        yield np.array([[float(row[worker]) for row in given] for worker in sorted(workers)])


def _measured(matrix: Ratings, seed: Sequence[int]) -> list[object]:
    import numpy as np

    rng = np.random.default_rng(list(seed))
    shuffled = matrix.copy()
    for row in shuffled:
        there = ~np.isnan(row)
        row[there] = rng.permutation(row[there])
    found, pairs = mean_correlation(matrix)
    chance, _ = mean_correlation(shuffled)
    every = len(matrix) * (len(matrix) - 1) // 2
    return [_text(found), _text(chance), pairs, every - pairs]


def mean_correlation(matrix: Ratings) -> tuple[float, int]:
    """The mean of Spearman's correlation over the pairs of rows that have one, and how many these are."""
    import numpy as np
    from scipy.stats import rankdata

    if np.isnan(matrix).any():
        values = [
            value
            for one in range(len(matrix))
            for value in _correlations(matrix, one)
            if not math.isnan(value)
        ]
        return (float(np.mean(values)), len(values)) if values else (math.nan, 0)
    if matrix.shape[1] < 2:
        return math.nan, 0
    ranks = rankdata(matrix[np.ptp(matrix, axis=1) > 0], axis=1)
    if len(ranks) < 2:
        return math.nan, 0
    every = np.corrcoef(ranks)[np.triu_indices(len(ranks), 1)]
    return float(every.mean()), len(every)


def _correlations(matrix: Ratings, one: int) -> Iterator[float]:
    """The correlations of a row with those below it, over what both have."""
    import numpy as np

    from workflow_scripts.statistics.correlation import spearman

    for other in range(one + 1, len(matrix)):
        both = ~np.isnan(matrix[[one, other]]).any(axis=0)
        yield spearman(matrix[one, both].tolist(), matrix[other, both].tolist())


def _text(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6f}"


def read_agreement(path: Path) -> dict[tuple[str, str], list[tuple[float, float, int]]]:
    """What `agreement` wrote: (raters, part) -> of each HIT agreement, shuffled, dropped pairs."""
    found: defaultdict[tuple[str, str], list[tuple[float, float, int]]] = defaultdict(list)
    for line, (raters, part, _, *values, pairs, dropped) in read_keyed(path, COLUMNS, 3):
        one, two = (number(value, path, line) if value else math.nan for value in values)
        whole(pairs, path, line)
        found[raters, part].append((one, two, whole(dropped, path, line)))
    return dict(found)


if __name__ == "__main__":
    run(agreement)
