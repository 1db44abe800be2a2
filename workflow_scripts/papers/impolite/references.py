"""Command: the scores of the test set's own responses, beside the evaluator's published numbers."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.fields import number
from workflow_scripts.dialogue.evaluate import METRICS
from workflow_scripts.leaves.comparison import Cell, Cells, Scale
from workflow_scripts.leaves.layout import write_leaf

EVALUATORS = ("standard", "older")


def references(
    table: Path, comparison: Path, *, standard: Path, older: Path, printed: Path, scale: Scale
) -> None:
    """Write Inform, Success, BLEU and the combined score of the reference responses, by both evaluators.

    They are an upper bound for systems, and below 100, since people forget requests and annotations have
    gaps. BLEU compares the responses with themselves.

    :param table: CSV to write: evaluator, one column per metric
    :param comparison: CSV to write: evaluator, metric, printed, ours, difference, comparable, signature
    :param standard: scores of the standard evaluator
    :param older: scores of the older one
    :param printed: CSV: evaluator, metric, printed
    :param scale: the run's scale
    """
    cells: Cells = {}
    for name, file in zip(EVALUATORS, (standard, older), strict=True):
        for line, (metric, value, signature) in read_keyed(file, ("metric", "value", "signature")):
            number(value, file, line)
            cells[name, metric] = Cell(value, signature)
    keys = ("evaluator", "metric")
    write_leaf(table, comparison, cells, keys=keys, columns=METRICS, printed=printed, scale=scale)


if __name__ == "__main__":
    run(references)
