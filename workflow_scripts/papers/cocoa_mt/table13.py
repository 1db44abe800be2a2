"""Command: Table 13 of CoCoA-MT, genders that Spanish translations give to WinoMT's people."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import write_leaf
from workflow_scripts.leaves.rounding import rounded

COLUMNS = ("accuracy", "f1_female", "f1_male")
RULES = "genders by articles and endings, not by a tagger"


def table13(
    table: Path,
    comparison: Path,
    *,
    scores: list[Path],
    systems: list[str],
    printed: Path,
    scale: Literal["demo", "open", "paper"],
) -> None:
    """Write accuracy over all sentences and F1 of either gender, in per cent.

    :param table: CSV to write: system, accuracy, f1_female, f1_male
    :param comparison: CSV to write: system, metric, printed, ours, difference, comparable, signature
    :param scores: what `control.winomt` has written, of each system
    :param systems: their labels, in the order of the rows
    :param printed: CSV: system, metric, printed
    :param scale: of the run
    """
    if len(scores) != len(systems):
        raise InputError(f"{len(systems)} systems have {len(scores)} files of scores")
    cells: Cells = {}
    for system, path in zip(systems, scores, strict=True):
        found = {row[0]: row[1:] for _, row in read_keyed(path, ("metric", "value", "signature"))}
        for metric in COLUMNS:
            if metric not in found:
                raise InputError(f"no row {metric}", path=path)
            value, facts = found[metric]
            cells[system, metric] = Cell(rounded(value, 1), facts, RULES)
    write_leaf(
        table, comparison, cells, keys=("system", "metric"), columns=COLUMNS, printed=printed, scale=scale
    )


if __name__ == "__main__":
    run(table13)
