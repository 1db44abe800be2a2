"""Why cells cannot be compared with XFORMAL's: the translator or the encoder differs."""

from workflow_scripts.leaves.signature import translator_of

# The paper's translation service, and the encoder of its regressors (Sections 5.1 and 5.3).
BACKEND = "aws"
ENCODER = "google-bert/bert-base-multilingual-cased"


def departures(language: str, *, backend: str = BACKEND, encoder: str = ENCODER) -> str:
    """The caveat of a cell that depends on translations, on formality scores or on both.

    :param language: the cell's language
    :param backend: the run's translators, as `translator_of` reads them, if the cell depends on translations
    :param encoder: hub name of the regressors' encoder, or the kind of another one, if the cell depends on it
    """
    translator = translator_of(backend, language)
    return joined(
        "" if translator == BACKEND else f"backend {translator}",
        "" if encoder == ENCODER else f"encoder {encoder}",
    )


def joined(*caveats: str) -> str:
    """Several caveats as one, without the empty ones."""
    return ", ".join(filter(None, caveats))
