"""Command: M-Acc and BLEU on test sets of IWSLT's shared tasks, in languages that its paper lacks."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.control.data import ALL
from workflow_scripts.control.matching import MODES
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cells, read_printed, write_comparison
from workflow_scripts.leaves.layout import by_language, in_layout
from workflow_scripts.papers.cocoa_mt.accuracies import (
    FURTHER,
    SHARES,
    cell_of,
    columns_of,
    labels_of,
    read_scores,
)

KEYS = ("set", "system", "mode", "metric")
COLUMNS = (*SHARES, *FURTHER)


def shared_tasks(
    table: Path, comparison: Path, *, scores: list[Path], sets: list[str], systems: Path, printed: Path
) -> None:
    """Write M-Acc of formal and informal translations and their mean, in both modes, and BLEU.

    `matched` is the share of translations that M-Acc counts, in per cent, and `bleu` the mean BLEU of both
    levels. The comparison has intervals, as for Table 6.

    :param table: CSV to write: set, system, mode, f, i, avg, matched, bleu
    :param comparison: CSV to write: set, system, mode, metric, printed, ours, difference, ci_low, ci_high,
        comparable, signature
    :param scores: the file that `control.score` wrote for each test set
    :param sets: the test sets, in the order of the rows: language and year of the shared task
    :param systems: CSV of the rows: system, label
    :param printed: CSV: set, system, mode, metric, printed; empty, since no paper here has them
    """
    labels = labels_of(systems)
    cells: Cells = {}
    for name, files in by_language(sets, scores=scores).items():
        for system, system_scores in read_scores(files["scores"]).items():
            if system not in labels:
                raise InputError(f"no label for system '{system}'", path=systems)
            for mode in MODES:
                for metric, column in columns_of(system_scores, {ALL: ""}, mode).items():
                    cells[name, labels[system], mode, metric] = cell_of(*column)
    rows = dict.fromkeys(key[:-1] for key in cells)
    write_comparison(comparison, KEYS, read_printed(printed, *KEYS), cells, intervals=True)
    write_csv(table, (*KEYS[:-1], *COLUMNS), in_layout(rows, COLUMNS, cells))


if __name__ == "__main__":
    run(shared_tasks)
