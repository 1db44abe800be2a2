"""Command: how far metrics agree with people's ratings of texts that no system wrote."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import read_numbers
from workflow_scripts.evaluation.evaluate import identity
from workflow_scripts.leaves.agreements import HEADER
from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.statistics.rank_agreement import Agreement, Judge, Rated, adjust, agreements, exchange_p


@dataclass(frozen=True)
class Row:
    """A metric's scores of the rated texts of a language."""

    language: str
    texts: str
    metric: str
    scores: Path
    ratings: Path
    model: Path


def text_agreement(
    table: Path,
    *,
    task: str,
    languages: list[str],
    texts: list[str],
    metrics: list[str],
    scores: list[Path],
    ratings: list[Path],
    models: list[Path],
    resamples: int,
    confidence: float,
    seed: int,
    against: list[Path] | None = None,
    simulated: bool = False,
) -> None:
    """Write Spearman's correlation of each metric's scores with people's ratings of the same texts.

    Higher scores are better. Intervals are of a bootstrap over texts (`statistics.rank_agreement`). p is of
    the difference from the metric of the same language that `against` names, for metrics that scored texts
    with the same ratings, and other scores; p_holm is adjusted for all of these of a language. A correlation
    with constant numbers is empty, and so is every Kendall: there are no systems. Raises InputError for lists
    that are not parallel, files that are not, a file of no number, and a reference that is not among the
    scores.

    :param table: CSV to write, as `leaves.agreements` describes it
    :param task: what people rated
    :param languages: codes, parallel to all lists up to `models`
    :param texts: what the texts are called
    :param metrics: the names of the metrics
    :param scores: files with a score a line
    :param ratings: files with the mean rating of each of the same texts
    :param models: what stands behind the scores, for signatures: the folder of a model, the CSV of facts that
        `judge` wrote, or a text with a signature
    :param against: the scores, among those given, with which other ones are compared; without any there is no
        p
    """
    fix_threads(1)
    columns = languages, texts, metrics, scores, ratings, models
    lengths = [len(column) for column in columns]
    if len(set(lengths)) > 1:
        told = ", ".join(map(str, lengths))
        raise InputError(
            f"{told} languages, texts, metrics, scores, ratings and models", fix="give as many of each"
        )
    references = against or []
    for path in references:
        if path not in scores:
            raise InputError(
                f"no scores {path}, which --against names", fix=nearest(str(path), map(str, scores))
            )
    draws = Draws(resamples, confidence, seed)
    raters = "simulated raters" if simulated else "raters"
    rows = [Row(*given) for given in zip(*columns, strict=True)]
    written: list[tuple[str, ...]] = []
    for language in dict.fromkeys(languages):
        own = [row for row in rows if row.language == language]
        found = _agreements(own, references, draws)
        adjust(found.values())
        for place, row in enumerate(own):
            signature = found[place].signature(
                raters, task, draws, identity(row.model), tested=bool(references)
            )
            fields = found[place].fields(over_systems=False)
            written.append((language, row.texts, task, row.metric, *fields, signature))
    write_csv(table, HEADER, written)


def _agreements(rows: list[Row], against: list[Path], draws: Draws) -> dict[int, Agreement]:
    """By the place of a row of one language: its agreement, with p."""
    places: defaultdict[tuple[float, ...], list[int]] = defaultdict(list)
    judges = {}
    for place, row in enumerate(rows):
        ratings, values = read_numbers(row.ratings), read_numbers(row.scores)
        if not values:
            raise InputError("no score in it", path=row.scores)
        if len(values) != len(ratings):
            raise InputError(
                f"{len(values)} scores but {len(ratings)} ratings in {row.ratings}", path=row.scores
            )
        places[tuple(ratings)].append(place)
        judges[place] = Judge.of_mean(np.array(values))
    found: dict[int, Agreement] = {}
    # Metrics of texts with the same ratings share their resamples, and can be compared.
    for ratings_of_all, same in places.items():
        rated = Rated.of_texts(np.array(ratings_of_all))
        found |= agreements(rated, {place: judges[place] for place in same}, draws)
        reference = next((place for place in same if rows[place].scores in against), None)
        for place in same:
            if reference is not None and (judges[place].values != judges[reference].values).any():
                found[place].p = exchange_p(rated, judges[place], judges[reference], draws)
    return found


if __name__ == "__main__":
    run(text_agreement)
