"""Command: Figure 8 of TyDiP with lexicons induced here."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.comparison import Scale
from workflow_scripts.papers.tydip.figure8 import figure8
from workflow_scripts.papers.tydip.unreleased import OTHER_LEXICONS


def figure8_scratch(
    figure: Path, table: Path, comparison: Path, *, found: Path, printed: Path, scale: Scale
) -> None:
    """Draw the share of the requests with a strategy in each outer quartile; see `figure8`.

    :param figure: SVG to write
    :param table: CSV to write: strategy, lang, requests, first, fourth (shares; empty for no requests)
    :param comparison: CSV to write: plot, metric, printed, ours, difference, comparable, signature
    :param found: the file that `strategies` wrote for the induced lexicons
    :param printed: CSV: plot, metric, printed
    :param scale: the run's scale
    """
    files = {"found": found, "printed": printed}
    figure8(figure, table, comparison, **files, scale=scale, caveat=OTHER_LEXICONS)


if __name__ == "__main__":
    run(figure8_scratch)
