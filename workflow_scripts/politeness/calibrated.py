"""Command: are formal requests polite (Srinivasan and Choi, 2022, Section 5, Table 5)?"""

from pathlib import Path
from statistics import median

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_numbers
from workflow_scripts.encoders.classes import is_positive
from workflow_scripts.politeness.measures import accuracy, auc
from workflow_scripts.politeness.thresholds import is_polite

COLUMNS = ("lang", "n", "before", "after", "auc", "formal")
# The share at the end of the English training requests that TyDiP's released code splits off but does not
# use.
UNUSED = 0.2


def calibrated(
    table: Path, *, scores: list[Path], gold: list[Path], languages: list[str], held_out: Path
) -> None:
    """Write the accuracy of predicting formal requests as polite, before and after calibration.

    The threshold is 0 before calibration. The paper does not state how it calibrates: here the threshold is
    then the median score of the last fifth of the English training requests.

    :param table: CSV to write: lang, n (requests), before, after, auc (six decimals), formal (the share
        above 0)
    :param scores: of a formality classifier, one per test request
    :param gold: the requests' politeness, parallel
    :param languages: the language of each file
    :param held_out: scores of all English training requests, in their order
    """
    if not len(scores) == len(gold) == len(languages):
        raise InputError(f"{len(languages)} languages, but not as many files")
    all_of_them = read_numbers(held_out)
    unused = all_of_them[len(all_of_them) - int(len(all_of_them) * UNUSED) :]
    if not unused:
        raise InputError("too few scores to calibrate on a fifth of them", path=held_out)
    threshold = median(unused)
    rows = []
    for language, path, true in zip(languages, scores, gold, strict=True):
        predicted, polite = read_numbers(path), list(map(is_polite, read_numbers(true)))
        if len(predicted) != len(polite) or len(set(polite)) < 2:
            raise InputError(f"not a score for each request of both classes in {true}", path=path)
        values = (
            accuracy(predicted, polite),
            accuracy(predicted, polite, threshold),
            auc(predicted, polite),
        )
        share = sum(map(is_positive, predicted)) / len(predicted)
        rows.append([language, len(predicted), *(f"{value:.6f}" for value in (*values, share))])
    write_csv(table, COLUMNS, rows)


if __name__ == "__main__":
    run(calibrated)
