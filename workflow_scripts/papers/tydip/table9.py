"""Command: Table 9 of TyDiP, agreement with the original English labels, by annotators' language."""

import math
from pathlib import Path
from statistics import fmean, pstdev

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.unreleased import NO_RATINGS, REMARKS, Raters
from workflow_scripts.politeness.original import AGGREGATE, RAW, read_original

COLUMNS = tuple(f"{kind}{end}" for kind in (RAW, AGGREGATE) for end in ("", "_sd"))


@leaf("lang", "metric")
def table9(*, original: Path, languages: list[str], raters: Raters = "people") -> Table:
    """Write means and deviations (the population's) over all raters and HITs of a language.

    `raw` is also over the correlations with each of the five original ratings. Without ratings the table is
    empty: the paper's are not released.

    :param table: CSV to write: lang, raw, raw_sd, aggregate, aggregate_sd
    :param original: the file that politeness.original wrote
    :param raters: the source of the ratings
    """
    by_language = read_original(original)
    cells: Cells = {
        (language, column): Cell("", "", NO_RATINGS) for language in languages for column in COLUMNS
    }
    for language in languages:
        for kind in (RAW, AGGREGATE):
            correlations = by_language.get((language, kind), [])
            values = [value for value in correlations if not math.isnan(value)]
            if values:
                facts = signature(original, n=len(values), dropped=len(correlations) - len(values))
                for column, value in ((kind, fmean(values)), (f"{kind}_sd", pstdev(values))):
                    cells[language, column] = Cell(rounded(value, 2), facts, REMARKS[raters])
    return Table(cells, COLUMNS)


if __name__ == "__main__":
    run(table9)
