"""Command: which classifier agrees with people: the rank correlation of its scores with rated politeness.

The paper has no such table: its Table 3 has accuracies.
"""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.leaves.agreements import write_agreements

COLUMNS = (
    "language",
    "model",
    "input",
    "spearman",
    "spearman_low",
    "spearman_high",
    "p_holm",
    "n",
    "signature",
)


def metric_agreement(table: Path, *, agreements: Path) -> None:
    """Write a row per language, classifier and input; `leaves.agreements` has the columns and decimals.

    :param table: CSV to write: language, model, input (target: requests as written; en: in English),
        spearman, spearman_low, spearman_high, p_holm, n (requests), signature
    :param agreements: the file that `evaluation.text_agreement` wrote; its texts are the inputs
    """
    write_agreements(
        table,
        COLUMNS,
        [agreements],
        lambda row, path, line: {"model": row["metric"], "input": row["texts"]},
    )


if __name__ == "__main__":
    run(metric_agreement)
