"""Command: which metric agrees with people: each metric's rank correlation with the ratings of each task.

The paper has no such table; its authors studied the question afterwards (Briakou et al., EMNLP 2021), on the
same ratings.
"""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.evaluation.agreement import HEADER
from workflow_scripts.evaluation.released_agreement import RELEASED
from workflow_scripts.leaves.agreements import KENDALL, SPEARMAN, P, in_table
from workflow_scripts.statistics.metrics import METRICS, RATINGS

COLUMNS = (
    *("language", "texts", "rated", "metric", *SPEARMAN, P, "n"),
    *(*KENDALL, "systems", "signature"),
)


def metric_agreement(table: Path, *, agreements: list[Path]) -> None:
    """Write a row per language, rated texts, rated quality and metric; numbers as `leaves.agreements` says.

    Raises InputError for an unknown task or metric.

    :param table: CSV to write: language, texts (outputs, PT16's sentences, or the outputs in a released
        file), rated (the task), metric, spearman, its interval, p_holm, n (of rated texts), kendall, its
        interval, systems, signature
    :param agreements: files that `evaluation.agreement`, `evaluation.text_agreement` and
        `evaluation.released_agreement` wrote
    """
    rows = []
    for path in agreements:
        for line, row in read_rows(path, HEADER):
            # Metrics of released files are called there as here.
            labels = {name: metric.label for name, metric in METRICS.items()}
            if row["texts"] == RELEASED:
                labels = {row["metric"]: row["metric"]}
            for kind, known in (("task", RATINGS), ("metric", labels)):
                if row[kind] not in known:
                    fix = nearest(row[kind], known)
                    raise InputError(f"no {kind} '{row[kind]}'", path=path, line=line, fix=fix)
            named = {"rated": RATINGS[row["task"]].label, "metric": labels[row["metric"]]}
            shown = {**in_table(row, path, line), **named}
            rows.append([shown[name] for name in COLUMNS])
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(metric_agreement)
