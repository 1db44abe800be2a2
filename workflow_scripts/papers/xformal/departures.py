"""Why cells cannot be compared with XFORMAL's: another translator or encoder than the paper's."""

from __future__ import annotations

from workflow_scripts.leaves.signature import translator_of

# The paper's translation service, and the encoder of its regressors (Sections 5.1 and 5.3).
BACKEND = "aws"
ENCODER = "google-bert/bert-base-multilingual-cased"


def departures(language: str, *, backend: str = BACKEND, encoder: str = ENCODER) -> str:
    """The caveat of a cell that depends on translations, on scores of formality or on both.

    :param language: of the cell
    :param backend: the run's translators, as `translator_of` reads them, if the cell depends on translations
    :param encoder: the hub's name of the regressors' encoder, or the kind of another one, if it depends on it
    """
    own = translator_of(backend, language)
    return joined(
        "" if own == BACKEND else f"backend {own}",
        "" if encoder == ENCODER else f"encoder {encoder}",
    )


def joined(*caveats: str) -> str:
    """Several caveats as one; empty ones are none."""
    return ", ".join(filter(None, caveats))
