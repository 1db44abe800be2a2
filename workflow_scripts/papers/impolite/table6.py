"""Command: Table VI of Hu et al. (2022), reported and reproduced results of the systems on MultiWOZ."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.dialogue.compare import TEST
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.papers.impolite.systems import METRICS, read_scores
from workflow_scripts.statistics.metrics import Bleu, Inform, Success

KEYS = ("model", "data", "metric")
REPORTED, REPRODUCED = "reported", "reproduced"
COLUMNS = tuple(metric.label for metric in (Inform, Success, Bleu))
STATES = "states"
THEIRS = "reported in the system's own paper"
NO_SYSTEM = "no system of this name is configured"
# The paper's numbers lie between those that the standard and the older evaluators give published responses.
EVALUATOR = "the paper's evaluator is not known"


@leaf(*KEYS, intervals=True)
def table6(theirs: Printed, *, scores: Path, systems: Path) -> Table:
    """Write Inform, Success and BLEU of each system on MultiWOZ's test set, the mean over its trainings.

    Our rows are `reproduced`; they cannot be compared, since the paper does not name its evaluator. Rows of
    the paper that are only quoted there (`reported`), or whose systems are not configured, are empty.
    `states`: whether Inform and Success judge a system by its own dialogue states or by those of the test set
    (gold), as they judge responses without states.

    :param table: CSV to write: model, data, Inform, Success, BLEU, states
    :param scores: the scores of all systems, as dialogue.compare writes them
    :param systems: manifest of the rows: system, label (the name in the paper)
    """
    cells: Cells = {key: Cell("", "", THEIRS if key[1] == REPORTED else NO_SYSTEM) for key in theirs}
    by_label, labels = read_scores(scores, systems)
    for label in labels:
        for metric in COLUMNS:
            if score := by_label.get((label, TEST, METRICS[metric])):
                cells[label, REPRODUCED, metric] = score.cell(EVALUATOR)
                cells[label, REPRODUCED, STATES] = Cell(score.states, score.signature)
    return Table(cells, (*COLUMNS, STATES))


if __name__ == "__main__":
    run(table6)
