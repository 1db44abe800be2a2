"""Command: Table 7 of TyDiP, analysis of politeness predictions on (informal, formal) sentence pairs."""

import math
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.unreleased import NOT_COMPARED, XLMR, other_encoder
from workflow_scripts.politeness.styles import read_styles

COLUMNS = ("same", "higher")


@leaf("lang", "metric")
def table7(*, languages: list[str], styles: Path | None = None, encoder: str | None = None) -> Table:
    """Write the share of pairs with the same label, and of pairs whose formal side is more polite.

    Every rewrite is paired with its informal sentence; the label is polite for a probability above 0.5; a
    pair with equal probabilities does not count as more polite.

    :param table: CSV to write: lang, same, higher
    :param styles: the file that politeness.styles wrote; none without a classifier
    :param encoder: the classifier's encoder (XLMR in the paper), as in `other_encoder`
    """
    by_language = read_styles(styles) if styles else {}
    other = other_encoder(XLMR, encoder)
    cells: Cells = {}
    for language in languages:
        style = by_language.get(language)
        for column in COLUMNS:
            if style is None or styles is None:
                cells[language, column] = Cell("", "", NOT_COMPARED)
            elif math.isnan(getattr(style, column)):
                cells[language, column] = Cell("", "", "no pairs")
            else:
                facts = signature(styles, pairs=style.formal, threshold=0.5)
                cells[language, column] = Cell(rounded(getattr(style, column), 3), facts, other)
    return Table(cells, COLUMNS)


if __name__ == "__main__":
    run(table7)
