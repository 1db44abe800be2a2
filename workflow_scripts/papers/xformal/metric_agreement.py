"""Command: which metric agrees with people: each metric's rank correlation with the ratings of each task.

The paper has no such table; its authors studied the question afterwards (Briakou et al., EMNLP 2021), on the
same ratings.
"""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.fields import number
from workflow_scripts.evaluation.released_agreement import RELEASED
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.statistics.metrics import METRICS, RATINGS

# The columns with a correlation or a bound of its interval, or with a p.
CORRELATIONS = ("spearman", "spearman_low", "spearman_high", "kendall", "kendall_low", "kendall_high")
PROBABILITIES = ("p_holm",)
COLUMNS = (
    *("language", "rated", "metric", "spearman", "spearman_low", "spearman_high", "p_holm", "outputs"),
    *("kendall", "kendall_low", "kendall_high", "systems", "signature"),
)


def metric_agreement(table: Path, *, agreements: list[Path] | None = None) -> None:
    """Write a row per language, rated quality and metric; correlations with two decimals, p with three.

    A p that would be 0.000 is `<0.001`. Without ratings the table has no rows. Raises InputError for an
    unknown task or metric.

    :param table: CSV to write: language, rated (the task), metric, spearman, its interval, p_holm, outputs,
        kendall, its interval, systems, signature
    :param agreements: the file that `evaluation.agreement` wrote, of each language, and those that
        `evaluation.released_agreement` wrote
    """
    rows = []
    needed = {"task", *COLUMNS} - {"rated"}
    for path in agreements or []:
        for line, row in read_rows(path, sorted(needed)):
            # Metrics of released files are called there as here.
            labels = {name: metric.label for name, metric in METRICS.items()}
            if row["metric"].startswith(RELEASED):
                labels[row["metric"]] = row["metric"]
            for kind, known in (("task", RATINGS), ("metric", labels)):
                if row[kind] not in known:
                    fix = nearest(row[kind], known)
                    raise InputError(f"no {kind} '{row[kind]}'", path=path, line=line, fix=fix)
            shown = {**row, "rated": RATINGS[row["task"]].label, "metric": labels[row["metric"]]}
            for columns, decimals in ((CORRELATIONS, 2), (PROBABILITIES, 3)):
                for name in columns:
                    shown[name] = rounded(number(row[name], path, line), decimals) if row[name] else ""
            if row["p_holm"] and float(shown["p_holm"]) == 0:
                shown["p_holm"] = "<0.001"
            rows.append([shown[name] for name in COLUMNS])
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(metric_agreement)
