"""Command: the demo's English requests with simulated ratings of single workers, in Stanford's layout."""

import random
import statistics
from itertools import count
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.fields import number
from workflow_scripts.statistics.standard import standardised

RATERS = 5
HEADER = (
    *("Community", "Id", "Request"),
    *(f"{name}{place}" for name in ("Score", "TurkId") for place in range(1, RATERS + 1)),
    "Normalized Score",
)
# A scale from 1 to 25: its middle, points for a score of 1, deviation of the raters' levels, and of noise.
LOW, HIGH, MIDDLE = 1, 25, 13
STRETCH, BIAS, NOISE = 6.0, 2.0, 3.5


def stanford(table: Path, *, corpus: Path, workers: int, requests: int, seed: int) -> None:
    """Write five simulated ratings of every English request, and the mean of their z scores as the score.

    As in the released file, the same five workers rate several requests in a row. A rating is the sum of the
    request's politeness in the corpus, the worker's level, and noise, on a scale from 1 to 25.

    :param table: CSV to write
    :param corpus: folder that `corpora.demo.requests` wrote
    :param workers: number of workers; five rate each set of requests
    :param requests: requests of a set
    """
    rows: list[tuple[str, float]] = []
    for part in ("train", "test"):
        path = corpus / "data" / "all" / f"en_{part}.csv"
        for line, (text, score) in read_csv(path, ("sentence", "score")):
            rows.append((text, number(score, path, line)))
    rng = random.Random(f"stanford {seed}")
    level = [rng.gauss(0, BIAS) for _ in range(workers)]
    ratings: list[tuple[int, float]] = []
    for begin in range(0, len(rows), requests):
        chosen = rng.sample(range(workers), RATERS)
        for _, latent in rows[begin : begin + requests]:
            for worker in chosen:
                point = MIDDLE + STRETCH * latent + level[worker] + rng.gauss(0, NOISE)
                ratings.append((worker, min(HIGH, max(LOW, round(point)))))
    scores = standardised(ratings)
    lines = []
    for place, (text, _), begin in zip(count(1), rows, range(0, len(ratings), RATERS), strict=False):
        scored = ratings[begin : begin + RATERS]
        names = [f"SIMULATED{worker:03}" for worker, _ in scored]
        mean = statistics.fmean(scores[begin : begin + RATERS])
        lines.append(("Wikipedia", place, text, *(rating for _, rating in scored), *names, f"{mean:.9f}"))
    write_csv(table, HEADER, lines)


if __name__ == "__main__":
    run(stanford)
