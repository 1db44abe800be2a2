"""Agreement of metrics with people's ratings: the file of a job, and the rows of a leaf.

A row of the file is the rank correlation of a metric with the ratings of a task, over texts (Spearman's) and
over systems (Kendall's). `texts` is what people rated: outputs of systems, or the name of a set of texts; n
is the number of these; p is of the difference from another metric's correlation, p_holm adjusted for all that
were tested together. Numbers have 6 decimals; one that does not exist is empty.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.fields import number
from workflow_scripts.leaves.rounding import rounded

HEADER = (
    *("language", "texts", "task", "metric", "spearman", "spearman_low", "spearman_high", "p", "p_holm", "n"),
    *("kendall", "kendall_low", "kendall_high", "systems", "signature"),
)
# What people rated: outputs of this run's systems, or those in the authors' files.
OUTPUTS, RELEASED = "outputs", "released"
# The columns with a correlation or a bound of its interval.
CORRELATIONS = tuple(name for name in HEADER if name.startswith(("spearman", "kendall")))
# (fields by column, its file, its line) -> the columns that a leaf calls otherwise, or adds
Named = Callable[[Mapping[str, str], Path, int], Mapping[str, str]]


def write_agreements(table: Path, columns: Sequence[str], files: Iterable[Path], named: Named) -> None:
    """Write the rows of some files as a leaf; correlations with two decimals, p with three.

    A p that would be 0.000 is `<0.001`. Raises InputError for a missing column and for a text in the place of
    a number.

    :param table: CSV to write
    :param columns: of `HEADER`, or of those that `named` gives
    :param files: CSV with the columns of `HEADER`
    """
    rows = []
    for path in files:
        for line, row in read_rows(path, HEADER):
            shown = dict(row)
            for name, decimals in (*((name, 2) for name in CORRELATIONS), ("p_holm", 3)):
                shown[name] = rounded(number(row[name], path, line), decimals) if row[name] else ""
            if row["p_holm"] and float(shown["p_holm"]) == 0:
                shown["p_holm"] = "<0.001"
            shown |= named(row, path, line)
            rows.append([shown[name] for name in columns])
    write_csv(table, columns, rows)
