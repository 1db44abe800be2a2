"""Command: Table 9 of XFORMAL, formality scores of original and round-trip translated text (Appendix A)."""

import math
import statistics
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_numbers
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.statistics.correlation import spearman
from workflow_scripts.statistics.shifts import paired_t_p

EDGES = (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
BINS = tuple(f"[{low:g},{high:g}]" for low, high in pairwise(EDGES))
SIGNIFICANT = 0.05
# The words for a printed star and a printed colour.
WORDS = ("yes", "no", "blue", "red", "none")
# The paper colours shifts above and below zero; all 18 printed ones are coloured from this size on.
COLOURED = 0.05
GOLD, ORIGINAL, SENTENCES = "GOLD-STANDARD", "ORIGINAL-EN", "SENTENCES"
# The bin of all sentences, and the row of the mean shift over languages.
ALL, SHIFT = "all", "Δ"
KEYS = ("row", "bin", "metric")
# The means of the printed bins differ by up to 0.19 from the means of all sentences of the genre.
UNKNOWN = "the paper does not say which sentences of answers it tested"


@leaf(*KEYS, words=WORDS)
def pivots(
    theirs: Printed, *, languages: list[str], ratings: Path, original: Path, translated: list[Path]
) -> Rows:
    """Compare the formality of English sentences before and after a round trip through another language.

    Sentences are binned by their human rating; a bin includes its lower edge, the last one both. Scores are
    the English regressor's. A cell is the mean and the population's standard deviation; Δ has those of the
    shifts of single sentences, with a star if a two-sided paired t-test has p < 0.05 (the paper does not name
    its test). The paper also colours shifts of at least 0.05 blue (upwards) or red (downwards): the colour is
    a line of the comparison. The last column is Spearman's correlation of scores and ratings over all
    sentences, the last row the number of sentences. No cell is comparable, since the paper does not say which
    sentences it tested, nor how many. Raises InputError for files that are not parallel and for a rating
    outside -3..3.

    :param table: CSV to write in the paper's layout: row, one column per bin, spearman
    :param comparison: CSV to write: row, bin, metric (mean, sd, significant, colour or spearman), printed,
        ours, difference, comparable, signature; the row Δ is the mean change of Spearman's correlation
    :param languages: the pivot languages, in the order of the rows
    :param ratings: human ratings, one per line
    :param original: scores of the rated sentences, parallel to `ratings`
    :param translated: scores of their round trips, one file per language
    """
    if len(languages) != len(translated):
        raise InputError(f"{len(languages)} languages have {len(translated)} files", fix="give each its file")
    rated = read_numbers(ratings)
    bins = _binned(rated, ratings)
    before = _parallel(original, ratings, len(rated))
    rows: list[list[str]] = []
    cells: Cells = {}

    def add(row: str, path: Path, values: Sequence[float], base: Sequence[float] | None = None) -> float:
        """Add a row of the values or, with `base`, of their shifts from it; return the correlation."""
        shifts = values
        if base is not None:
            # Scores have 4 decimals; rounding removes the error of float subtraction.
            shifts = [round(after - at, 6) for after, at in zip(values, base, strict=True)]
        texts = []
        for name, numbers in zip(BINS, bins, strict=True):
            in_bin = [shifts[number] for number in numbers]
            texts.append(_cell(row, name, path, in_bin, base is not None, cells))
        correlation = math.nan if base is not None or values is rated else spearman(values, rated)
        if not math.isnan(correlation):
            facts = signature(path, n=len(rated), method="spearman")
            cells[row, ALL, "spearman"] = Cell(rounded(correlation, 3), facts)
        rows.append([row, *texts, "" if math.isnan(correlation) else rounded(correlation, 3)])
        return correlation

    add(GOLD, ratings, rated)
    first = add(ORIGINAL, original, before)
    changes = []
    for language, path in zip(languages, translated, strict=True):
        after = _parallel(path, ratings, len(rated))
        changes.append(add(f"PIVOT-{language.upper()}", path, after) - first)
        add(f"{SHIFT} {language.upper()}", path, after, before)
    if changes and not any(map(math.isnan, changes)):
        facts = f"mean of {len(changes)} languages|n:{len(rated)}|method:spearman"
        cells[SHIFT, ALL, "spearman"] = Cell(rounded(statistics.fmean(changes), 3), facts)
    rows.append([SENTENCES, *(str(len(numbers)) for numbers in bins), ""])
    for key, cell in cells.items():
        if key[2] in ("significant", "colour"):
            other = theirs.get(key, "")
            cells[key] = replace(cell, difference=other and ("same" if cell.ours == other else "other"))
    cells = {key: replace(cell, caveat=UNKNOWN) for key, cell in cells.items()}
    return Rows(cells, ("row", *BINS, "spearman"), rows)


def _binned(ratings: Sequence[float], path: Path) -> list[list[int]]:
    """The indices of the sentences in each bin."""
    bins: list[list[int]] = [[] for _ in BINS]
    for number, rating in enumerate(ratings):
        if not EDGES[0] <= rating <= EDGES[-1]:
            raise InputError(f"rating {rating:g} is not between -3 and 3", path=path, line=number + 1)
        bins[min(bisect_right(EDGES, rating), len(BINS)) - 1].append(number)
    return bins


def _parallel(path: Path, ratings: Path, size: int) -> list[float]:
    scores = read_numbers(path)
    if len(scores) != size:
        raise InputError(f"{len(scores)} scores but {size} ratings in {ratings}", path=path)
    return scores


def _cell(row: str, name: str, path: Path, values: Sequence[float], shift: bool, cells: Cells) -> str:
    """Add the numbers of a bin to `cells`; return them as the table shows them, empty for an empty bin."""
    if not values:
        return ""
    mean, sd = rounded(statistics.fmean(values), 2), rounded(statistics.pstdev(values), 2)
    facts = signature(path, n=len(values), std="population")
    cells[row, name, "mean"] = Cell(mean, facts)
    cells[row, name, "sd"] = Cell(sd, facts)
    if not shift:
        return f"{mean} ± {sd}"
    p = paired_t_p(values)
    star = not math.isnan(p) and p < SIGNIFICANT
    test = "none: shifts do not vary" if math.isnan(p) else f"paired t, two-sided|p:{p:.4g}"
    cells[row, name, "significant"] = Cell("yes" if star else "no", f"{facts}|test:{test}")
    cells[row, name, "colour"] = Cell(_colour(float(mean)), facts)
    return f"{'+' if float(mean) > 0 else ''}{mean} ± {sd}{'*' if star else ''}"


def _colour(shift: float) -> str:
    if abs(shift) < COLOURED:
        return "none"
    return "blue" if shift > 0 else "red"


if __name__ == "__main__":
    run(pivots)
