"""The agreement of raters and of shuffled ratings as boxes and as a table, for Figures 2, 6 and 7."""

import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.figures.boxes import Box, Panel, boxes, five_numbers
from workflow_scripts.figures.look import save, styled
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.tydip.unreleased import NO_RATINGS, REMARKS, Raters

# Raters and part -> (agreement, shuffled, dropped pairs) of each HIT.
Agreement = Mapping[tuple[str, str], Sequence[tuple[float, float, int]]]
COLUMNS = ("panel", "group", "n", "mean", "p5", "q1", "median", "q3", "p95", "note")


def pooled(agreement: Agreement, raters: Iterable[str], part: str, name: str) -> list[Box]:
    """The agreement over all HIT parts of some raters, and the same for shuffled ratings."""
    hits = [hit for rater in raters for hit in agreement.get((rater, part), ())]
    return [
        Box(name, [agreed for agreed, *_ in hits if not math.isnan(agreed)]),
        Box(f"{name} shuffled", [shuffled for _, shuffled, _ in hits if not math.isnan(shuffled)]),
    ]


def write(
    figure: Path,
    table: Path,
    panels: Sequence[Panel],
    *,
    title: str,
    real: Iterable[str] = (),
    raters: Raters,
) -> None:
    """Draw the boxes, and write their numbers; the row of an empty box gives the reason.

    :param figure: SVG to write
    :param table: CSV to write: panel, group, n, mean, p5, q1, median, q3, p95, note
    :param panels: the panels, with boxes of raters and of shuffled ratings
    :param title: title of the figure
    :param real: prefixes of the names of boxes without a remark, whoever the other raters are
    :param raters: the source of the ratings of the other boxes
    """
    rows = []
    for panel in panels:
        for box in panel.boxes:
            remarked = "" if box.name.startswith(tuple(real)) else REMARKS[raters]
            note = remarked if box.values else NO_RATINGS
            numbers = ["" if math.isnan(value) else rounded(value, 4) for value in five_numbers(box.values)]
            rows.append([panel.name, box.name, len(box.values), *numbers, note])
    empty = all(not box.values for panel in panels for box in panel.boxes)
    remark = NO_RATINGS if empty else REMARKS[raters]
    spoken = [f"{panel} {name}: {count} HITs, mean {mean}." for panel, name, count, mean, *_ in rows if mean]
    write_csv(table, COLUMNS, rows)
    with styled():
        drawn = boxes(panels, columns=min(3, len(panels)), label="Spearman's correlation", zero=True)
        drawn.suptitle(remark, fontsize=8)
        save(drawn, figure, title=title, description=" ".join([remark.capitalize(), *spoken]).strip())
