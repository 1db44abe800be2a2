"""Command: Figure 4 of TyDiP with lexicons induced here, beside the released ones."""

from dataclasses import replace
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.figures.heatmap import heatmap
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.tydip.figure4 import SIGNS, compared, sentence, spots
from workflow_scripts.papers.tydip.unreleased import OTHER_LEXICONS
from workflow_scripts.politeness.corpus import ENGLISH
from workflow_scripts.politeness.found import Found, names, read_found
from workflow_scripts.politeness.matching import RULES

# In the demo world the lexicons of the corpus are hand-written.
SIDES = {"induced": "induced here", "released": "of the corpus"}


@leaf("strategy", "lang", "metric", words=SIGNS, drawn=True)
def figure4_scratch(theirs: Printed, *, induced: Path, released: Path) -> Rows:
    """Draw the mean score per strategy and language with both lexicons, and write the numbers.

    The paper's statements on Figure 4 are compared with the induced lexicons; see `figure4`. Only English is
    comparable, whose lexicon is not induced.

    :param table: CSV to write: strategy, lang, then mapped, requests and mean of each lexicon
    :param comparison: CSV to write: strategy, lang, metric (sign, coverage or strategies), printed, ours,
        difference, comparable, signature
    :param induced: the file that `strategies` wrote for the lexicons induced here
    :param released: the same for the lexicons of the corpus
    """
    by_side = {
        side: read_found(path)[RULES[0].name] for side, path in zip(SIDES, (induced, released), strict=True)
    }
    if by_side["induced"].keys() != by_side["released"].keys():
        raise InputError(
            "the strategies or languages differ from those of the induced lexicons", path=released
        )
    cells = {
        key: cell if key[1] == ENGLISH else replace(cell, caveat=OTHER_LEXICONS)
        for key, cell in compared(by_side["induced"], theirs).items()
    }
    rows, columns = names(by_side["induced"])

    @drawing
    def draw() -> Drawn:
        from matplotlib.figure import Figure

        drawn = Figure(figsize=(15.5, 6.4), layout="constrained")
        for axes, side in zip(drawn.subplots(1, 2, sharey=True), SIDES, strict=True):
            heatmap(axes, spots(by_side[side]), rows=rows, columns=columns, baseline=0.0, reach=1.0)
            axes.set_xlabel(f"lexicons {SIDES[side]}")
        drawn.supxlabel("mean score of the requests with a strategy, and their number", fontsize=9)
        return Drawn(
            drawn,
            title="Politeness strategies and mean politeness scores, with induced lexicons (TyDiP, Figure 4)",
            description="Two grids with one row per strategy and one column per language, with lexicons"
            " that are induced here and with those of the corpus. "
            + " ".join(f"{side}: {sentence(row, columns, by_side[side])}" for row in rows for side in SIDES),
        )

    return Rows(
        cells,
        (
            "strategy",
            "lang",
            *(f"{side}_{name}" for side in SIDES for name in ("mapped", "requests", "mean")),
        ),
        [
            [*key, *(part for side in SIDES for part in _numbers(by_side[side][key]))]
            for key in by_side["induced"]
        ],
        draw=draw,
    )


def _numbers(cell: Found) -> list[object]:
    return [cell.mapped, cell.requests, rounded(cell.mean, 4) if cell.requests else ""]


if __name__ == "__main__":
    run(figure4_scratch)
