"""Command: how far scores of texts that no system wrote agree with people's ratings of them.

Such texts are the English sentences of PT16 with their translations, and TyDiP's requests.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import numpy as np

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_numbers
from workflow_scripts.evaluation.agreement import HEADER, as_row, compare
from workflow_scripts.evaluation.evaluate import identity
from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.statistics.metrics import Mean
from workflow_scripts.statistics.rank_agreement import Judge, Rated, agreements
from workflow_scripts.statistics.resampling import Array


def text_agreement(
    table: Path,
    *,
    texts: str,
    task: str,
    shown: str,
    languages: list[str],
    metrics: list[str],
    scores: list[Path],
    ratings: list[Path],
    models: list[Path],
    resamples: int,
    confidence: float,
    seed: int,
    simulated: bool = False,
) -> None:
    """Write the rank correlation of each metric's scores with the ratings, in each language.

    Spearman's correlation, with a bootstrap interval over texts. p is of the difference from the correlation
    of the metric `shown`, where both scored the same texts, by randomisation; p_holm is adjusted for the
    other metrics of the language. There is no correlation over systems. Raises InputError if there are not as
    many scores as ratings.

    :param table: CSV to write, as `evaluation.agreement` writes it
    :param texts: the name of what is rated, such as PT16
    :param task: what is rated, such as formality
    :param shown: the metric that others are tested against
    :param languages: of each file of scores
    :param metrics: the name of the metric of each file of scores
    :param scores: a number a line; more is more of what is rated
    :param ratings: the mean ratings of the same texts, parallel to `scores`
    :param models: what stands behind the scores: a model's folder, or a file about a language model
    :param resamples: bootstrap resamples, and trials of the randomisation
    :param confidence: share of the samples in an interval, such as 0.95
    :param seed: of all draws
    :param simulated: whether the ratings are simulated, which the signature states
    """
    fix_threads(1)
    if not len(languages) == len(metrics) == len(scores) == len(ratings) == len(models):
        lists = "--languages, --metrics, --scores, --ratings and --models"
        raise InputError(f"{lists} differ in length", fix="give as many of each")
    draws = Draws(resamples, confidence, seed)
    raters = "simulated raters" if simulated else "raters"
    rows: list[tuple[object, ...]] = []
    files = zip(languages, metrics, scores, ratings, models, strict=True)
    for language, group in groupby(files, key=lambda one: one[0]):
        named: dict[str, tuple[Array, Array, Path]] = {}
        for _, name, own_scores, own_ratings, model in group:
            if name in named:
                raise InputError(f"two files of scores of '{name}' in {language}", path=own_scores)
            named[name] = (*_read(own_scores, own_ratings), model)
        # A language model may have been asked about some of the texts only.
        for same in _with_equal_ratings({name: rated for name, (_, rated, _) in named.items()}):
            gold = named[same[0]][1]
            rated = Rated(gold, np.arange(float(len(gold))), np.zeros(len(gold)))
            judges = {name: Judge(Mean(), named[name][0], named[name][0][:, None]) for name in same}
            found = agreements(rated, judges, draws)
            adjusted = compare(found, rated, judges, shown, draws) if shown in judges else {}
            for name, own in found.items():
                signature = (
                    f"{raters}|task:{task}|rated:{len(gold)}|bs:{resamples}|ar:{resamples}|seed:{seed}"
                    f"|{identity(named[name][2])}"
                )
                rows.append(as_row((language, texts, task, name), own, adjusted.get(name), rated, signature))
    write_csv(table, HEADER, rows)


def _read(scores: Path, ratings: Path) -> tuple[Array, Array]:
    """The scores and the ratings of texts."""
    values, rated = (np.array(read_numbers(path)) for path in (scores, ratings))
    if len(values) != len(rated) or not len(values):
        raise InputError(f"{len(values)} scores but {len(rated)} ratings in {ratings}", path=scores)
    return values, rated


def _with_equal_ratings(ratings: dict[str, Array]) -> list[list[str]]:
    """The metrics in groups of those whose texts have the same ratings."""
    groups: dict[bytes, list[str]] = {}
    for name, rated in ratings.items():
        groups.setdefault(rated.tobytes(), []).append(name)
    return [*groups.values()]


if __name__ == "__main__":
    run(text_agreement)
