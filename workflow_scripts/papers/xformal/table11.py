"""Command: Table 11 of XFORMAL, number of questions per language in L6 Yahoo! Answers."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.signature import signature

# The prefix of a language's count by corpora.yahoo.
LANGUAGE = "language:"


@leaf("language", "code")
def table11(theirs: Printed, *, counts: Path | None = None) -> Rows:
    """Write the number of questions in each language of the corpus, the most frequent language first.

    Languages have the paper's names; a language that it does not list only has its code.

    :param table: CSV to write: language, code, questions
    :param counts: table of counts from corpora.yahoo, of any language, since each has all counts; without
        one the table is empty
    """
    names = {code: name for name, code in theirs}
    cells: Cells = {}
    if counts is not None:
        for step, count in read_counts(counts).items():
            if step.startswith(LANGUAGE):
                code = step.removeprefix(LANGUAGE).upper()
                cells[names.get(code, ""), code] = Cell(str(count), signature(counts, step=step))
        if not cells:
            raise InputError(f"no step '{LANGUAGE}..'", path=counts, fix="read the corpus again")
    order = sorted(cells, key=lambda key: (-int(cells[key].ours), key[1]))
    return Rows(
        {key: cells[key] for key in order},
        ("language", "code", "questions"),
        [[*key, cells[key].ours] for key in order],
    )


if __name__ == "__main__":
    run(table11)
