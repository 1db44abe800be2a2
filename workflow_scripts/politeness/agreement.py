"""Command: the agreement of raters of requests (Srinivasan and Choi, 2022, Section 2.2)."""

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

    # Raters x requests; NaN where a rater gave no rating.
    Ratings = NDArray[np.float64]

COLUMNS = ("raters", "part", "hit", "agreement", "shuffled", "pairs", "dropped")
# Parts besides English: requests in the raters' own language, and those that Stanford's raters rated.
TARGET, ORIGINAL = "target", "original"


def agreement(
    table: Path,
    *,
    stanford: Path,
    seed: int,
    ratings: list[Path] | None = None,
    languages: list[str] | None = None,
) -> None:
    """Write the mean correlation over all pairs of raters, a line for each part of each HIT.

    The correlation is Spearman's, over the requests that both raters of a pair rated. `shuffled` is the same
    after each rater's ratings within the part have been permuted at random. A pair with fewer than two shared
    requests, or with a rater who rated them all alike, has no correlation: it is left out, and counted.
    Stanford's parts are the requests that the same five workers rated.

    :param table: CSV to write: raters (a language, or `stanford`), part (`en`, `target`, `original`), hit,
        agreement, shuffled (six decimals; empty without a pair), pairs (used), dropped (pairs left out)
    :param stanford: the Stanford Politeness Corpus with its single ratings
    :param ratings: files that politeness.ratings wrote
    :param languages: the raters' languages, parallel
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
    for judgment in read_judgments(path):
        if judgment.language not in (ENGLISH, language):
            raise InputError(f"ratings of requests in '{judgment.language}'", path=path)
        part = TARGET if judgment.language == language else ENGLISH
        parts[part, judgment.hit][judgment.rater, judgment.place] = judgment.value
    for key, values in sorted(parts.items()):
        raters, places = (sorted(set(side)) for side in zip(*values, strict=True))
        yield key, np.array([[values.get((r, p), math.nan) for p in places] for r in raters])


def _sets(path: Path) -> Iterator[Ratings]:
    """The ratings of requests that the same workers rated, a matrix per set of workers, in file order."""
    import numpy as np

    sets: defaultdict[frozenset[int], list[dict[int, int]]] = defaultdict(list)
    for request in read_stanford(path):
        sets[frozenset(request.workers)].append(dict(zip(request.workers, request.ratings, strict=True)))
    for workers, rows in sets.items():
        yield np.array([[float(row[worker]) for row in rows] for worker in sorted(workers)])


def _measured(matrix: Ratings, seed: Sequence[int]) -> list[object]:
    import numpy as np

    rng = np.random.default_rng(list(seed))
    shuffled = matrix.copy()
    for row in shuffled:
        rated = ~np.isnan(row)
        row[rated] = rng.permutation(row[rated])
    mean, pairs = mean_correlation(matrix)
    chance, _ = mean_correlation(shuffled)
    every = len(matrix) * (len(matrix) - 1) // 2
    return [_text(mean), _text(chance), pairs, every - pairs]


def mean_correlation(matrix: Ratings) -> tuple[float, int]:
    """The mean of Spearman's correlation over the pairs of rows that have one, and their number."""
    import numpy as np
    from scipy.stats import rankdata

    if np.isnan(matrix).any():
        values = [
            value
            for row in range(len(matrix))
            for value in _correlations(matrix, row)
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


def _correlations(matrix: Ratings, row: int) -> Iterator[float]:
    """The correlations of a row with the rows below it, over their shared requests."""
    import numpy as np

    from workflow_scripts.statistics.correlation import spearman

    for other in range(row + 1, len(matrix)):
        both = ~np.isnan(matrix[[row, other]]).any(axis=0)
        yield spearman(matrix[row, both].tolist(), matrix[other, both].tolist())


def _text(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6f}"


def read_agreement(path: Path) -> dict[tuple[str, str], list[tuple[float, float, int]]]:
    """The table of `agreement`: (raters, part) -> agreement, shuffled and dropped pairs of each HIT."""
    measured: defaultdict[tuple[str, str], list[tuple[float, float, int]]] = defaultdict(list)
    for line, (raters, part, _, *values, pairs, dropped) in read_keyed(path, COLUMNS, 3):
        mean, chance = (number(value, path, line) if value else math.nan for value in values)
        whole(pairs, path, line)
        measured[raters, part].append((mean, chance, whole(dropped, path, line)))
    return dict(measured)


if __name__ == "__main__":
    run(agreement)
