"""Command: Table 3 of XFORMAL, number of workers after each step of quality control (QC)."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.workers import SCREENED
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.signature import signature

# The steps: description, and the column in which a worker who passed has `yes`.
STEPS = {
    "QC1": ("Location restriction", "located"),
    "QC2": ("Qualification test", "passed"),
    "QC3": ("Rewrites review", "accepted"),
}


@leaf("step", "lang")
def table3(
    theirs: Printed,
    *,
    languages: list[str],
    screened: list[Path] | None = None,
    screened_languages: list[str] | None = None,
    simulated: bool = False,
) -> Rows:
    """Write the number of workers left after the location restriction, the test, and the review.

    :param table: CSV to write: step, description, source, one column per language
    :param languages: codes of the columns; printed ones keep the paper's order
    :param screened: the steps that each worker passed, one file per language with workers
    :param screened_languages: the codes of these languages
    :param simulated: whether the workers are simulated; the table says so
    """
    files, codes = screened or [], screened_languages or []
    if len(files) != len(codes):
        raise InputError(f"{len(files)} files of workers for {len(codes)} languages")
    order = list(dict.fromkeys([*(lang for _, lang in theirs if lang in languages), *languages]))
    cells: Cells = {}
    for language in order:
        if language not in codes:
            for step in STEPS:
                cells[step, language] = Cell("", "", "no workers: human.ratings")
            continue
        path = files[codes.index(language)]
        rows = [dict(zip(SCREENED, row, strict=True)) for _, row in read_csv(path, SCREENED)]
        facts = signature(path, workers=len(rows))
        note = f"simulated workers|{facts}" if simulated else facts
        for step, (_, column) in STEPS.items():
            cells[step, language] = Cell(str(sum(row[column] == "yes" for row in rows)), note)
    source = "" if not files else "simulated" if simulated else "workers"
    return Rows(
        cells,
        ("step", "description", "source", *order),
        [
            [step, description, source, *(cells[step, language].ours for language in order)]
            for step, (description, _) in STEPS.items()
        ],
    )


if __name__ == "__main__":
    run(table3)
