"""The definitions of polite and formal gold scores, in this module alone.

These functions make the labels that classifiers learn; `encoders.classes.is_positive` interprets a
classifier's own score.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# For a request's score (the mean of its raters' z-scores), and for a single rater's z-score.
POLITE_ABOVE = 0.0
# For a formality rating, from -3 to 3.
FORMAL_ABOVE = 0.0


@overload
def is_polite(score: float) -> bool: ...
@overload
def is_polite(score: NDArray[np.float64]) -> NDArray[np.bool_]: ...
def is_polite(score: float | NDArray[np.float64]) -> bool | NDArray[np.bool_]:
    """Whether a request with this score is polite; for an array, whether each is."""
    return score > POLITE_ABOVE


def is_formal(rating: float) -> bool:
    """Whether a sentence with this rating is formal."""
    return rating > FORMAL_ABOVE
