"""Command: Figure 8 of TyDiP, presence of politeness strategies across the 1st and 4th quartiles."""

import math
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.figures.heatmap import Spot, heatmap
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.politeness.found import names, read_found
from workflow_scripts.politeness.matching import RULES

BASELINE = 0.25
# The two plots, left and right, and the tick distance of their printed colour bars.
PLOTS = {"first": 0.1, "fourth": 0.2}
TICK = "last tick"
ROUGHLY = "a tick gives the largest share only roughly"
KEYS = ("plot", "metric")


@leaf(*KEYS, scaled=False, drawn=True)
def figure8(*, found: Path) -> Rows:
    """Draw the share of the requests with a strategy in each outer quartile, and write the numbers.

    The rule `matching.RULES[0]` decides which requests contain a strategy; quartiles are those of the binary
    split. The figure's only printed numbers are the ticks of its colour bars; ours is the last tick that the
    largest share reaches, in the nine languages without English.

    :param table: CSV to write: strategy, lang, requests, first, fourth (shares; empty for no requests)
    :param found: the file that `strategies` wrote
    """
    return outer_quartiles(found)


def outer_quartiles(found: Path, caveat: str = "") -> Rows:
    """Draw them; `caveat`: why the lexicons cannot be compared with the paper's."""
    cells = read_found(found)[RULES[0].name]
    rows, columns = names(cells)
    shares = {key: cell.shares for key, cell in cells.items() if cell.requests}
    ours: dict[tuple[str, ...], Cell] = {}
    for place, (plot, step) in enumerate(PLOTS.items()):
        most = max(((pair[place], *key) for key, pair in shares.items() if key[1] != "en"), default=None)
        if most is None:
            continue
        tick = f"{math.floor(most[0] / step + 1e-9) * step:.1f}"
        facts = f"rule:{RULES[0].name}|largest:{most[0]:.4f} ({most[1]}, {most[2]})"
        ours[plot, TICK] = Cell(tick, facts, ", ".join(filter(None, (caveat, ROUGHLY))))
    table = [
        [*key, cell.requests, *(f"{share:.4f}" for share in shares[key])]
        if key in shares
        else [*key, 0, "", ""]
        for key, cell in cells.items()
    ]

    @drawing
    def draw() -> Drawn:
        from matplotlib.figure import Figure

        drawn = Figure(figsize=(12.5, 6.2), layout="constrained")
        for place, (axes, title) in enumerate(
            zip(
                drawn.subplots(1, 2, sharey=True),
                ("1st quartile (least polite)", "4th quartile (most polite)"),
                strict=True,
            )
        ):
            spots = {key: Spot(pair[place], f"{pair[place]:.2f}") for key, pair in shares.items()}
            heatmap(axes, spots, rows=rows, columns=columns, baseline=BASELINE, reach=BASELINE)
            axes.set_xlabel(f"share of requests with the strategy in the {title}")
        drawn.supxlabel("0.25 is the share by chance; blue is more, orange less", fontsize=9)
        return Drawn(
            drawn,
            title="Politeness strategies in the outer quartiles (TyDiP, Figure 8)",
            description="Two grids with one row per strategy and one column per language: the share of"
            " requests with the strategy that lie in the first and in the fourth quartile. "
            + " ".join(_sentence(row, columns, shares) for row in rows),
        )

    return Rows(ours, ("strategy", "lang", "requests", *PLOTS), table, draw=draw)


def _sentence(strategy: str, languages: list[str], shares: dict[tuple[str, str], tuple[float, float]]) -> str:
    parts = [
        f"{code} {shares[strategy, code][0]:.2f} and {shares[strategy, code][1]:.2f}"
        for code in languages
        if (strategy, code) in shares
    ]
    return f"{strategy.replace('_', ' ')}: {', '.join(parts) or 'in no request'}."


if __name__ == "__main__":
    run(figure8)
