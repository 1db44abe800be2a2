"""Lines on one pair of axes, each with its own colour, marker and dash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workflow_scripts.figures.scatter import look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

DASHES = ("-", "--", ":", "-.")


@dataclass(frozen=True)
class Curve:
    """The points of one line, and the lowest and highest value at each."""

    name: str
    place: int
    points: Sequence[tuple[float, float]]
    ranges: Sequence[tuple[float, float]] = ()
    """Empty if each point is a single value."""


def curves(axes: Axes, drawn: Sequence[Curve]) -> list[Any]:
    """Draw lines, with a bar from the lowest to the highest value at each point; return legend entries."""
    handles = []
    for curve in drawn:
        style = {**look(curve.place), "linestyle": DASHES[curve.place % len(DASHES)]}
        xs, ys = zip(*curve.points, strict=True)
        handles += axes.plot(xs, ys, label=curve.name, linewidth=1.1, markersize=4, **style)
        for x, (low, high) in zip(xs, curve.ranges, strict=False):
            axes.plot([x, x], [low, high], color=style["color"], linewidth=0.8)
    return handles
