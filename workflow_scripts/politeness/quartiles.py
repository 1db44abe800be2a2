"""The lower and the upper quartile of politeness scores (Srinivasan and Choi, 2022, Section 2.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from workflow_scripts.statistics import quantiles


@dataclass(frozen=True)
class Quartiles:
    """The lower and the upper quartile of scores, and the side of a score outside them."""

    low: float
    high: float

    def side(self, score: float) -> int:
        """-1: at or below the lower quartile; 1: at or above the upper quartile; 0: between them."""
        return -1 if score <= self.low else 1 if score >= self.high else 0


def quartiles(scores: Sequence[float]) -> Quartiles:
    """The 25th and 75th percentile, interpolated linearly between neighbours."""
    low, _, high = quantiles.quartiles(scores)
    return Quartiles(low, high)
