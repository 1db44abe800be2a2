"""Command: Figure 1 of XFORMAL, character-based Levenshtein distance of informal sentences and rewrites."""

from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.figures.histograms import Distribution, histograms
from workflow_scripts.figures.look import Drawn, drawing
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.rewrites.pairs import read_pairs

RANK = "rank"


@leaf("lang", "metric", drawn=True)
def figure1(
    theirs: Printed, *, pairs: list[Path], languages: list[str], labels: list[str], width: int
) -> Rows:
    """Draw one histogram of character-based Levenshtein distances per language, and write it (Section 4).

    A bin includes its lower edge; bins start at 0 and cover the distances of all languages. The figure prints
    no numbers; the text ranks the languages by the amount of edits. Our ranks are those of the mean
    distances, 1 for the largest, comparable if all languages of the paper are there.

    :param table: CSV to write: lang, metric (mean, median or rewrites), low, high, value; a line each for
        the mean, the median and every bin
    :param comparison: CSV to write: lang, metric (rank), printed, ours, difference, comparable, signature
    :param pairs: the file that `measure` wrote for each language
    :param labels: the paper's names of the languages, in the same order
    :param width: width of a bin, in characters
    """
    if not len(languages) == len(pairs) == len(labels):
        raise InputError("languages, labels and pairs differ in number", fix="give each language its file")
    distances = [[pair.levenshtein for pair in read_pairs(path)] for path in pairs]
    bins = max(max(values) for values in distances) // width + 1
    edges = [step * width for step in range(bins + 1)]
    groups = [Distribution.of(name, values, edges) for name, values in zip(labels, distances, strict=True)]
    absent = sorted({code for code, _ in theirs} - set(languages))
    caveat = f"a rank without {', '.join(absent)}" if absent else ""
    rows: list[list[object]] = []
    cells: Cells = {}
    means = sorted((group.mean for group in groups), reverse=True)
    for code, group, path in zip(languages, groups, pairs, strict=True):
        rows.append([code, "mean", "", "", rounded(group.mean, 4)])
        rows.append([code, "median", "", "", rounded(group.median, 4)])
        rows += [
            [code, "rewrites", low, high, count]
            for (low, high), count in zip(pairwise(edges), group.counts, strict=True)
        ]
        facts = signature(path, mean=rounded(group.mean, 4), n=group.size, languages=len(groups))
        cells[code, RANK] = Cell(str(means.index(group.mean) + 1), facts, caveat)

    @drawing
    def draw() -> Drawn:
        return Drawn(
            histograms(groups, edges=edges, columns=2, label="character edit distance", unit="rewrites"),
            title="Character edit distance between informal sentences and rewrites (XFORMAL, Figure 1)",
            description="One histogram per language. "
            + " ".join(f"{group.said('rewrites')}." for group in groups),
        )

    return Rows(cells, ("lang", "metric", "low", "high", "value"), rows, draw=draw)


if __name__ == "__main__":
    run(figure1)
