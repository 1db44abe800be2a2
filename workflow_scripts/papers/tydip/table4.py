"""Command: Table 4 of TyDiP, transfer from politeness to formality: accuracy on formality classification."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.unreleased import NOT_COMPARED, XLMR, other_encoder
from workflow_scripts.politeness.styles import read_styles

MAJORITY = "majority"
ROWS = {
    "Majority Baseline": MAJORITY,
    "Before Calib.": "before",
    "After Calib.": "after",
    "80th percentile": "stated",
    "AUC": "auc",
}


@leaf("model", "lang")
def table4(*, languages: list[str], styles: Path | None = None, encoder: str | None = None) -> Table:
    """Write accuracies in per cent, with two decimals; sentences called polite are taken as formal.

    The paper has the first three rows. Its text gives the dev set's 80th percentile as the threshold, above
    which only a fifth of the sentences lie; its numbers are those of the 20th, as in the row After Calib.
    (see `politeness.styles`). The area under the ROC curve needs no threshold.

    :param table: CSV to write: model, one column per language
    :param styles: the file that politeness.styles wrote; none without a classifier
    :param encoder: the classifier's encoder (XLMR in the paper), as in `other_encoder`
    """
    by_language = read_styles(styles) if styles else {}
    other = other_encoder(XLMR, encoder)
    cells: Cells = {}
    for label, name in ROWS.items():
        for language in languages:
            style = by_language.get(language)
            if style is None or styles is None:
                cells[label, language] = Cell("", "", NOT_COMPARED)
                continue
            facts = signature(
                styles,
                informal=style.informal,
                formal=style.formal,
                dev_called_formal=f"{style.dev_share:.3f}",
            )
            # The majority's share does not depend on the classifier.
            caveat = "" if name == MAJORITY else other
            cells[label, language] = Cell(rounded(100 * getattr(style, name), 2), facts, caveat)
    return Table(cells, languages)


if __name__ == "__main__":
    run(table4)
