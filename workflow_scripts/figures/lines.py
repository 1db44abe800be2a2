"""Lines over a few places, such as bins: several panels side by side, one marker and dash per line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from workflow_scripts.figures.scatter import look

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DASHES = ("-", "--", "-.", ":")


def lines(
    panels: Mapping[str, Mapping[str, Sequence[float]]], *, places: Sequence[str], label: str, value: str
) -> Figure:
    """Draw named lines in one panel per name, with a thin line at 0.

    :param panels: panel -> line -> a value for each place; a panel without lines is empty
    :param places: the names of the places, from left to right
    :param label: the label of the horizontal axis
    :param value: the label of the vertical axis
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(3.2 * len(panels), 2.9), layout="constrained")
    grid = figure.subplots(1, len(panels), sharey=True, squeeze=False).ravel()
    for axes, (name, drawn) in zip(grid, panels.items(), strict=True):
        axes.axhline(0, color="black", linewidth=0.5)
        for number, (line, values) in enumerate(drawn.items()):
            dash = DASHES[number % len(DASHES)]
            axes.plot(range(len(values)), values, linestyle=dash, markersize=4, label=line, **look(number))
        axes.set_title(name, fontsize=9, loc="left")
        axes.set_xticks(range(len(places)), list(places), fontsize=7)
    handles, names = grid[0].get_legend_handles_labels()
    if names:
        figure.legend(handles, names, loc="outside upper right", ncols=len(names), frameon=False)
    figure.supxlabel(label, fontsize=9)
    figure.supylabel(value, fontsize=9)
    return figure
