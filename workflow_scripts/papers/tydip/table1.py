"""Command: Table 1 of TyDiP, as far as the released requests tell: their mean length."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cell, Cells, read_printed, write_comparison
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import read_requests, requests_file


def table1(
    table: Path, comparison: Path, *, corpus: Path, printed: Path, names: Path, languages: list[str]
) -> None:
    """Write Table 1's last column: the mean length of a request in bytes of UTF-8, rounded to a whole number.

    The mean is over the 500 annotated requests, each as often as it stands there. The paper means all
    requests that were crawled; those are not released, so neither are their numbers and languages, whose
    columns are empty.

    :param table: CSV to write: language, family, script, requests, target, english, other, length
    :param comparison: CSV to write: lang, metric, printed, ours, difference, comparable, signature
    :param corpus: folder with TyDiP in its official layout
    :param printed: CSV: lang, metric, printed
    :param names: CSV: lang, language, family, script, as the paper names them
    :param languages: codes, in the order of the rows
    """
    labels = {row[0]: row[1:] for _, row in read_keyed(names, ("lang", "language", "family", "script"))}
    rows: list[list[str]] = []
    cells: Cells = {}
    for language in languages:
        if language not in labels:
            raise InputError(f"no names of language '{language}'", path=names)
        file = requests_file(corpus, language)
        requests = read_requests(file)
        length = sum(len(request.text.encode()) for request in requests) / len(requests)
        rows.append([*labels[language], "", "", "", "", rounded(length, 0)])
        facts = signature(file, n=len(requests), mean=f"{length:.3f}", decimals="rounded")
        cells[language, "length"] = Cell(rounded(length, 0), facts)
    header = ("language", "family", "script", "requests", "target", "english", "other", "length")
    write_comparison(comparison, ("lang", "metric"), read_printed(printed, "lang", "metric"), cells)
    write_csv(table, header, rows)


if __name__ == "__main__":
    run(table1)
