"""Command: Table 5 of XFORMAL, surface differences between informal-formal pairs and within rewrites."""

import statistics
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.fields import number
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.rewrites.pairs import read_pairs
from workflow_scripts.rewrites.self_bleu import COLUMNS
from workflow_scripts.rewrites.self_bleu import LABEL as SELF_BLEU

KEYS = ("metric", "lang")
LED = "LeD"
DECIMALS = 2


@leaf(*KEYS)
def table5(*, languages: list[str], pairs: list[Path], self_bleu: list[Path]) -> Table:
    """Write LeD and self-BLEU per language (Section 4), both between 0 and 1, with two decimals.

    LeD is the mean over all rewrites, self-BLEU the mean over the sets of rewrites. A single set of rewrites
    has no self-BLEU: the field is empty, and the comparison gives the reason.

    :param table: CSV to write: metric (LeD or self-BLEU), one column per language
    :param pairs: the file that `measure` wrote for each language
    :param self_bleu: the file that `self_bleu` wrote for each language
    """
    files = by_language(languages, pairs=pairs, self_bleu=self_bleu)
    cells: Cells = {}
    for code in languages:
        path = files[code]["pairs"]
        differences = [pair.led for pair in read_pairs(path)]
        facts = signature(path, tokens="moses", case="lower", n=len(differences))
        cells[LED, code] = Cell(rounded(statistics.fmean(differences), DECIMALS), facts)
    for code in languages:
        cells[SELF_BLEU, code] = _self_bleu(files[code]["self_bleu"])
    return Table(cells, languages, [(LED,), (SELF_BLEU,)])


def _self_bleu(path: Path) -> Cell:
    rows = [(number(row[1], path, line), row[2]) for line, row in read_csv(path, COLUMNS)]
    if not rows:
        return Cell("", "", "only one set of rewrites, and no other to compare it with")
    mean = statistics.fmean(value for value, _ in rows)
    return Cell(rounded(mean, DECIMALS), f"{signature(path, sets=len(rows))}|{rows[0][1]}")


if __name__ == "__main__":
    run(table5)
