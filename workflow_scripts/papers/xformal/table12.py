"""Command: Table 12 of XFORMAL, OpenSubtitles statistics before and after filtering."""

from dataclasses import replace
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.papers.xformal.departures import departures
from workflow_scripts.papers.xformal.steps import Rows, count_of

# The paper's rows (subtitles, preprocessed or not) -> the table of counts, and the step in it.
ROWS: Rows = {
    ("All", "no"): ("filtered", "raw"),
    ("All", "yes"): ("filtered", "curated"),
    ("Informal", "yes"): ("pools", "informal"),
}


@leaf("subtitles", "preprocessing", "lang")
def table12(
    *, languages: list[str], filtered: list[Path], pools: list[Path], backend: str, encoder: str
) -> Table:
    """Write the numbers of subtitle pairs, of pairs that the filters keep, and of informal ones.

    The paper gives millions with one decimal; the comparison has them as whole numbers, so differences
    include their rounding.

    :param table: CSV to write in the paper's layout: subtitles, preprocessing, then one column per language
    :param filtered: tables of counts from filtering.gather, one per language
    :param pools: tables of counts from filtering.pools
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    :param encoder: hub name of the regressors' encoder, or the kind of an encoder outside the hub
    """
    files = by_language(languages, filtered=filtered, pools=pools)
    caveats = {("pools", code): departures(code, backend=backend, encoder=encoder) for code in languages}
    cells: Cells = {
        (*row, language): replace(
            count_of(paths[name], step, "pairs"), caveat=caveats.get((name, language), "")
        )
        for row, (name, step) in ROWS.items()
        for language, paths in files.items()
    }
    return Table(cells, languages, ROWS)


if __name__ == "__main__":
    run(table12)
