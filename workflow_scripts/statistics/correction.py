"""Corrections of p-values for many tests."""

from collections.abc import Sequence

import numpy as np


def holm(values: Sequence[float]) -> list[float]:
    """Holm-adjusted p-values, in the given order, which bound the probability of any false positive.

    The smallest of m is multiplied by m, the next by m - 1 and so on; none is smaller than its predecessor.
    """
    given = np.asarray(values, float)
    order = np.argsort(given)
    adjusted = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    found = np.empty_like(given)
    found[order] = np.minimum(adjusted, 1)
    return [float(value) for value in found]
