"""Distributions side by side: one histogram per group, all on the same axes, mean and median marked."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean, median
from typing import TYPE_CHECKING

from workflow_scripts.figures.look import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Distribution:
    """One group: its name, the counts of its bins, its size, mean and median."""

    name: str
    counts: Sequence[int]
    size: int
    mean: float
    median: float

    @classmethod
    def of(cls, name: str, values: Sequence[float], edges: Sequence[float]) -> Distribution:
        """The distribution of some values over the bins between `edges`."""
        return cls(name, counted(values, edges), len(values), fmean(values), median(values))

    def said(self, unit: str) -> str:
        """Its numbers in words, without a full stop."""
        return f"{self.name}: {self.size} {unit}, mean {_short(self.mean)}, median {_short(self.median)}"


def histograms(
    groups: Sequence[Distribution],
    *,
    edges: Sequence[float],
    columns: int,
    label: str,
    unit: str,
) -> Figure:
    """Draw one histogram per group: bars are shares; the mean is a solid line, the median a dashed one.

    :param groups: distributions over the same bins
    :param edges: edges of the bins, ascending, one more than there are bins
    :param columns: panels in a row
    :param label: the label of the horizontal axis
    :param unit: the counted unit, for the vertical axis
    """
    from matplotlib.figure import Figure

    rows = math.ceil(len(groups) / columns)
    figure = Figure(figsize=(2.4 * columns, 1.9 * rows + 0.5), layout="constrained")
    panels = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False).ravel()
    widths = [high - low for low, high in pairwise(edges)]
    for panel, group in zip(panels, groups, strict=False):
        shares = [count / group.size for count in group.counts]
        panel.bar(edges[:-1], shares, widths, align="edge", color=COLOURS["sky blue"], edgecolor="white")
        panel.axvline(group.mean, color=COLOURS["vermillion"], linestyle="-", linewidth=1.5, label="mean")
        panel.axvline(group.median, color=COLOURS["black"], linestyle="--", linewidth=1.2, label="median")
        panel.set_title(
            f"{group.name}: mean {_short(group.mean)}, median {_short(group.median)}", fontsize=8, loc="left"
        )
    for panel in panels[len(groups) :]:
        panel.set_visible(False)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=2, frameon=False)
    figure.supxlabel(label, fontsize=9)
    figure.supylabel(f"share of {unit}", fontsize=9)
    return figure


def _short(value: float) -> str:
    """The value with two decimals, without -0.00."""
    text = f"{value:.2f}"
    return "0.00" if float(text) == 0 else text


def counted(values: Sequence[float], edges: Sequence[float]) -> list[int]:
    """The number of values in each bin: a bin includes its lower edge, the last one both.

    Raises ValueError for a value outside all bins.
    """
    counts = [0] * (len(edges) - 1)
    for value in values:
        if not edges[0] <= value <= edges[-1]:
            raise ValueError(f"{value} is not between {edges[0]} and {edges[-1]}")
        counts[min(bisect_right(edges, value) - 1, len(counts) - 1)] += 1
    return counts
