"""Command: the accuracy of politeness classifiers on requests (Srinivasan and Choi, 2022, Section 3)."""

from collections.abc import Sequence
from pathlib import Path
from statistics import median

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers
from workflow_scripts.encoders.classes import EVEN, is_positive
from workflow_scripts.politeness.thresholds import is_polite

COLUMNS = ("input", "lang", "seed", "n", "accuracy", "median_accuracy", "auc", "signature")


def measures(
    table: Path,
    *,
    scores: list[Path],
    gold: list[Path],
    inputs: list[str],
    languages: list[str],
    seeds: list[str],
    signature: Path | None = None,
    threshold: float = EVEN,
) -> None:
    """Write the measures of each file of scores; a request is polite if `is_polite` of its gold score.

    `accuracy` predicts polite for scores above the threshold. A classifier that was trained on other text may
    rank requests well but have nearly all of them on one side of the threshold. `median_accuracy` therefore
    predicts polite for scores above the median of the file, which relies on balanced test parts, and `auc`,
    the area under the ROC curve, needs no threshold; ties count as half. Raises InputError if files do not
    match.

    :param table: CSV to write: input, lang, seed, n (requests), accuracy, median_accuracy, auc, signature
    :param scores: of a classifier, one per request
    :param gold: the requests' politeness scores, parallel to `scores`
    :param inputs: whether the classifier read requests as written (target) or in English (en), parallel
    :param languages: the language of each file, parallel
    :param seeds: of the classifier's training, or `none` for released weights, parallel
    :param signature: file with a line on model and prompt of a language model, or on given scores
    :param threshold: a classifier's score above it is polite
    """
    count = len(scores)
    if not all(len(values) == count for values in (gold, inputs, languages, seeds)):
        raise InputError(f"{count} files of scores, but not as many gold files, inputs, languages or seeds")
    facts = " ".join(read_lines(signature)) if signature else ""
    rows = []
    for path, true, *names in zip(scores, gold, inputs, languages, seeds, strict=True):
        values, polite = read_numbers(path), list(map(is_polite, read_numbers(true)))
        if len(values) != len(polite):
            raise InputError(f"{len(values)} scores but {len(polite)} requests in {true}", path=path)
        if len(set(polite)) < 2:
            raise InputError("requests of one class only", path=true)
        measured = (
            accuracy(values, polite, threshold),
            accuracy(values, polite, median(values)),
            auc(values, polite),
        )
        rows.append([*names, len(values), *(f"{value:.6f}" for value in measured), facts])
    write_csv(table, COLUMNS, rows)


def accuracy(scores: Sequence[float], polite: Sequence[bool], threshold: float = EVEN) -> float:
    """The share of requests that are polite if and only if their score is above the threshold."""
    return sum(is_positive(s, threshold) == p for s, p in zip(scores, polite, strict=True)) / len(scores)


def auc(scores: Sequence[float], polite: Sequence[bool]) -> float:
    """The area under the ROC curve: how often a polite request scores above an impolite one."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(polite, scores))


if __name__ == "__main__":
    run(measures)
