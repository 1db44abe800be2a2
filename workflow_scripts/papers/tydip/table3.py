"""Command: Table 3 of TyDiP, accuracy on the binary test parts; the models' rows are printed only."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.leaves.comparison import Cell, Cells, read_printed, write_comparison
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import ENGLISH, binary_file, read_requests

ROW, INPUT, AVERAGE, DECIMALS = "Majority", "-", "avg", 3
KEYS = ("model", "input", "lang")
UNRELEASED = "predictions are not released"


def table3(table: Path, comparison: Path, *, corpus: Path, printed: Path, languages: list[str]) -> None:
    """Write the accuracy of always giving the more frequent label of the binary test parts.

    A request is polite if its score is above 0. The average is over the languages but English. Numbers are
    cut after the third decimal, not rounded, as all of Table 3 is: no multiple of 1/251 is rounded to 0.808
    (GPT3, English), and the averages 0.706 and 0.668 of GPT3's rows are cut too. The models' predictions are
    not released: their rows stand in the comparison without numbers of ours.

    :param table: CSV to write: model, input, one column per language, avg
    :param comparison: CSV to write: model, input, lang, printed, ours, difference, comparable, signature
    :param corpus: folder with TyDiP in its official layout
    :param printed: CSV: model, input, lang, printed
    :param languages: codes, in the order of the columns
    """
    shares: dict[str, float] = {}
    cells: Cells = {}
    for language in languages:
        file = binary_file(corpus, language)
        scores = [request.score for request in read_requests(file)]
        polite = sum(score > 0 for score in scores)
        shares[language] = max(polite, len(scores) - polite) / len(scores)
        facts = signature(file, n=len(scores), polite=polite, label="score>0", decimals="cut")
        cells[ROW, INPUT, language] = Cell(rounded(shares[language], DECIMALS, "cut"), facts)
    foreign = [share for language, share in shares.items() if language != ENGLISH]
    if foreign:
        average = rounded(sum(foreign) / len(foreign), DECIMALS, "cut")
        cells[ROW, INPUT, AVERAGE] = Cell(average, f"mean of {len(foreign)} languages|decimals:cut")
    columns = [*languages, AVERAGE] if foreign else languages
    theirs = read_printed(printed, *KEYS)
    missing = {key: Cell("", "", UNRELEASED) for key in theirs if key[:2] != (ROW, INPUT)}
    write_comparison(comparison, KEYS, theirs, {**missing, **cells})
    write_csv(
        table,
        ("model", "input", *columns),
        [[ROW, INPUT, *(cells[ROW, INPUT, column].ours for column in columns)]],
    )


if __name__ == "__main__":
    run(table3)
