"""Command: turn people's ratings of requests into politeness scores, as a corpus in TyDiP's layout."""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing_folder
from workflow_scripts.politeness.corpus import (
    ENGLISH,
    Request,
    binary_file,
    parts,
    read_requests,
    requests_file,
    write_requests,
)
from workflow_scripts.politeness.hits import COLUMNS, read_hits
from workflow_scripts.politeness.quartiles import quartiles
from workflow_scripts.politeness.ratings import Judgment, read_judgments, write_judgments
from workflow_scripts.statistics.standard import standardised


@dataclass(frozen=True)
class Scored:
    """Requests of a language with scores, and their ratings, numbered by the places of the requests."""

    requests: list[Request]
    judgments: list[Judgment]


def scores(out: Path, *, corpus: Path, sheets: list[Path], ratings: list[Path], numbered: list[Path]) -> None:
    """Write the rated requests of sheets as a folder in TyDiP's official layout.

    The score of a request is the mean z of its valid ratings, z over all valid ratings of a rater in the
    language (Srinivasan and Choi, 2022, Section 2.3). A request without a valid rating is left out. The
    binary part has the requests at or below the lower and at or above the upper quartile. Requests are in
    the order of the lines that the sheet was made from. English requests and scores are copied from the
    corpus. Raises InputError for ratings of items that are not on the sheet, and if all requests have the
    same score.

    :param out: folder to write: ``data/all/{lang}_test.csv``, ``data/binary/{lang}_test_binary.csv`` and the
        files of English
    :param corpus: folder with TyDiP in its official layout, for English
    :param sheets: ``{lang}.csv``, as `hits` wrote them
    :param ratings: of each sheet, as `ratings` wrote them
    :param numbered: CSV to write for each sheet: the ratings of English requests and of requests with a
        score; the column `line` is the request's line in `out`
    """
    if not len(sheets) == len(ratings) == len(numbered):
        raise InputError(f"{len(sheets)} sheets, {len(ratings)} files of ratings, {len(numbered)} to write")
    results = {
        sheet.stem: scored(sheet, read_judgments(path), path)
        for sheet, path in zip(sheets, ratings, strict=True)
    }
    with writing_folder(out) as folder:
        for part in parts(ENGLISH):
            write_requests(
                requests_file(folder, ENGLISH, part), read_requests(requests_file(corpus, ENGLISH, part))
            )
            write_requests(
                binary_file(folder, ENGLISH, part), read_requests(binary_file(corpus, ENGLISH, part))
            )
        for language, result in results.items():
            bounds = quartiles([request.score for request in result.requests])
            write_requests(requests_file(folder, language), result.requests)
            outer = [request for request in result.requests if bounds.side(request.score)]
            write_requests(binary_file(folder, language), outer)
    for target, result in zip(numbered, results.values(), strict=True):
        write_judgments(target, result.judgments)


def scored(sheet: Path, judgments: Sequence[Judgment], path: Path) -> Scored:
    """The requests of a sheet's language with their scores; `path`: the file of the ratings, for messages."""
    items, texts = read_hits(sheet), {}
    for _, (item, *_, text) in read_keyed(sheet, COLUMNS):
        texts[items[item].language, items[item].place] = text
    unknown = next(
        (judgment for judgment in judgments if (judgment.language, judgment.place) not in texts), None
    )
    if unknown:
        name = f"request {unknown.place} in '{unknown.language}' is not on {sheet}"
        raise InputError(name, path=path, fix="check the ratings against this sheet again")
    means = mean_scores(judgment for judgment in judgments if judgment.language == sheet.stem)
    if len(set(means.values())) < 2:
        raise InputError(f"all requests in '{sheet.stem}' have the same score, or none has any", path=path)
    lines = {place: line for line, place in enumerate(means, 1)}
    renumbered = [
        judgment if judgment.language != sheet.stem else replace(judgment, place=lines[judgment.place])
        for judgment in judgments
        if judgment.language != sheet.stem or judgment.place in lines
    ]
    return Scored([Request(texts[sheet.stem, place], score) for place, score in means.items()], renumbered)


def mean_scores(judgments: Iterable[Judgment]) -> dict[int, float]:
    """Place of a request -> the mean z of its valid ratings, sorted by place."""
    return {place: fmean(values) for place, values in single_scores(judgments).items()}


def single_scores(judgments: Iterable[Judgment]) -> dict[int, list[float]]:
    """Place of a request -> the z of its valid ratings, over all valid ratings of each rater; by place."""
    valid = [rating for rating in judgments if not math.isnan(rating.value)]
    values: defaultdict[int, list[float]] = defaultdict(list)
    for rating, z in zip(valid, standardised((rating.rater, rating.value) for rating in valid), strict=True):
        values[rating.place].append(z)
    return {place: values[place] for place in sorted(values)}


if __name__ == "__main__":
    run(scores)
