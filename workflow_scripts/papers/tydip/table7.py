"""Command: Table 7 of TyDiP, politeness of informal sentences and of their formal rewrites."""

from __future__ import annotations

import math
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.comparison import Cell, Cells, Scale
from workflow_scripts.leaves.layout import write_leaf
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.unreleased import NOT_COMPARED, XLMR, other_encoder
from workflow_scripts.politeness.styles import read_styles

COLUMNS = ("same", "higher")


def table7(
    table: Path,
    comparison: Path,
    *,
    printed: Path,
    languages: list[str],
    scale: Scale,
    styles: Path | None = None,
    encoder: str | None = None,
) -> None:
    """Write the share of pairs with the same label, and that of pairs whose formal side is more polite.

    Every rewrite makes a pair with its informal sentence; a label is the side of 0.5 on which the probability
    lies; a pair with equal probabilities does not count as more polite.

    :param table: CSV to write: lang, same, higher
    :param comparison: CSV to write: lang, metric, printed, ours, difference, comparable, signature
    :param printed: CSV: lang, metric, printed
    :param languages: codes, in the order of the rows
    :param scale: the run's scale
    :param styles: the file that politeness.styles wrote; none without a classifier
    :param encoder: the classifier's encoder (XLMR in the paper), as in `other_encoder`
    """
    found = read_styles(styles) if styles else {}
    other = other_encoder(XLMR, encoder)
    cells: Cells = {}
    for language in languages:
        one = found.get(language)
        for column in COLUMNS:
            if one is None or styles is None:
                cells[language, column] = Cell("", "", NOT_COMPARED)
            elif math.isnan(getattr(one, column)):
                cells[language, column] = Cell("", "", "no pairs")
            else:
                facts = signature(styles, pairs=one.formal, threshold=0.5)
                cells[language, column] = Cell(rounded(getattr(one, column), 3), facts, other)
    keys, rows = ("lang", "metric"), [(language,) for language in languages]
    write_leaf(table, comparison, cells, keys=keys, columns=COLUMNS, printed=printed, rows=rows, scale=scale)


if __name__ == "__main__":
    run(table7)
