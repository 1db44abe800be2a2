"""Command: a figure of the row XLMR of Table 3 and the printed one, for the documentation."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.figures.look import COLOURS, save, styled
from workflow_scripts.papers.tydip.table3 import AVERAGE, KEYS, MAJORITY, UNREAD
from workflow_scripts.politeness.corpus import ENGLISH

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW = ("XLMR", "target", "accuracy")
NEEDED = (*KEYS, "printed", "ours", "comparable", "signature")
# 95 per cent of a normal distribution lie within so many standard deviations of the mean.
DEVIATIONS = 1.96


@dataclass(frozen=True)
class Place:
    """A language of the figure: its name, its accuracies as texts, and its number of test requests."""

    name: str
    printed: str
    ours: str
    majority: str
    count: int
    # Whether the encoder was trained on text of the language.
    read: bool


def picture(figure: Path, *, comparison: Path, names: Path) -> None:
    """Draw the printed accuracy and ours, with its 95% interval, in a line per language, the best first.

    :param figure: SVG to write
    :param comparison: the comparison of Table 3 (`results/tydip/table3.compare.csv`)
    :param names: CSV: lang, language
    """
    languages = {
        ENGLISH: "English",
        **{row["lang"]: row["language"] for _, row in read_rows(names, ("lang",))},
    }
    rows = {tuple(row[key] for key in KEYS): row for _, row in read_rows(comparison, NEEDED)}
    places = [
        _place(languages.get(key[-1], key[-1]), row, rows[*MAJORITY, ROW[-1], key[-1]]["ours"])
        for key, row in rows.items()
        if key[:-1] == ROW and key[-1] != AVERAGE and row["ours"] and row["printed"]
    ]
    if not places:
        raise InputError(f"no number of {', '.join(ROW)}", path=comparison, fix="make Table 3 first")
    places.sort(key=lambda place: float(place.ours))
    with styled():
        save(
            _drawn(places),
            figure,
            title="TyDiP, Table 3: accuracy of the multilingual classifier of politeness",
            description=" ".join(
                f"{place.name}: {place.ours} (printed {place.printed})." for place in reversed(places)
            ),
        )


def _place(name: str, row: Mapping[str, str], majority: str) -> Place:
    count = re.search(r"(?:^|\|)n:(\d+)", row["signature"])
    if count is None:
        raise InputError(f"the signature of {name} has no n")
    return Place(name, row["printed"], row["ours"], majority, int(count[1]), UNREAD not in row["comparable"])


def interval(share: float, count: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share of `count` independent trials."""
    squared = DEVIATIONS**2 / count
    centre = (share + squared / 2) / (1 + squared)
    half = DEVIATIONS * math.sqrt(share * (1 - share) / count + squared / count / 4) / (1 + squared)
    return centre - half, centre + half


def _drawn(places: Sequence[Place]) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.8, 0.25 * len(places) + 1.6), layout="constrained")
    axes = figure.subplots()
    heights = range(len(places))
    theirs, ours = ([float(getattr(place, side)) for place in places] for side in ("printed", "ours"))
    axes.hlines(heights, theirs, ours, color=COLOURS["black"], linewidth=0.5, alpha=0.4, zorder=1)
    axes.plot(
        [float(place.majority) for place in places],
        heights,
        linestyle="",
        marker="|",
        markersize=10,
        color=COLOURS["black"],
        label="majority class",
    )
    axes.plot(theirs, heights, linestyle="", marker="D", color=COLOURS["vermillion"], label="printed")
    sides = ((True, COLOURS["blue"], "tuvous"), (False, "white", "tuvous, language unknown to its encoder"))
    for read, filling, label in sides:
        of_side = [(height, place) for height, place in enumerate(places) if place.read == read]
        if not of_side:
            continue
        reached = [float(place.ours) for _, place in of_side]
        bounds = [interval(value, place.count) for value, (_, place) in zip(reached, of_side, strict=True)]
        axes.errorbar(
            reached,
            [height for height, _ in of_side],
            xerr=[
                [value - low for value, (low, _) in zip(reached, bounds, strict=True)],
                [high - value for value, (_, high) in zip(reached, bounds, strict=True)],
            ],
            fmt="o",
            color=COLOURS["blue"],
            markerfacecolor=filling,
            elinewidth=0.8,
            capsize=2,
            label=label,
        )
    axes.set_ylim(-0.6, len(places) - 0.4)
    axes.set_yticks(heights, [place.name for place in places])
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("accuracy on TyDiP's test requests, with 95% intervals")
    for column, head, side in ((1.04, "printed", "printed"), (1.17, "tuvous", "ours")):
        axes.text(column, len(places) - 0.3, head, transform=axes.get_yaxis_transform(), fontsize=8)
        for height, place in enumerate(places):
            axes.text(
                column,
                height,
                getattr(place, side),
                transform=axes.get_yaxis_transform(),
                va="center",
                fontsize=8,
            )
    figure.legend(loc="outside upper left", ncols=4, frameon=False, fontsize=8, handletextpad=0.2)
    return figure


if __name__ == "__main__":
    run(picture)
