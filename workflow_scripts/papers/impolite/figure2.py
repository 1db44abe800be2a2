"""Command: Figure 2 of Hu et al. (2022), dialogues binned according to their politeness scores."""

import statistics
from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.figures.bars import Panel, Series, grouped_bars
from workflow_scripts.figures.histograms import counted
from workflow_scripts.figures.look import save, styled
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.impolite.ratings import politeness_of

# Half-point bins of the rating scale, 1 to 5.
EDGES = tuple(1 + number / 2 for number in range(9))
# Short, since eight of them are side by side.
BINS = tuple(f"{low:g}–{high:g}" for low, high in pairwise(EDGES))
# The paper observes that most dialogues are below this score.
IMPOLITE_BELOW = 2.5
NAME = "Impolite Dialogue Corpus"


def figure2(figure: Path, table: Path, *, rewrites: Path | None = None, simulated: bool = False) -> None:
    """Draw the number of dialogues per politeness score, the mean rating of their rewritten turns.

    A turn's rating is the mean over its raters. Bins are half a point wide and include their lower edge, the
    last one both edges. The figure prints no numbers; the text's statement ("most rewritten dialogues ...
    less than 2.5") is the table's last row. Without a corpus or ratings the figure is empty.

    :param figure: SVG to write
    :param table: CSV to write: low, high, dialogues, share (per cent)
    :param rewrites: table of the rewritten turns and their ratings
    :param simulated: whether the ratings are simulated
    """
    scores = list(politeness_of(rewrites).values()) if rewrites else []
    counts = counted(scores, EDGES)
    below = sum(score < IMPOLITE_BELOW for score in scores)
    bins = [*zip(pairwise(EDGES), counts, strict=True), ((EDGES[0], IMPOLITE_BELOW), below)]
    write_csv(
        table,
        ("low", "high", "dialogues", "share"),
        [
            [f"{low:g}", f"{high:g}", count, rounded(100 * count / len(scores), 1) if scores else ""]
            for (low, high), count in bins
        ],
    )
    middle = f": mean {rounded(statistics.fmean(scores), 2)}" if scores else ": no ratings"
    with styled():
        save(
            grouped_bars(
                [Panel(f"{NAME}{middle}", [Series("dialogues", counts)])],
                bins=BINS,
                columns=1,
                label="politeness score" + (" (simulated raters)" if simulated and scores else ""),
                share="share of dialogues (above: number)",
            ),
            figure,
            title="Dialogues by their politeness scores (Hu et al., Figure 2)",
            description=f"{below} of {len(scores)} dialogues are below {IMPOLITE_BELOW}."
            if scores
            else "There are no ratings.",
        )


if __name__ == "__main__":
    run(figure2)
