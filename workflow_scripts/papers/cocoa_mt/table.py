"""Command: a leaf of CoCoA-MT, in the paper's layout."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.files import writing
from workflow_scripts.papers.cocoa_mt.layouts import LAYOUTS, read_values, rounded


def table(out: Path, *, layout: Literal["table2", "table3", "table12", "m-acc"], values: list[Path]) -> None:
    """Write one row per key in the order of the values, and the paper's columns from left to right.

    A value that could not be computed is an empty field.

    :param out: CSV to write: the keys (lang; for M-Acc also domains, mode, references), then the columns
    :param layout: which table; its columns and decimals stand in `papers.cocoa_mt.layouts`
    :param values: files of values, one per language, in the order of the rows
    """
    shape = LAYOUTS[layout]
    found = read_values(values, shape)
    with writing(out) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*shape.keys, *shape.decimals])
        for key in dict.fromkeys(key[:-1] for key in found):
            cells = [(found.get((*key, name)), decimals) for name, decimals in shape.decimals.items()]
            numbers = [rounded(cell.number if cell else None, decimals) for cell, decimals in cells]
            writer.writerow([*key, *numbers])


if __name__ == "__main__":
    run(table)
