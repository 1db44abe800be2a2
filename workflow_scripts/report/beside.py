"""Command: the printed numbers of a comparison beside ours, as a plot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import header_of, read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.figures.look import COLOURS, save, styled
from workflow_scripts.figures.scatter import look
from workflow_scripts.report.kept import NOTHING
from workflow_scripts.report.layout import NUMBER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Points of a plane without series have names up to this number; beyond it they would cover each other.
NAMED = 12
# Names of series that are longer, in characters, leave room for three columns in a legend.
WIDE = 12


@dataclass(frozen=True)
class Pair:
    """A cell that has our number: its name, its series, our number as it is written, with its interval."""

    name: str
    series: str
    # Empty if the paper has none.
    printed: str
    ours: str
    interval: tuple[float, float] | None


def beside(
    figure: Path,
    *,
    comparison: Path,
    form: Literal["rows", "cells"],
    where: list[str],
    label: list[str],
    title: str,
    axis: str,
    series: str = "",
) -> None:
    """Draw the printed numbers and ours: a line per cell, or a point per cell in a plane with its diagonal.

    Cells without a number of ours are left out, in the plane those without a printed one too. Where none is
    left, the plot says so. Raises InputError for a key that the comparison does not have.

    :param figure: SVG to write
    :param comparison: CSV: keys, printed, ours, difference, maybe ci_low and ci_high, comparable, signature
    :param form: `rows` for lines, `cells` for the plane
    :param where: which cells: `key=value`, or `key=value|value`
    :param label: the keys that name a cell
    :param title: of the plot
    :param axis: the label of the axes
    :param series: the key whose values have a colour and a marker each
    """
    header = header_of(comparison)
    keys = header[: header.index("printed")] if "printed" in header else []
    wanted: dict[str, list[str]] = {}
    for condition in where:
        name, _, values = condition.partition("=")
        wanted[name] = values.split("|")
    for name in (*wanted, *label, *([series] if series else [])):
        if name not in keys:
            raise InputError(f"no key '{name}'", path=comparison, fix=f"known: {', '.join(keys)}")
    rows = [row for _, row in read_rows(comparison, ("printed", "ours"))]
    pairs = [
        _pair(row, label, series)
        for row in rows
        if NUMBER.fullmatch(row["ours"])
        and (NUMBER.fullmatch(row["printed"]) or (form == "rows" and not row["printed"]))
        and all(row[name] in values for name, values in wanted.items())
    ]
    with styled():
        save(
            _lines(pairs, axis) if form == "rows" else _plane(pairs, axis, _places(rows, series)),
            figure,
            title=title,
            description=" ".join(map(_told, pairs)) or NOTHING,
        )


def _pair(row: Mapping[str, str], label: Sequence[str], series: str) -> Pair:
    low, high = row.get("ci_low", ""), row.get("ci_high", "")
    bounds = (float(low), float(high)) if low and high else None
    name = " ".join(row[key] for key in label)
    printed, ours = (row[side].removesuffix("%") for side in ("printed", "ours"))
    return Pair(name, row[series] if series else "", printed, ours, bounds)


def _places(rows: Sequence[Mapping[str, str]], series: str) -> dict[str, int]:
    """The place of each series in the whole comparison: it has one look in all plots of a table."""
    return {name: place for place, name in enumerate(dict.fromkeys(row.get(series, "") for row in rows))}


def _told(pair: Pair) -> str:
    name = " ".join(dict.fromkeys(filter(None, (pair.series, pair.name))))
    return f"{name}: {pair.ours} ({f'printed {pair.printed}' if pair.printed else 'not printed'})."


def _lines(pairs: Sequence[Pair], axis: str) -> Figure:
    """A line per cell, the first one on top: a diamond for the printed number, a point for ours."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 0.22 * max(len(pairs), 2) + 1.2), layout="constrained")
    axes = figure.subplots()
    heights = range(len(pairs))[::-1]
    both = [(height, pair) for height, pair in zip(heights, pairs, strict=True) if pair.printed]
    theirs = [float(pair.printed) for _, pair in both]
    at = [height for height, _ in both]
    axes.hlines(at, theirs, [float(pair.ours) for _, pair in both], color=COLOURS["black"], alpha=0.4)
    for height, pair in zip(heights, pairs, strict=True):
        if pair.interval:
            axes.hlines(height, *pair.interval, color=COLOURS["blue"], linewidth=1)
    axes.plot(theirs, at, linestyle="", marker="D", color=COLOURS["vermillion"], label="printed")
    ours = [float(pair.ours) for pair in pairs]
    axes.plot(ours, heights, linestyle="", marker="o", color=COLOURS["blue"], label="tuvous")
    axes.set_yticks(heights, [" ".join(filter(None, (pair.name, pair.series))) for pair in pairs])
    axes.tick_params(axis="y", length=0)
    axes.set_ylim(-0.6, max(len(pairs), 1) - 0.4)
    _finish(figure, axes, pairs)
    axes.set_xlabel(f"{axis}, with 95% intervals" if any(pair.interval for pair in pairs) else axis)
    return figure


def _plane(pairs: Sequence[Pair], axis: str, places: Mapping[str, int]) -> Figure:
    """A point per cell: the printed number across, ours upwards, and the line on which both are the same."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    axes = figure.subplots()
    for name in dict.fromkeys(pair.series for pair in pairs):
        own = [pair for pair in pairs if pair.series == name]
        axes.plot(
            [float(pair.printed) for pair in own],
            [float(pair.ours) for pair in own],
            linestyle="",
            markersize=5,
            alpha=0.8,
            label=name or "a cell",
            **look(places[name]),
        )
    numbers = [float(number) for pair in pairs for number in (pair.printed, pair.ours)]
    if numbers:
        ends = (min(numbers), max(numbers))
        axes.plot(
            ends, ends, color=COLOURS["black"], linewidth=0.7, linestyle="--", label="the same", zorder=1
        )
    if len(pairs) <= NAMED and not any(pair.series for pair in pairs):
        for pair in pairs:
            point = (float(pair.printed), float(pair.ours))
            axes.annotate(
                pair.name, point, xytext=(5, 0), textcoords="offset points", fontsize=8, va="center"
            )
    axes.set_xlabel(f"{axis}, printed")
    axes.set_ylabel(f"{axis}, tuvous")
    _finish(figure, axes, pairs)
    return figure


def _finish(figure: Figure, axes: Axes, pairs: Sequence[Pair]) -> None:
    if pairs:
        columns = 3 if any(len(pair.series) > WIDE for pair in pairs) else 5
        figure.legend(loc="outside upper left", ncols=columns, frameon=False, fontsize=8, handletextpad=0.2)
    else:
        axes.text(0.5, 0.5, NOTHING, transform=axes.transAxes, ha="center")


if __name__ == "__main__":
    run(beside)
