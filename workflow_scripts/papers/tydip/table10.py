"""Command: Table 10 of TyDiP, statistics on the final politeness scores."""

import statistics
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import read_requests, requests_file
from workflow_scripts.politeness.thresholds import POLITE_ABOVE, is_polite

METRICS = ("examples", "mean", "std", "min", "max", "positive")
DECIMALS = 4


@leaf("lang", "metric", scaled=False)
def table10(*, corpus: Path, languages: list[str]) -> Table:
    """Write size, mean, standard deviation, extremes and share of positive scores per language.

    The standard deviation is the population's (divided by n, not n - 1); a score is positive if
    the request is polite; all numbers are rounded to four decimals.

    :param table: CSV to write: lang, examples, mean, std, min, max, positive
    :param corpus: folder with TyDiP in its official layout
    """
    cells: Cells = {}
    for language in languages:
        file = requests_file(corpus, language)
        scores = [request.score for request in read_requests(file)]
        numbers = (
            statistics.fmean(scores),
            statistics.pstdev(scores),
            min(scores),
            max(scores),
            sum(map(is_polite, scores)) / len(scores),
        )
        facts = signature(
            file, n=len(scores), std="population", positive=f">{POLITE_ABOVE:g}", decimals="rounded"
        )
        texts = [str(len(scores)), *(rounded(number, DECIMALS) for number in numbers)]
        for metric, text in zip(METRICS, texts, strict=True):
            cells[language, metric] = Cell(text, facts)
    return Table(cells, METRICS)


if __name__ == "__main__":
    run(table10)
