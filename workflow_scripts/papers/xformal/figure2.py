"""Command: Figure 2 of XFORMAL, informal sentences and formal rewrites binned by formality score."""

import statistics
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_numbers
from workflow_scripts.figures.bars import Panel, Series, grouped_bars
from workflow_scripts.figures.histograms import counted
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.xformal.departures import departures

# Unit bins of the rating scale.
EDGES = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
INFORMAL, FORMAL, SHIFT = "informal", "formal", "shift"
HEADER = ("lang", "style", "metric", "low", "high", "value")


@leaf("lang", "metric", words=("+", "-"), drawn=True)
def figure2(
    theirs: Printed,
    *,
    scores: list[Path],
    languages: list[str],
    labels: list[str],
    backend: str,
    encoder: str,
) -> Rows:
    """Draw the regressor's scores of the informal sentences and of all rewrites in unit bins (Section 4).

    A bin includes its lower edge, the last one both. The regressor's output is unbounded: scores below -3 are
    in the first bin, scores above 3 in the last one. Bars are shares of each side, since there are more
    rewrites than sentences; the numbers above them are counts. The figure prints no numbers; for the text's
    "skewed towards positive values" the comparison has the sign of the shift between the mean scores of the
    informal sentences and the rewrites.

    :param table: CSV to write: lang, style (informal or formal), metric (mean or sentences), low, high,
        value; a line for the mean and for every bin
    :param comparison: CSV to write: lang, metric (shift), printed, ours, difference, comparable, signature
    :param scores: folders, one per language, with `informal.txt` and one file `formal.ref<i>.txt` per set of
        rewrites, one score per line
    :param labels: the paper's names of the languages, in the same order
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    :param encoder: hub name of the regressors' encoder, or the kind of an encoder outside the hub
    """
    if not len(languages) == len(scores) == len(labels):
        raise InputError("languages, labels and scores differ in number", fix="give each language its folder")
    panels: list[Panel] = []
    rows: list[list[object]] = []
    cells: Cells = {}
    spoken: list[str] = []
    for code, name, folder in zip(languages, labels, scores, strict=True):
        sides = {INFORMAL: [folder / "informal.txt"], FORMAL: sorted(folder.glob("formal.ref*.txt"))}
        series: list[Series] = []
        means: list[float] = []
        for style, files in sides.items():
            values = [value for path in files for value in read_numbers(path)]
            if not values:
                raise InputError(f"no score of {style} sentences", path=folder)
            counts = counted(_bounded(values), EDGES)
            means.append(statistics.fmean(values))
            series.append(Series(style, counts))
            rows.append([code, style, "mean", "", "", rounded(means[-1], 4)])
            rows += [
                [code, style, "sentences", f"{low:g}", f"{high:g}", count]
                for (low, high), count in zip(pairwise(EDGES), counts, strict=True)
            ]
        panels.append(
            Panel(f"{name}: mean {rounded(means[0], 2)} (informal), {rounded(means[1], 2)} (formal)", series)
        )
        spoken.append(_sentence(name, series))
        # The English regressor learns from the ratings themselves, the others from translations.
        caveat = departures(code, encoder=encoder, **({} if code == "en" else {"backend": backend}))
        cells[code, SHIFT] = _shift(means, folder, theirs.get((code, SHIFT), ""), caveat)
    bins = [f"{low:g} to {high:g}" for low, high in pairwise(EDGES)]

    @drawing
    def draw() -> Drawn:
        return Drawn(
            grouped_bars(
                panels,
                bins=bins,
                columns=2,
                label="formality score",
                share="share of sentences (above: number)",
            ),
            title="Formality of informal sentences and of their rewrites (XFORMAL, Figure 2)",
            description=f"Two bars in each of the bins {', '.join(bins)}, per language. " + " ".join(spoken),
        )

    return Rows(cells, HEADER, rows, draw=draw)


def _bounded(values: Sequence[float]) -> list[float]:
    return [min(max(value, EDGES[0]), EDGES[-1]) for value in values]


def _shift(means: Sequence[float], folder: Path, theirs: str, caveat: str) -> Cell:
    gap = means[1] - means[0]
    sign = "+" if gap > 0 else "-" if gap < 0 else "0"
    informal = signature(folder / "informal.txt", informal=rounded(means[0], 4), formal=rounded(means[1], 4))
    return Cell(sign, informal, caveat, ("same" if sign == theirs else "other side") if theirs else None)


def _sentence(name: str, series: Sequence[Series]) -> str:
    return f"{name}: " + "; ".join(f"{side.name} {', '.join(map(str, side.counts))}" for side in series) + "."


if __name__ == "__main__":
    run(figure2)
