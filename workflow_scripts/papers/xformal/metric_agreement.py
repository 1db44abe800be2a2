"""Command: which metric agrees with people: each metric's rank correlation with the ratings of each task.

The paper has no such table; its authors studied the question afterwards (Briakou et al., EMNLP 2021), on the
same ratings.
"""

from collections.abc import Mapping
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.leaves.agreements import RELEASED, write_agreements
from workflow_scripts.statistics.metrics import METRICS, RATINGS

COLUMNS = (
    *("language", "texts", "rated", "metric", "spearman", "spearman_low", "spearman_high", "p_holm", "n"),
    *("kendall", "kendall_low", "kendall_high", "systems", "signature"),
)


def metric_agreement(table: Path, *, agreements: list[Path] | None = None) -> None:
    """Write a row per language, kind of texts, rated quality and metric.

    `leaves.agreements` has the columns and how numbers are rounded. Without ratings the table has no rows.
    Raises InputError for an unknown task or metric.

    :param table: CSV to write: language, texts, rated (the task), metric, spearman, spearman_low,
        spearman_high, p_holm, n, kendall, kendall_low, kendall_high, systems, signature
    :param agreements: the files that `evaluation.agreement` and `evaluation.released_agreement` wrote, of
        each language, and that of `evaluation.text_agreement`
    """
    write_agreements(table, COLUMNS, agreements or [], _named)


def _named(row: Mapping[str, str], path: Path, line: int) -> dict[str, str]:
    """The labels of a task and of a metric; a metric in a released file is called as there."""
    labels = {name: metric.label for name, metric in METRICS.items()}
    if row["texts"] == RELEASED:
        labels[row["metric"]] = row["metric"]
    for kind, known in (("task", RATINGS), ("metric", labels)):
        if row[kind] not in known:
            fix = nearest(row[kind], known)
            raise InputError(f"no {kind} '{row[kind]}'", path=path, line=line, fix=fix)
    return {"rated": RATINGS[row["task"]].label, "metric": labels[row["metric"]]}


if __name__ == "__main__":
    run(metric_agreement)
