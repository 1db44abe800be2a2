"""Command: agreement of the formality regressors with ratings and with styles (XFORMAL, Section 5.3)."""

import math
from pathlib import Path
from statistics import fmean, stdev

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature

KEYS = ("judge", "measure", "lang")
CAVEAT = "ratings of PT16, not of the paper's 200 sentences"


@leaf(*KEYS)
def ratings(*, folds: Path, held_out: Path, regressor: Path, classifier: Path, encoder: str) -> Rows:
    """Write the scores of the regressors, times 100 with one decimal, and compare them with the printed ones.

    `spearman` is the correlation with human ratings: in English, whose sentences are the rated ones, the mean
    over the folds, with the standard deviation and the value of each fold; in other languages the correlation
    with held-out ratings of translated sentences. The paper's correlations are with ratings by five Turkers
    of 200 sentences per language (Section 5.3). The other measures are those of `formality.unpaired`, for the
    regressor and for a classifier of the two styles.

    :param table: CSV to write: judge, measure, lang, value, n (sentences)
    :param comparison: CSV to write: judge, measure, lang, and the columns of a comparison
    :param folds: correlations in English: fold, spearman, n with formality.spearman's header
    :param held_out: correlations per language: language, spearman, n
    :param regressor: table of formality.unpaired for the regressors
    :param classifier: the same for the classifier
    :param encoder: kind of the encoder, for the signature
    :param printed: the printed numbers: judge, measure, lang, printed
    """
    columns = ("language", "spearman", "n")
    by_fold = [
        (fold, _number(folds, line, value), whole(n, folds, line))
        for line, (fold, value, n) in read_csv(folds, columns)
    ]
    if len(by_fold) < 2:
        raise InputError(f"{len(by_fold)} folds", path=folds, fix="a cross-validation has two or more")
    total = sum(n for *_, n in by_fold)
    correlations = [value for _, value, _ in by_fold]
    rows: list[tuple[str, str, str, str, int]] = []
    cells: Cells = {}

    def add(
        measure: str, lang: str, value: float, n: int, path: Path, judge: str = "regressor", folds: int = 1
    ) -> None:
        # A correlation with constant numbers is undefined.
        shown = "" if value != value else rounded(100 * value, 1)
        rows.append((judge, measure, lang, shown, n))
        kind = encoder if judge == "regressor" else "ngrams"
        caveat = CAVEAT if measure == "spearman" else ""
        cells[judge, measure, lang] = Cell(shown, signature(path, n=n, encoder=kind, folds=folds), caveat)

    parts = len(by_fold)
    add("spearman", "en", fmean(correlations), total, folds, folds=parts)
    # Of an undefined correlation, `stdev` would make an error.
    deviation = math.nan if any(map(math.isnan, correlations)) else stdev(correlations)
    add("spearman_sd", "en", deviation, total, folds, folds=parts)
    for fold, value, n in by_fold:
        add(f"spearman_fold{fold}", "en", value, n, folds, folds=parts)
    for line, (lang, text, count) in read_csv(held_out, columns):
        add("spearman", lang, _number(held_out, line, text), whole(count, held_out, line), held_out)
    for judge, path, fold_count in (("regressor", regressor, 1), ("classifier", classifier, parts)):
        for line, (lang, measure, text, count) in read_csv(path, ("language", "measure", "value", "n")):
            add(measure, lang, _number(path, line, text), whole(count, path, line), path, judge, fold_count)
    return Rows(cells, (*KEYS, "value", "n"), rows)


def _number(path: Path, line: int, text: str) -> float:
    """A value; `nan` is the correlation with constant numbers."""
    return math.nan if text == "nan" else number(text, path, line)


if __name__ == "__main__":
    run(ratings)
