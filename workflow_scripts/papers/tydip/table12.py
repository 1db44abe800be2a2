"""Command: Table 12 of TyDiP, statistics of the formality data used as test sets."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.unreleased import NOT_COMPARED
from workflow_scripts.politeness.styles import read_styles

COLUMNS = ("informal", "formal")


@leaf("lang", "metric")
def table12(*, languages: list[str], styles: Path | None = None) -> Table:
    """Write the number of scored informal sentences, and of formal ones over all sets of rewrites.

    :param table: CSV to write: lang, informal, formal
    :param styles: the file that politeness.styles wrote; none without a classifier
    """
    by_language = read_styles(styles) if styles else {}
    cells: Cells = {}
    for language in languages:
        for column in COLUMNS:
            cells[language, column] = (
                Cell(str(getattr(by_language[language], column)), signature(styles))
                if styles and language in by_language
                else Cell("", "", NOT_COMPARED)
            )
    return Table(cells, COLUMNS)


if __name__ == "__main__":
    run(table12)
