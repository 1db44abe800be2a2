"""Command: rated formality of the English sentences of Pavlick and Tetreault (2016), by genre."""

import statistics
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.figures.histograms import Distribution, histograms
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.pt16.ratings import HIGHEST, LOWEST, read_ratings
from workflow_scripts.statistics.quantiles import quartiles

WIDTH = 0.5
# Twelve bins for the figure; the six bins of XFORMAL's Table 9 are twice as wide.
EDGES = [LOWEST + step * WIDTH for step in range(int((HIGHEST - LOWEST) / WIDTH) + 1)]
WIDE = EDGES[::2]
STATISTICS = ("mean", "std", "min", "quartile1", "median", "quartile3", "max")


@leaf("genre", "bin", "metric", scaled=False, drawn=True)
def pt16(theirs: Printed, *, files: list[Path], genres: list[str]) -> Rows:
    """Draw one histogram of ratings per genre, and write their numbers.

    A sentence's rating is the mean over its annotators, from -3 (informal) to 3 (formal). The deviation is
    the population's, quartiles are interpolated linearly, and a bin includes its lower edge (the last one
    both). XFORMAL's Table 9 gives mean and deviation of the ratings in six bins of PT16's test part, which is
    unknown; the comparison uses the whole genre *answers*, the source of XFORMAL's sentences (Section 5.3).

    :param table: CSV to write: genre, sentences, mean, std, min, quartile1, median, quartile3, max, then the
        number of sentences per bin, named after its lower edge
    :param comparison: CSV to write: genre, bin (lower edge), metric, printed, ours, difference, comparable,
        signature
    :param files: the released files, one per genre
    :param genres: their names
    :param printed: CSV: genre, bin, metric (mean or std), printed
    """
    if len(files) != len(genres):
        raise InputError(f"{len(genres)} genres have {len(files)} files", fix="give each its file")
    groups = []
    rows = []
    cells: Cells = {}
    for genre, file in zip(genres, files, strict=True):
        ratings = read_ratings(file)
        groups.append(Distribution.of(genre, ratings, EDGES))
        numbers = [rounded(number, 4) for number in _statistics(ratings)]
        rows.append([genre, len(ratings), *numbers, *groups[-1].counts])
        for low, values in _binned(ratings).items():
            facts = f"{genre}@{digest(file)[:12]}|n:{len(values)}|std:population"
            caveat = "the whole genre, not its test part"
            pair = (statistics.fmean(values), statistics.pstdev(values))
            for metric, number in zip(("mean", "std"), pair, strict=True):
                cells[genre, f"{low:g}", metric] = Cell(rounded(number, 2), facts, caveat)
    printed_genres = {key[0] for key in theirs}
    ours = {key: cell for key, cell in cells.items() if key[0] in printed_genres}

    @drawing
    def draw() -> Drawn:
        return Drawn(
            histograms(groups, edges=EDGES, columns=2, label="rated formality", unit="sentences"),
            title="Rated formality of English sentences per genre (Pavlick and Tetreault, 2016)",
            description="One histogram per genre. "
            + " ".join(f"{group.said('sentences')}." for group in groups),
        )

    return Rows(
        ours, ("genre", "sentences", *STATISTICS, *(f"{low:g}" for low in EDGES[:-1])), rows, draw=draw
    )


def _statistics(ratings: Sequence[float]) -> tuple[float, ...]:
    mean, deviation = statistics.fmean(ratings), statistics.pstdev(ratings)
    return mean, deviation, min(ratings), *quartiles(ratings), max(ratings)


def _binned(ratings: Sequence[float]) -> dict[float, list[float]]:
    """The ratings in each of the six bins, without empty bins."""
    bins: dict[float, list[float]] = {}
    for low, high in pairwise(WIDE):
        inside = [rating for rating in ratings if low <= rating < high or rating == high == HIGHEST]
        if inside:
            bins[low] = inside
    return bins


if __name__ == "__main__":
    run(pt16)
