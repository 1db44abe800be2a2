"""Ratings in standard deviations from their rater's mean."""

import statistics
from collections import defaultdict
from collections.abc import Hashable, Iterable


def standardised(ratings: Iterable[tuple[Hashable, float]]) -> list[float]:
    """The z-score of every rating of `(rater, value)`, in order.

    The standard deviation is of the population, as in the released scores of the Stanford Politeness Corpus;
    for a rater whose values are all equal, every z-score is 0.
    """
    given = list(ratings)
    values: defaultdict[Hashable, list[float]] = defaultdict(list)
    for rater, value in given:
        values[rater].append(value)
    level = {rater: (statistics.fmean(own), statistics.pstdev(own)) for rater, own in values.items()}
    return [(value - level[r][0]) / level[r][1] if level[r][1] else 0.0 for r, value in given]
