"""Two or three distributions over the same bins, side by side: bars that differ in colour and in hatching."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workflow_scripts.figures.look import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Light enough for black hatching; the hatching alone distinguishes them too.
LOOKS = (("sky blue", "////"), ("orange", ""), ("green", "...."))
GAP = 0.2


@dataclass(frozen=True)
class Series:
    """One distribution: its name, and its number of items in each bin."""

    name: str
    counts: Sequence[int]


@dataclass(frozen=True)
class Panel:
    """One group of series over the same bins."""

    name: str
    series: Sequence[Series]


def grouped_bars(
    panels: Sequence[Panel], *, bins: Sequence[str], columns: int, label: str, share: str
) -> Figure:
    """Draw one panel per group: a bar is the share of its series in a bin, the number above it the count.

    :param panels: groups that have the same series
    :param bins: the names of the bins, from left to right
    :param columns: panels in a row
    :param label: the label of the horizontal axis
    :param share: the label of the vertical axis
    """
    from matplotlib.figure import Figure

    rows = math.ceil(len(panels) / columns)
    figure = Figure(figsize=(3.4 * columns, 2.2 * rows + 0.5), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    for axes, panel in zip(grid, panels, strict=False):
        width = (1 - GAP) / len(panel.series)
        for number, (series, (colour, hatch)) in enumerate(zip(panel.series, LOOKS, strict=False)):
            total = sum(series.counts) or 1
            places = [
                place + (number - (len(panel.series) - 1) / 2) * width for place in range(len(series.counts))
            ]
            drawn = axes.bar(
                places,
                [count / total for count in series.counts],
                width,
                color=COLOURS[colour],
                edgecolor=COLOURS["black"],
                linewidth=0.6,
                hatch=hatch,
                label=series.name,
            )
            axes.bar_label(drawn, [str(count) for count in series.counts], fontsize=5, padding=1)
        axes.set_title(panel.name, fontsize=8, loc="left")
        axes.set_xticks(range(len(bins)), list(bins), fontsize=7)
        axes.tick_params(axis="x", length=0)
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    handles, names = grid[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside upper right", ncols=len(names), frameon=False)
    figure.supxlabel(label, fontsize=9)
    figure.supylabel(share, fontsize=9)
    return figure
