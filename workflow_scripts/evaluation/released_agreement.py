"""Command: how far the metrics in one of XFORMAL's meta-evaluation files agree with the ratings there.

The files are of Briakou et al. (EMNLP 2021), who send them on request: outputs of systems with people's
ratings and the values of metrics. Nothing is measured again.
"""

from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import numpy as np

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.core.files import lines
from workflow_scripts.leaves.agreements import HEADER, RELEASED
from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.statistics.rank_agreement import Judge, Rated, agreements
from workflow_scripts.statistics.resampling import Array

# The columns with ratings, by the name of the task here.
RATED = {
    "meaning": "meaning_human",
    "formality": "formality_human",
    "fluency": "fluency_human",
    "ranking": "combined",
}
TEXTS = ("system_name", "informal_input", "system_output")
# A number that is not there.
NONE = ("", "none", "nan", "na")
# (line, fields by column)
Row = tuple[int, dict[str, str]]


def released_agreement(
    table: Path, files: Path, *, language: str, resamples: int, confidence: float, seed: int
) -> None:
    """Write the rank correlation of each column of numbers with each kind of rating.

    Correlations are those of `evaluation.agreement`: Spearman's over outputs, Kendall's over systems. Their
    signs are as the columns have them: a distance agrees with people where it is negative. Rows without a
    rating, or without a metric's number, do not count for these; a column with a text in it is no metric.
    The overall rating is correlated as it is, not within sentences as our rankings are: the authors' page
    does not say whether it is a rank. There are no tests between metrics.

    :param table: CSV to write, as `evaluation.agreement` writes it; metrics are called as in the file
    :param files: CSV, or text with tabs: system_name, informal_input, system_output, meaning_human,
        formality_human, fluency_human, combined, then metrics
    :param language: the code of the language, for the column of that name
    :param resamples: bootstrap resamples
    """
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    rows = list(_read(files))
    if not rows:
        raise InputError("no output in it", path=files)
    names = [name for name in rows[0][1] if name not in (*TEXTS, *RATED.values())]
    metrics = {}
    for name in names:
        with suppress(InputError):
            metrics[name] = _numbers(files, rows, name)
    if not metrics:
        raise InputError("no column of a metric", path=files, line=1)
    written: list[tuple[str, ...]] = []
    for task, column in RATED.items():
        ratings = _numbers(files, rows, column)
        known = {name: ~np.isnan(ratings) & ~np.isnan(values) for name, values in metrics.items()}
        # Metrics that have numbers for the same outputs share their resamples.
        for _, group in groupby(metrics, key=lambda name: known[name].tobytes()):
            same = list(group)
            chosen = np.flatnonzero(known[same[0]])
            if not len(chosen):
                continue
            rated = Rated(
                ratings[chosen],
                _indices(rows, "informal_input")[chosen],
                _indices(rows, "system_name")[chosen],
            )
            judges = {name: Judge.of_mean(metrics[name][chosen]) for name in same}
            for name, own in agreements(rated, judges, draws).items():
                signature = own.signature("released ratings", task, draws, tested=False)
                written.append((language, RELEASED, task, name, *own.fields(), signature))
    write_csv(table, HEADER, written)


def _read(path: Path) -> Iterator[Row]:
    """The rows of a table with commas or tabs; no field contains a tab."""
    needed = (*TEXTS, *RATED.values())
    header = next(lines(path), "")
    if "\t" not in header:
        yield from read_rows(path, needed)
        return
    columns = header.removeprefix("\ufeff").split("\t")
    if missing := [name for name in needed if name not in columns]:
        raise InputError(f"no column {', '.join(missing)}", path=path, line=1)
    for line, text in enumerate(lines(path), 1):
        if line > 1:
            fields = text.split("\t")
            if len(fields) != len(columns):
                raise InputError(f"{len(fields)} fields instead of {len(columns)}", path=path, line=line)
            yield line, dict(zip(columns, fields, strict=True))


def _numbers(path: Path, rows: list[Row], column: str) -> Array:
    """The numbers of a column, nan where there is none; InputError for a text."""
    found = np.full(len(rows), np.nan)
    for place, (line, row) in enumerate(rows):
        text = row[column].strip()
        if text.lower() not in NONE:
            found[place] = number(text, path, line)
    return found


def _indices(rows: list[Row], column: str) -> Array:
    """The index of each row's text among the different texts of a column."""
    places = {text: place for place, text in enumerate(dict.fromkeys(row[column] for _, row in rows))}
    return np.array([places[row[column]] for _, row in rows])


if __name__ == "__main__":
    run(released_agreement)
