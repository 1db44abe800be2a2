"""Command: how well classifiers tell polite from impolite requests (Srinivasan and Choi, 2022, Section 3)."""

from __future__ import annotations

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
    """Write a line for each file of scores; `is_polite` says of its gold score whether it is polite.

    `accuracy` is of taking scores above the threshold as polite. A classifier that was trained on other text
    may rank requests well and yet have nearly all of them at one side of it: `median_accuracy` is of taking
    those above the median of the file as polite, which uses that the test parts are balanced, and `auc` is
    the area under the ROC curve, which needs no threshold; ties count as half. Raises InputError if files do
    not match.

    :param table: CSV to write: input, lang, seed, n (requests), accuracy, median_accuracy, auc, signature
    :param scores: of a classifier, one per request
    :param gold: the files of the requests' politeness that belong to them
    :param inputs: whether the classifier read requests as they are (target) or in English (en), parallel
    :param languages: the language of each file
    :param seeds: of the classifier's training, or `none` for weights that others have trained, parallel too
    :param signature: a line on model and prompt, where a language model was asked, or on what was given
    :param threshold: above which a classifier's score is polite
    """
    count = len(scores)
    if not all(len(given) == count for given in (gold, inputs, languages, seeds)):
        raise InputError(f"{count} files of scores, but not as many of what belongs to them")
    facts = " ".join(read_lines(signature)) if signature else ""
    rows = []
    for path, true, *names in zip(scores, gold, inputs, languages, seeds, strict=True):
        found, polite = read_numbers(path), list(map(is_polite, read_numbers(true)))
        if len(found) != len(polite):
            raise InputError(f"{len(found)} scores but {len(polite)} requests in {true}", path=path)
        if len(set(polite)) < 2:
            raise InputError("requests of one class only", path=true)
        values = (
            accuracy(found, polite, threshold),
            accuracy(found, polite, median(found)),
            auc(found, polite),
        )
        rows.append([*names, len(found), *(f"{value:.6f}" for value in values), facts])
    write_csv(table, COLUMNS, rows)


def accuracy(scores: Sequence[float], polite: Sequence[bool], threshold: float = EVEN) -> float:
    """The share of requests whose score is above the threshold exactly if they are polite."""
    return sum(is_positive(s, threshold) == p for s, p in zip(scores, polite, strict=True)) / len(scores)


def auc(scores: Sequence[float], polite: Sequence[bool]) -> float:
    """The area under the ROC curve: how often a polite request scores above an impolite one."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(polite, scores))


if __name__ == "__main__":
    run(measures)
