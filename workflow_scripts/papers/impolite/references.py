"""Command: the scores of the test set's own responses, beside the evaluator's published numbers."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.fields import number
from workflow_scripts.dialogue.evaluate import METRICS
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells

EVALUATORS = ("standard", "older")


@leaf("evaluator", "metric")
def references(*, standard: Path, older: Path) -> Table:
    """Write Inform, Success, BLEU and the combined score of the reference responses, by both evaluators.

    They are an upper bound for systems, and below 100, since people forget requests and annotations have
    gaps. BLEU compares the responses with themselves.

    :param table: CSV to write: evaluator, one column per metric
    :param standard: scores of the standard evaluator
    :param older: scores of the older one
    """
    cells: Cells = {}
    for name, file in zip(EVALUATORS, (standard, older), strict=True):
        for line, (metric, value, signature) in read_keyed(file, ("metric", "value", "signature")):
            number(value, file, line)
            cells[name, metric] = Cell(value, signature)
    return Table(cells, METRICS)


if __name__ == "__main__":
    run(references)
