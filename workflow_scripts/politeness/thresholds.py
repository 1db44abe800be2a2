"""Which scores are polite, and which are formal: said here and nowhere else.

Classifiers learn labels that are made by these functions; how a classifier's own score is read stands in
`encoders.classes.is_positive`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Of a request's score, the mean of its raters' z-scores, and of a single rater's z-score.
POLITE_ABOVE = 0.0
# Of a rating of formality, from -3 to 3.
FORMAL_ABOVE = 0.0


@overload
def is_polite(score: float) -> bool: ...
@overload
def is_polite(score: NDArray[np.float64]) -> NDArray[np.bool_]: ...
def is_polite(score: float | NDArray[np.float64]) -> bool | NDArray[np.bool_]:
    """Whether a request with this score is polite; of an array, whether each is."""
    return score > POLITE_ABOVE


def is_formal(rating: float) -> bool:
    """Whether a sentence with this rating is formal."""
    return rating > FORMAL_ABOVE
