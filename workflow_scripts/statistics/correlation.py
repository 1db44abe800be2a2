"""Correlation of two lists of numbers; nan if all numbers of one list are equal."""

import math
from collections.abc import Sequence


def spearman(one: Sequence[float], two: Sequence[float]) -> float:
    """Spearman's rank correlation; ties share the mean of their ranks."""
    from scipy.stats import spearmanr

    return float(spearmanr(one, two).statistic) if _vary(one, two) else math.nan


def pearson(one: Sequence[float], two: Sequence[float]) -> float:
    """Pearson's correlation."""
    from scipy.stats import pearsonr

    return float(pearsonr(one, two).statistic) if _vary(one, two) else math.nan


def _vary(one: Sequence[float], two: Sequence[float]) -> bool:
    return len(set(one)) > 1 and len(set(two)) > 1
