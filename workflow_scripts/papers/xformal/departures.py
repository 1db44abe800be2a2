"""Why cells cannot be compared with XFORMAL's: another translator or encoder than the paper's."""

from __future__ import annotations

# The paper's translation service, and the encoder of its regressors (Sections 5.1 and 5.3).
BACKEND = "aws"
ENCODER = "google-bert/bert-base-multilingual-cased"


def departures(*, backend: str = BACKEND, encoder: str = ENCODER) -> str:
    """The caveat of a cell that depends on translations, on scores of formality or on both.

    :param backend: `translation.backend`, if the cell depends on it
    :param encoder: the hub's name of the regressors' encoder, or the kind of another one, if it depends on it
    """
    return joined(
        "" if backend == BACKEND else f"backend {backend}",
        "" if encoder == ENCODER else f"encoder {encoder}",
    )


def joined(*caveats: str) -> str:
    """Several caveats as one; empty ones are none."""
    return ", ".join(filter(None, caveats))
