"""Command: the accuracy of a single rater against other raters (TyDiP, Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number, whole
from workflow_scripts.politeness.corpus import ENGLISH, binary_file, read_requests, requests_file
from workflow_scripts.politeness.ratings import read_judgments
from workflow_scripts.politeness.scores import single_scores
from workflow_scripts.politeness.stanford import by_text, key, read_stanford, z_scores
from workflow_scripts.politeness.thresholds import is_polite

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COLUMNS = ("lang", "others", "n", "simulation", "accuracy")
# One rater predicts, and the mean of two others is the gold label, as with three raters; in English also the
# mean of four others.
OTHERS = (2, 4)


def raters_accuracy(
    table: Path,
    *,
    corpus: Path,
    stanford: Path,
    simulations: int,
    seed: int,
    ratings: list[Path] | None = None,
    languages: list[str] | None = None,
) -> None:
    """Write the accuracies of simulated predictions by raters on the binary test part of each language.

    In each simulation, a rater is drawn for each request: the sign of their z is the prediction, and the sign
    of the mean z of other raters is the gold label. z are over all of a rater's requests of the language
    (English: over all of Stanford's). Requests with fewer valid ratings than needed are left out. English
    ratings are Stanford's, with two other raters drawn from the remaining four, and with all four.

    :param table: CSV to write: lang, others, n (requests), simulation (from 1), accuracy (six decimals)
    :param corpus: folder with TyDiP in its official layout
    :param stanford: the Stanford Politeness Corpus with its single ratings
    :param simulations: number of simulations
    :param ratings: files that politeness.ratings wrote
    :param languages: the raters' languages, parallel
    """
    rows: list[list[object]] = []
    groups = [(ENGLISH, others, _english(corpus, stanford)) for others in OTHERS]
    for language, path in zip(languages or [], ratings or [], strict=True):
        groups.append((language, OTHERS[0], _own(corpus, language, path)))
    for language, others, scores in groups:
        enough = [values for values in scores if len(values) > others]
        if not enough:
            continue
        simulated = accuracies(enough, others, simulations, [seed, others, *language.encode()])
        for place, value in enumerate(simulated, 1):
            rows.append([language, others, len(enough), place, f"{value:.6f}"])
    write_csv(table, COLUMNS, rows)


def _english(corpus: Path, stanford: Path) -> list[tuple[float, ...]]:
    """The z of each English test request that Stanford's corpus has."""
    rated = read_stanford(stanford)
    places, scores = by_text(rated), z_scores(rated)
    texts = (key(request.text) for request in read_requests(binary_file(corpus, ENGLISH)))
    return [scores[places[text]] for text in texts if text in places]


def _own(corpus: Path, language: str, path: Path) -> list[tuple[float, ...]]:
    """The z of each request of a language's binary part."""
    values = single_scores(judgment for judgment in read_judgments(path) if judgment.language == language)
    chosen = _binary(corpus, language, max(values, default=0), path)
    return [tuple(scores) for place, scores in values.items() if place in chosen]


def _binary(corpus: Path, language: str, last: int, path: Path) -> set[int]:
    """The places of the binary part's requests in the whole part, from 1; `last`: the largest rated place."""
    every = read_requests(requests_file(corpus, language))
    if last > len(every):
        raise InputError(
            f"the corpus has {len(every)} requests in '{language}', but request {last} is rated", path=path
        )
    outer = {(item.text, round(item.score, 6)) for item in read_requests(binary_file(corpus, language))}
    return {place for place, item in enumerate(every, 1) if (item.text, round(item.score, 6)) in outer}


def accuracies(
    scores: Sequence[Sequence[float]], others: int, simulations: int, seed: Sequence[int]
) -> NDArray[np.float64]:
    """The accuracy of each simulation.

    :param scores: the z of each request, more than `others` each
    :param others: how many raters give the gold label by their mean
    :param simulations: number of simulations
    :param seed: of the draws
    """
    import numpy as np

    rng = np.random.default_rng(list(seed))
    right = np.zeros((simulations, len(scores)), dtype=bool)
    for place, values in enumerate(map(np.asarray, scores)):
        # Every row is a random order of the raters.
        order = rng.random((simulations, len(values))).argsort(axis=1)
        theirs = values[order[:, 1 : others + 1]].mean(axis=1)
        right[:, place] = is_polite(values[order[:, 0]]) == is_polite(theirs)
    return np.asarray(right.mean(axis=1))


def read_accuracies(path: Path) -> dict[tuple[str, int], tuple[int, list[float]]]:
    """The table of `raters_accuracy`: (language, others) -> requests, and accuracy of each simulation."""
    groups: dict[tuple[str, int], tuple[int, list[float]]] = {}
    for line, (language, others, count, _, value) in read_csv(path, COLUMNS):
        name = language, whole(others, path, line, 1)
        group = groups.setdefault(name, (whole(count, path, line, 1), []))
        group[1].append(number(value, path, line))
    return groups


if __name__ == "__main__":
    run(raters_accuracy)
