"""Corrections of p-values for many tests."""

from __future__ import annotations

from collections.abc import Sequence


def holm(values: Sequence[float]) -> list[float]:
    """Holm-adjusted p-values, in the order given: the chance of any false alarm among them is bounded."""
    from statsmodels.stats.multitest import multipletests

    return [float(value) for value in multipletests(values, method="holm")[1]]
