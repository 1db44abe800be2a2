"""Command: Figure 8 of TyDiP with lexicons induced here."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.papers.tydip.figure8 import KEYS, outer_quartiles
from workflow_scripts.papers.tydip.unreleased import OTHER_LEXICONS


@leaf(*KEYS, drawn=True)
def figure8_scratch(*, found: Path) -> Rows:
    """Draw the share of the requests with a strategy in each outer quartile; see `figure8`.

    :param table: CSV to write: strategy, lang, requests, first, fourth (shares; empty for no requests)
    :param found: the file that `strategies` wrote for the induced lexicons
    """
    return outer_quartiles(found, OTHER_LEXICONS)


if __name__ == "__main__":
    run(figure8_scratch)
