"""Command: Table 2 of XFORMAL, sentences of Yahoo Answers after each curation step."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.leaves.comparison import Cells
from workflow_scripts.leaves.layout import by_language, write_leaf
from workflow_scripts.papers.xformal.steps import Rows, count_of

# The paper's rows: whose table of counts, and which step of it.
ROWS: Rows = {
    ("L6 Yahoo!",): ("answers", "all sentences"),
    ("+ Step 1",): ("answers", "sentences"),
    ("+ Step 2",): ("curated", "curated"),
    ("+ Step 3",): ("candidates", "informal"),
}


def table2(
    table: Path,
    comparison: Path,
    *,
    languages: list[str],
    counted: list[str],
    answers: list[Path],
    curated: list[Path],
    candidates: list[Path],
    printed: Path,
    scale: Literal["demo", "open", "paper"],
) -> None:
    """Write how many sentences are left after each step of Section 3.

    The first row counts the sentences of all answers in a language, step 1 those on family and relationships,
    step 2 those that the filters keep, step 3 the informal ones among them, from which candidates are drawn.

    :param table: CSV to write in the paper's layout: step, then one column per language
    :param comparison: CSV to write: step, lang, printed, ours, difference, comparable, signature
    :param languages: codes, in the order of the columns
    :param counted: the languages that have counts, maybe none; the others' columns are empty
    :param answers: tables of counts from corpora.yahoo, one for each of `counted`
    :param curated: tables of counts from filtering.curate
    :param candidates: tables of counts from filtering.candidates
    :param printed: CSV: step, lang, printed
    :param scale: only numbers of the scale `paper` can be compared with the printed ones
    """
    files = by_language(counted, answers=answers, curated=curated, candidates=candidates)
    cells: Cells = {
        (*row, language): count_of(paths[name], step, "sentences")
        for row, (name, step) in ROWS.items()
        for language, paths in files.items()
    }
    write_leaf(
        table,
        comparison,
        cells,
        keys=("step", "lang"),
        rows=ROWS,
        columns=languages,
        printed=printed,
        scale=scale,
    )


if __name__ == "__main__":
    run(table2)
