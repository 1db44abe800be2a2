"""Command: Table 4 of CoCoA-MT, per cent of system outputs that raters label with each formality level."""

import math
from collections import Counter
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.human.scales import LEVEL
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.cocoa_mt.accuracies import labels_of
from workflow_scripts.papers.cocoa_mt.labels import (
    OTHER_SYSTEMS,
    Judged,
    caveat_of,
    raters_of,
    read_sheets,
    with_reasons,
)

KEYS = ("lang", "system", "metric")
ALPHA, BOTH, AVERAGE = "alpha", "both", "average"
COLUMNS = (*LEVEL.words, ALPHA)


@leaf(*KEYS)
def table4(
    theirs: Printed,
    *,
    sheets: list[Path] | None = None,
    item_keys: list[Path] | None = None,
    ratings: list[Path] | None = None,
    languages: list[str] | None = None,
    systems: Path,
    simulated: bool = False,
) -> Table:
    """Write the share of each label among all labels of a system, in per cent, and the raters' agreement.

    The labels of all raters count equally. Agreement is Krippendorff's alpha for nominal categories, over the
    texts of all systems, each of which is shown once. `average` is the mean over the languages. Without
    labels the table is empty: the paper's are not released.

    :param table: CSV to write: lang, system, formal, informal, neutral, other, alpha
    :param sheets: the sheet of each language, as raters saw it
    :param item_keys: the key of each sheet, which names the system behind each text
    :param ratings: checked ratings of the task `level`
    :param systems: CSV: system, label
    """
    fix_threads(1)
    names = labels_of(systems)
    caveat = caveat_of(OTHER_SYSTEMS, simulated)
    cells: Cells = {}
    alphas: list[float] = []
    files = {"sheets": sheets, "item_keys": item_keys, "ratings": ratings}
    for language, (paths, judged) in read_sheets(languages, **files).items():
        facts = signature(paths["ratings"], raters=raters_of(judged))
        counts_of = shares(judged)
        labelled = {system: names[system] for system in counts_of}
        for system in filter(labelled.__contains__, names):
            counts = counts_of[system]
            described = f"{facts}|labels:{counts.total()}"
            for word in LEVEL.words:
                share = rounded(100 * counts[word] / counts.total(), 1, "half-up")
                cells[language, names[system], word] = Cell(share, described, caveat)
        value = agreement(judged)
        if not math.isnan(value):
            alphas.append(value)
            described = f"{facts}|alpha:nominal|items:{len(judged)}"
            cells[language, BOTH, ALPHA] = Cell(rounded(value, 2, "half-up"), described, caveat)
    if alphas:
        mean = rounded(fmean(alphas), 2, "half-up")
        cells[AVERAGE, BOTH, ALPHA] = Cell(mean, f"mean of {len(alphas)} languages", caveat)
    return with_reasons(cells, COLUMNS, theirs)


def shares(judged: list[Judged]) -> dict[str, Counter[str]]:
    """The counts of each label for a system's translations."""
    counts: dict[str, Counter[str]] = {}
    for item in judged:
        values = [rating.value for rating in item.ratings.values()]
        for entry in item.entries if values else ():
            counts.setdefault(entry.system, Counter()).update(values)
    return counts


def agreement(judged: list[Judged]) -> float:
    """Krippendorff's alpha of the labels; NaN if no text has two labels, or if all labels are the same."""
    from workflow_scripts.statistics.agreement import alpha

    number = {word: float(place) for place, word in enumerate(LEVEL.words)}
    ratings = [[(rater, number[rating.value]) for rater, rating in item.ratings.items()] for item in judged]
    return alpha(ratings, 0, len(LEVEL.words) - 1, "nominal")


if __name__ == "__main__":
    run(table4)
