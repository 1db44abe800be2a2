"""Quantiles, interpolated linearly between neighbours."""

from collections.abc import Sequence


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """The 25th, 50th and 75th percentile."""
    import numpy as np

    low, middle, high = np.quantile(np.asarray(values, dtype=np.float64), [0.25, 0.5, 0.75])
    return float(low), float(middle), float(high)
