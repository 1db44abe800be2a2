"""Command: Figure 1 of TyDiP, distribution of final politeness scores per language."""

import math
from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.figures.histograms import Distribution, histograms
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import read_requests, requests_file


@leaf("lang", "metric", scaled=False, drawn=True)
def figure1(*, corpus: Path, names: Path, languages: list[str], width: float) -> Rows:
    """Draw one histogram of scores per language, with mean and median, and write their numbers.

    A bin includes its lower edge; bins start at a multiple of `width` and cover the scores of all languages.

    :param table: CSV to write: lang, metric (mean, median or requests), low, high, value; a line each for
        the mean, the median and every bin
    :param comparison: CSV to write: lang, metric, printed, ours, difference, comparable, signature; the
        figure prints no numbers, its means are those of Table 10
    :param corpus: folder with TyDiP in its official layout
    :param names: CSV: lang, language, family, script
    :param width: width of a bin
    """
    labels = {row[0]: row[1] for _, row in read_keyed(names, ("lang", "language", "family", "script"))}
    if missing := [language for language in languages if language not in labels]:
        raise InputError(f"no names for language '{missing[0]}'", path=names)
    scores = {
        language: [request.score for request in read_requests(requests_file(corpus, language))]
        for language in languages
    }
    everything = [score for values in scores.values() for score in values]
    first, last = math.floor(min(everything) / width), math.floor(max(everything) / width) + 1
    edges = [step * width for step in range(first, last + 1)]
    groups = [Distribution.of(labels[language], values, edges) for language, values in scores.items()]
    rows: list[list[object]] = []
    cells: Cells = {}
    for language, group in zip(languages, groups, strict=True):
        rows.append([language, "mean", "", "", rounded(group.mean, 4)])
        rows.append([language, "median", "", "", rounded(group.median, 4)])
        for (low, high), number in zip(pairwise(edges), group.counts, strict=True):
            rows.append([language, "requests", f"{low:g}", f"{high:g}", number])
        facts = signature(requests_file(corpus, language), n=group.size, decimals="rounded")
        cells[language, "mean"] = Cell(rounded(group.mean, 4), facts)
        cells[language, "median"] = Cell(rounded(group.median, 4), facts)

    @drawing
    def draw() -> Drawn:
        return Drawn(
            histograms(groups, edges=edges, columns=3, label="politeness score", unit="requests"),
            title="Distribution of politeness scores per language (TyDiP, Figure 1)",
            description="One histogram per language. "
            + " ".join(
                f"{group.said('requests')}, most scores between {edges[_fullest(group)]:g} and"
                f" {edges[_fullest(group) + 1]:g}."
                for group in groups
            ),
        )

    return Rows(cells, ("lang", "metric", "low", "high", "value"), rows, draw=draw)


def _fullest(group: Distribution) -> int:
    return max(range(len(group.counts)), key=lambda place: group.counts[place])


if __name__ == "__main__":
    run(figure1)
