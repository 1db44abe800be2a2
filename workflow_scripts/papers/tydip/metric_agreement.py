"""Command: how far classifiers of politeness agree with people: rank correlations with the raters' scores.

The paper has no such table: its Table 3 has the accuracy for two classes.
"""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.evaluation.agreement import HEADER
from workflow_scripts.leaves.agreements import SPEARMAN, P, in_table

COLUMNS = ("language", "metric", *SPEARMAN, P, "n", "signature")


def metric_agreement(table: Path, *, agreements: Path) -> None:
    """Write a row per language and classifier; numbers as `leaves.agreements` says.

    :param table: CSV to write: language, metric (the classifier, and whether it reads the requests as written
        or in English), spearman, its interval, p_holm, n (requests), signature
    :param agreements: the file that `evaluation.text_agreement` wrote
    """
    shown = (in_table(row, agreements, line) for line, row in read_rows(agreements, HEADER))
    write_csv(table, COLUMNS, [[row[name] for name in COLUMNS] for row in shown])


if __name__ == "__main__":
    run(metric_agreement)
