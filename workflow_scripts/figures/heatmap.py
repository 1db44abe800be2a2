"""A grid of numbers: each cell has its number, and a tint for its side of a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workflow_scripts.figures.look import tint

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# A full colour under black text would be hard to read.
STRONGEST = 0.75


@dataclass(frozen=True)
class Spot:
    """One cell: its value, and its text."""

    value: float
    text: str


def heatmap(
    axes: Axes,
    cells: Mapping[tuple[str, str], Spot],
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    baseline: float,
    reach: float,
) -> None:
    """Draw cells as rectangles, blue above the baseline and vermillion below, empty ones as a dash.

    :param axes: where to draw
    :param cells: (row, column) -> its value and text
    :param rows: names from top to bottom
    :param columns: names from left to right
    :param baseline: the value that is white
    :param reach: the distance from the baseline at which a tint is strongest
    """
    from matplotlib.patches import Rectangle

    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            spot = cells.get((row, column))
            colour = "white"
            if spot is not None:
                side = "blue" if spot.value >= baseline else "vermillion"
                colour = tint(side, STRONGEST * min(1.0, abs(spot.value - baseline) / reach))
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="white", linewidth=1))
            text = spot.text if spot is not None else "–"
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=7, linespacing=0.95)
    axes.set_xlim(0, len(columns))
    axes.set_ylim(len(rows), 0)
    axes.set_xticks([x + 0.5 for x in range(len(columns))], list(columns))
    axes.set_yticks([y + 0.5 for y in range(len(rows))], [name.replace("_", " ") for name in rows])
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    for spine in axes.spines.values():
        spine.set_visible(False)
