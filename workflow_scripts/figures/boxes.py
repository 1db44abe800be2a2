"""Distributions side by side as boxes: quartiles, whiskers from the 5th to the 95th percentile, the mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workflow_scripts.figures.look import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WHISKERS = (5, 95)


@dataclass(frozen=True)
class Box:
    """One distribution: its name, its values (an empty place without any), and a number to compare with."""

    name: str
    values: Sequence[float]
    mark: float | None = None


@dataclass(frozen=True)
class Panel:
    """Boxes on one pair of axes."""

    name: str
    boxes: Sequence[Box]


def boxes(panels: Sequence[Panel], *, columns: int, label: str, mark: str = "", zero: bool = False) -> Figure:
    """Draw one panel per group: a box spans the quartiles, the median is a line, the mean a circle.

    :param panels: the groups
    :param columns: panels in a row
    :param label: the label of the vertical axis
    :param mark: the meaning of the diamonds
    :param zero: whether to draw a line at 0
    """
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    rows = math.ceil(len(panels) / columns)
    widest = max(len(panel.boxes) for panel in panels)
    figure = Figure(figsize=(max(2.4, 0.6 * widest + 0.6) * columns, 2.2 * rows + 0.6), layout="constrained")
    grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
    black, blue, red = COLOURS["black"], COLOURS["sky blue"], COLOURS["vermillion"]
    for axes, panel in zip(grid, panels, strict=False):
        filled = [(place, box) for place, box in enumerate(panel.boxes) if len(box.values)]
        if filled:
            axes.boxplot(
                [list(box.values) for _, box in filled],
                positions=[place for place, _ in filled],
                widths=0.6,
                whis=WHISKERS,
                showfliers=False,
                showmeans=True,
                patch_artist=True,
                boxprops={"facecolor": blue, "linewidth": 0.6},
                medianprops={"color": black, "linewidth": 1.2},
                meanprops={
                    "marker": "o",
                    "markerfacecolor": "white",
                    "markeredgecolor": black,
                    "markersize": 4,
                },
            )
        marked = [(place, box.mark) for place, box in enumerate(panel.boxes) if box.mark is not None]
        axes.plot(*(zip(*marked, strict=True) if marked else ([], [])), "D", color=red, markersize=5)
        if zero:
            axes.axhline(0, color=black, linewidth=0.5, linestyle=":")
        axes.set_xlim(-0.6, len(panel.boxes) - 0.4)
        axes.set_xticks(
            range(len(panel.boxes)), [box.name.replace(" ", "\n") for box in panel.boxes], fontsize=7
        )
        axes.set_title(panel.name, fontsize=8, loc="left")
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    if mark:
        handle = Line2D([], [], marker="D", linestyle="", color=red, markersize=5, label=mark)
        figure.legend(handles=[handle], loc="outside upper right", frameon=False)
    figure.supylabel(label, fontsize=9)
    return figure


def five_numbers(values: Sequence[float]) -> list[float]:
    """Mean, lower whisker, the three quartiles and upper whisker of a box; NaN without values."""
    import numpy as np

    if not len(values):
        return [math.nan] * 6
    bounds = np.quantile(values, [WHISKERS[0] / 100, 0.25, 0.5, 0.75, WHISKERS[1] / 100])
    return [float(np.mean(values)), *map(float, bounds)]
