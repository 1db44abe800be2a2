"""Command: Table III of Hu et al. (2022), peer evaluation of the rewritten user utterances."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.fields import whole
from workflow_scripts.corpora.impolite import COLUMNS
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.impolite.table2 import UNPUBLISHED, caveat_of

RATED = {"Politeness": "politeness", "Content Preservation": "content", "Fluency": "fluency"}
COUNTED = ("Dialogues", "User utterances")
COLUMNS_HERE = ("Total", "Avg. Score")
DECIMALS = 2
UNRATED = "the corpus has no ratings"


@leaf("metric", "column")
def table3(*, rewrites: Path | None = None, simulated: bool = False, written_by: str = "") -> Table:
    """Write the mean ratings of the rewritten turns, and the sizes of Section III-B.

    A mean is over all ratings of all turns, from 1 to 5. Without ratings the means are empty; without a
    corpus the whole table is.

    :param table: CSV to write: metric, Total, Avg. Score
    :param rewrites: table of the rewritten turns
    :param simulated: whether the ratings are simulated
    :param written_by: the label of the system that wrote the impolite users' words; empty if people did
    """
    rows: list[dict[str, str]] = []
    ratings: dict[str, list[int]] = {column: [] for column in RATED.values()}
    if rewrites:
        for line, fields in read_csv(rewrites, COLUMNS):
            rows.append(dict(zip(COLUMNS, fields, strict=True)))
            for column, scores in ratings.items():
                scores += [whole(score, rewrites, line, 1) for score in rows[-1][column].split()]
    facts = signature(rewrites) if rewrites else ""
    cells: Cells = {}
    totals = (len({row["dialogue"] for row in rows}), len(rows))
    for name, total in zip(COUNTED, totals, strict=True):
        written = caveat_of(written_by)
        cells[name, "Total"] = Cell(str(total), facts, written) if rows else Cell("", "", UNPUBLISHED)
    for name, column in RATED.items():
        scores = ratings[column]
        missing = UNRATED if rows else UNPUBLISHED
        mean = rounded(sum(scores) / len(scores), DECIMALS, "half-up") if scores else ""
        caveat = ("simulated raters" if simulated else "") if scores else missing
        cells[name, "Avg. Score"] = Cell(mean, f"{facts}|ratings:{len(scores)}" if scores else "", caveat)
    return Table(cells, COLUMNS_HERE)


if __name__ == "__main__":
    run(table3)
