"""Command: Table 2 of XFORMAL, sentences in the L6 Yahoo! Corpus across curation steps and languages."""

from dataclasses import replace
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.papers.xformal.departures import departures
from workflow_scripts.papers.xformal.steps import Rows, count_of

FIRST, STEP_1, STEP_3 = "L6 Yahoo!", "+ Step 1", "+ Step 3"
# The steps of corpora.yahoo in the first two rows, by the answers that are counted.
STEPS = {
    "best": ("all best sentences", "best sentences"),
    "all": ("all sentences", "sentences"),
}


def rows_of(kind: str) -> Rows:
    """The paper's rows, each with its table of counts and step; then the rows of the other answers."""
    other = next(name for name in STEPS if name != kind)
    first, step_1 = STEPS[kind]
    return {
        (FIRST,): ("answers", first),
        (STEP_1,): ("answers", step_1),
        ("+ Step 2",): ("curated", "curated"),
        (STEP_3,): ("candidates", "informal"),
        **{
            (f"{row}, {other} answers",): ("answers", step)
            for row, step in zip((FIRST, STEP_1), STEPS[other], strict=True)
        },
    }


@leaf("step", "lang")
def table2(
    *,
    languages: list[str],
    counted: list[str],
    kind: Literal["best", "all"],
    answers: list[Path],
    curated: list[Path],
    candidates: list[Path],
    backend: str,
    encoder: str,
) -> Table:
    """Write the number of sentences after each step of Section 3.

    The first row counts the sentences of answers in a language, step 1 those on family and relationships,
    step 2 those that the filters keep, step 3 the informal ones among them, from which candidates are drawn.
    The paper says "all answers", but its first row has 2.2, 1.8 and 1.9 sentences per question of Table 11
    (pt, fr, it), while L26 has 7.5 (footnote 11), so the printed unit is probably the best answer. The last
    rows count the other answers at the first two steps, which the paper does not print.

    :param table: CSV to write in the paper's layout: step, then one column per language
    :param counted: the languages that have counts, if any; the others' columns are empty
    :param kind: the answers that were read: `corpora.yahoo_answers` of the configuration
    :param answers: tables of counts from corpora.yahoo, one for each of `counted`
    :param curated: tables of counts from filtering.curate
    :param candidates: tables of counts from filtering.candidates
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    :param encoder: hub name of the regressors' encoder, or the kind of an encoder outside the hub
    """
    files = by_language(counted, answers=answers, curated=curated, candidates=candidates)
    rows = rows_of(kind)
    # Step 3 depends on the regressors.
    caveats: dict[tuple[str, ...], str] = {
        (STEP_3, code): departures(code, backend=backend, encoder=encoder) for code in languages
    }
    cells: Cells = {
        (*row, language): replace(
            count_of(paths[name], step, "sentences"), caveat=caveats.get((*row, language), "")
        )
        for row, (name, step) in rows.items()
        for language, paths in files.items()
    }
    return Table(cells, languages, rows)


if __name__ == "__main__":
    run(table2)
