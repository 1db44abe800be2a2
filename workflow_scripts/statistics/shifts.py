"""Shifts between pairs of numbers, such as the scores of sentences before and after a translation."""

import math
from collections.abc import Sequence


def paired_t_p(shifts: Sequence[float]) -> float:
    """The two-sided p of a paired t-test on the shifts; nan without a test if they do not vary."""
    if len(set(shifts)) < 2:
        return math.nan
    from scipy.stats import ttest_1samp

    return float(ttest_1samp(shifts, 0.0).pvalue)
