"""Command: Table 2 of TyDiP, pairwise correlation of annotators on English and native language data."""

import math
from pathlib import Path
from statistics import fmean, pstdev

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.unreleased import NO_RATINGS, REMARKS, Raters
from workflow_scripts.politeness.agreement import read_agreement

PARTS, AVERAGE, DECIMALS = ("en", "target"), "average", 2
COLUMNS = tuple(f"{part}{kind}" for part in PARTS for kind in ("", "_sd"))


@leaf("lang", "metric")
def table2(*, agreement: Path, languages: list[str], raters: Raters = "people") -> Table:
    """Write the mean and standard deviation of the agreement of each language's raters over their HITs.

    The deviation is the population's. The paper does not state the unit: here it is a part of a HIT, whose
    agreement is the mean over its pairs of raters (`politeness.agreement`). The last row is the mean of the
    unrounded cells above it. Without ratings the table is empty: the paper's are not released.

    :param table: CSV to write: lang, en, en_sd, target, target_sd
    :param agreement: the file that politeness.agreement wrote
    :param raters: the source of the ratings
    """
    by_raters = read_agreement(agreement)
    values: dict[tuple[str, str], float] = {}
    cells: Cells = {
        (name, column): Cell("", "", NO_RATINGS) for name in [*languages, AVERAGE] for column in COLUMNS
    }
    caveat = REMARKS[raters]
    for language in languages:
        for part in PARTS:
            hits = by_raters.get((language, part), [])
            agreed = [value for value, *_ in hits if not math.isnan(value)]
            if agreed:
                facts = signature(
                    agreement, hits=len(agreed), pairs_dropped=sum(dropped for *_, dropped in hits)
                )
                for column, value in ((part, fmean(agreed)), (f"{part}_sd", pstdev(agreed))):
                    values[language, column] = value
                    cells[language, column] = Cell(rounded(value, DECIMALS), facts, caveat)
    for column in COLUMNS:
        if all((language, column) in values for language in languages):
            mean = fmean(values[language, column] for language in languages)
            cells[AVERAGE, column] = Cell(
                rounded(mean, DECIMALS), f"mean of {len(languages)} languages", caveat
            )
    return Table(cells, COLUMNS)


if __name__ == "__main__":
    run(table2)
