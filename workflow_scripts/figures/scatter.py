"""Points of several groups, with a marker and colour each, and their means with standard deviations."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from workflow_scripts.figures.look import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Markers distinguish groups without colour; both lists are cycled together, so pairs rarely repeat.
MARKERS = "os^DvPX*<>ph"
SHADES = ("blue", "vermillion", "green", "purple", "orange", "sky blue", "black")

Dash = Literal["", "--", ":", "-."]


@dataclass(frozen=True)
class Group:
    """The points of one group, its place in the order of all groups, and the dash of a line at its mean."""

    name: str
    place: int
    points: Sequence[tuple[float, float]]
    line: Dash = ""


def look(place: int) -> dict[str, Any]:
    """Marker and colour of the group at a place, the same in every panel."""
    return {"marker": MARKERS[place % len(MARKERS)], "color": COLOURS[SHADES[place % len(SHADES)]]}


def scatter(axes: Axes, groups: Sequence[Group]) -> None:
    """Draw each group: small open points, a filled mean, and bars of the sample standard deviation.

    A group of one point only has the point. A group with a `line` also has a horizontal line at its mean.

    :param axes: where to draw
    :param groups: the groups of a panel, possibly not all groups
    """
    for group in groups:
        style = look(group.place)
        xs, ys = zip(*group.points, strict=True)
        x, y = statistics.fmean(xs), statistics.fmean(ys)
        if group.line:
            axes.axhline(y, color=style["color"], linestyle=group.line, linewidth=0.8, zorder=1)
        if len(group.points) > 1:
            axes.plot(
                xs,
                ys,
                linestyle="",
                markersize=4,
                markerfacecolor="none",
                markeredgewidth=0.7,
                zorder=2,
                **style,
            )
            bars = {"xerr": statistics.stdev(xs), "yerr": statistics.stdev(ys)}
            axes.errorbar(x, y, **bars, color=style["color"], elinewidth=0.9, capsize=2, zorder=2)
        axes.plot(
            [x],
            [y],
            linestyle="",
            markersize=6,
            markeredgecolor="white",
            markeredgewidth=0.4,
            zorder=3,
            **style,
        )


def handles(groups: Sequence[Group]) -> list[Any]:
    """The entries of a legend: the marker of each group and its line, if it has one."""
    from matplotlib.lines import Line2D

    return [
        Line2D(
            [],
            [],
            linestyle=group.line,
            linewidth=0.8,
            markersize=6,
            label=group.name,
            **look(group.place),
        )
        for group in groups
    ]
