"""Command: correlate regressors with held-out human ratings (XFORMAL, Section 5.3)."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_numbers
from workflow_scripts.statistics import correlation


def spearman(out: Path, *, languages: list[str], predictions: list[Path], ratings: list[Path]) -> None:
    """Write Spearman's rank correlation of predictions and human ratings for each language.

    The correlation is `nan` if all predictions, or all ratings, are equal.

    :param out: table to write: language, spearman, n
    :param languages: language of each pair of files
    :param predictions: scores of the regressors, one a line
    :param ratings: human ratings of the same sentences, parallel by line
    """
    if not len(languages) == len(predictions) == len(ratings):
        raise InputError(
            "--languages, --predictions and --ratings differ in length", fix="give as many of each"
        )
    rows: list[tuple[object, ...]] = []
    for language, predicted, rated in zip(languages, predictions, ratings, strict=True):
        left, right = read_numbers(predicted), read_numbers(rated)
        if len(left) != len(right) or len(left) < 2:
            raise InputError(f"{len(left)} predictions but {len(right)} ratings in {rated}", path=predicted)
        rows.append((language, f"{correlation.spearman(left, right):.6f}", len(left)))
    write_csv(out, ("language", "spearman", "n"), rows)


if __name__ == "__main__":
    run(spearman)
