"""Command: M-Acc and BLEU on test sets of IWSLT's shared tasks, in languages that its paper lacks."""

from pathlib import Path

from workflow_scripts.control.data import ALL
from workflow_scripts.control.matching import MODES
from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.papers.cocoa_mt.accuracies import (
    FURTHER,
    SHARES,
    Scores,
    cell_of,
    columns_of,
    labels_of,
    read_scores,
)
from workflow_scripts.statistics.metrics import Classified

KEYS = ("set", "system", "mode", "metric")
COLUMNS = (*SHARES, *FURTHER)
# Only where a classifier has scored the translations.
CLASSIFIED = {f"{Classified.name}_{share}": level for share, level in SHARES.items()}


@leaf(*KEYS, scaled=False, intervals=True)
def shared_tasks(*, scores: list[Path], sets: list[str], systems: Path) -> Table:
    """Write M-Acc of formal and informal translations and their mean, in both modes, and BLEU.

    `matched` is the share of translations that M-Acc counts, in per cent, and `bleu` the mean BLEU of both
    levels. Where a classifier has scored the translations, `classifier_f`, `classifier_i` and
    `classifier_avg` are the shares to which it gives the requested level. The comparison has intervals, as
    for Table 6.

    :param table: CSV to write: set, system, mode, f, i, avg, matched, bleu, and those of the classifier
    :param scores: the file that `control.score` wrote for each test set
    :param sets: the test sets, in the order of the rows: language and year of the shared task
    :param systems: CSV of the rows: system, label
    :param printed: CSV: set, system, mode, metric, printed; empty, since no paper here has them
    """
    labels = labels_of(systems)
    cells: Cells = {}
    for name, files in by_language(sets, scores=scores).items():
        for system, system_scores in read_scores(files["scores"]).items():
            for mode in MODES:
                columns = columns_of(system_scores, {ALL: ""}, mode) | _classified(system_scores)
                for metric, column in columns.items():
                    cells[name, labels[system], mode, metric] = cell_of(*column)
    known = {metric for *_, metric in cells}
    shown = [*COLUMNS, *(metric for metric in CLASSIFIED if metric in known)]
    return Table(cells, shown)


def _classified(scores: Scores) -> dict[str, tuple[dict[str, str], int]]:
    """The row that each column of the classifier shows, and the number of decimals."""
    rows = {metric: scores.get((level, ALL, Classified.name)) for metric, level in CLASSIFIED.items()}
    return {metric: (row, Classified.decimals) for metric, row in rows.items() if row}


if __name__ == "__main__":
    run(shared_tasks)
