"""Command: Table 5 of TyDiP, transfer from formality to politeness: accuracy on politeness classification."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.fields import number
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.unreleased import NOT_COMPARED
from workflow_scripts.politeness.calibrated import COLUMNS

ROWS = {"Before Calib.": "before", "After Calib.": "after", "AUC": "auc"}


@leaf("model", "lang")
def table5(
    *,
    languages: list[str],
    calibrated: Path | None = None,
    reads: list[str] | None = None,
    sentences: int | None = None,
) -> Table:
    """Write accuracies, cut after the third decimal as in Table 3 (140 of 251 is printed as 0.557).

    :param table: CSV to write: model, one column per language
    :param calibrated: the file that politeness.calibrated wrote; none without a classifier
    :param reads: the languages that its encoder was trained on; by default all
    :param sentences: the most sentences of GYAFC that it was trained on; by default all
    """
    cells: Cells = {(label, language): Cell("", "", NOT_COMPARED) for label in ROWS for language in languages}
    for line, (language, *texts) in read_keyed(calibrated, COLUMNS) if calibrated else ():
        assert calibrated
        row = dict(zip(COLUMNS[1:], texts, strict=True))
        caveats = [
            "not a language of the encoder" if reads is not None and language not in reads else "",
            f"at most {sentences} sentences of GYAFC" if sentences else "",
        ]
        caveat = ", ".join(filter(None, caveats))
        share = number(row["formal"], calibrated, line)
        facts = signature(calibrated, n=row["n"], called_formal=f"{share:.3f}", decimals="cut")
        for label, name in ROWS.items():
            if language in languages:
                value = number(row[name], calibrated, line)
                cells[label, language] = Cell(rounded(value, 3, "cut"), facts, caveat)
    return Table(cells, languages)


if __name__ == "__main__":
    run(table5)
