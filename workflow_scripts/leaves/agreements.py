"""Rows about the agreement of metrics with raters, as tables show them."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.fields import number
from workflow_scripts.leaves.rounding import rounded

SPEARMAN = ("spearman", "spearman_low", "spearman_high")
KENDALL = ("kendall", "kendall_low", "kendall_high")
P = "p_holm"


def in_table(row: dict[str, str], path: Path, line: int) -> dict[str, str]:
    """A row of `evaluation.agreement` with two decimals for correlations and three for p, `<0.001` at least.

    Empty fields stay empty. Raises InputError, naming the line, for what is no number.
    """
    decimals = {**dict.fromkeys((*SPEARMAN, *KENDALL), 2), P: 3}
    texts = {
        name: rounded(number(row[name], path, line), places) if row[name] else ""
        for name, places in decimals.items()
    }
    if texts[P] and float(texts[P]) == 0:
        texts[P] = "<0.001"
    return {**row, **texts}
