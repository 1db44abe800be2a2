"""Command: Table 1 of TyDiP, available requests and their languages, counted in the dumps."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature

COLUMNS = ("requests", "target", "english", "other")
NO_DUMP = "no dump is configured"
OTHER_DUMP = "the paper does not say which dump"


@leaf("lang", "metric")
def crawl(
    *, languages: list[str], counts: list[Path] | None = None, counted: list[str] | None = None
) -> Table:
    """Write the number of requests, and the per cent in the language itself, in English and in others.

    :param table: CSV to write: lang, requests, target, english, other
    :param counts: the counts that corpora.identify wrote
    :param counted: the languages of these files, in the same order
    """
    cells: Cells = {(lang, column): Cell("", "", NO_DUMP) for lang in languages for column in COLUMNS}
    for language, path in zip(counted or [], counts or [], strict=True):
        steps = read_counts(path)
        total = sum(steps.values())
        if not total:
            raise InputError("no requests", path=path)
        own, english = steps.get(f"language:{language}", 0), steps.get("language:en", 0)
        facts = signature(path, n=total)
        cells[language, "requests"] = Cell(str(total), facts, OTHER_DUMP)
        shares = (own, english, total - own - english)
        for column, count in zip(COLUMNS[1:], shares, strict=True):
            cells[language, column] = Cell(rounded(100 * count / total, 0), facts, OTHER_DUMP)
    return Table(cells, COLUMNS)


if __name__ == "__main__":
    run(crawl)
