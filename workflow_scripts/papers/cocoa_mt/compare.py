"""Command: a leaf of CoCoA-MT beside the printed table, cell by cell."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.files import writing
from workflow_scripts.papers.cocoa_mt.layouts import LAYOUTS, Value, read_printed, read_values, rounded

COLUMNS = ("printed", "ours", "difference", "comparable", "signature")


def compare(
    out: Path,
    *,
    layout: Literal["table2", "table3", "table12", "m-acc"],
    values: list[Path],
    printed: Path,
) -> None:
    """Write one line per cell of the printed table and of ours.

    Cells follow the printed table, then those that it does not have. What one side lacks is empty. Ours is
    rounded as in print, and the difference is ours minus printed, of the rounded numbers.

    :param out: CSV to write: the table's keys, metric, printed, ours, difference, comparable, signature;
        `comparable` is yes, or no and why
    :param layout: which table
    :param values: files of values, one per language
    :param printed: the printed numbers: the table's keys, metric, printed
    """
    shape = LAYOUTS[layout]
    theirs = read_printed(printed, shape)
    ours = read_values(values, shape)
    with writing(out) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow([*shape.keys, "metric", *COLUMNS])
        for key in dict.fromkeys([*theirs, *ours]):
            value = ours.get(key, Value(None, "", "not computed"))
            decimals = shape.decimals[key[-1]]
            mine, other = rounded(value.number, decimals), theirs.get(key, "")
            difference = rounded(float(mine) - float(other), decimals) if mine and other else ""
            comparable = "yes" if mine and other else "no: " + (value.reason or "not printed")
            writer.writerow([*key, other, mine, difference, comparable, value.signature])


if __name__ == "__main__":
    run(compare)
