"""Command: the politeness scores of requests that people rated, as a corpus in TyDiP's layout."""

from __future__ import annotations

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
    """Requests of a language with scores, and their ratings, whose places are those of the requests."""

    requests: list[Request]
    judgments: list[Judgment]


def scores(out: Path, *, corpus: Path, sheets: list[Path], ratings: list[Path], numbered: list[Path]) -> None:
    """Write a folder in TyDiP's official layout, of the requests on sheets and what raters found of them.

    The score of a request is the mean z of its valid ratings, z over all valid ratings of a rater in the
    language (Srinivasan and Choi, 2022, Section 2.3). What nobody found valid has no score and is left out.
    The binary part has the requests at or below the lower and at or above the upper quartile. Requests stand
    in the order of the lines that the sheet was made of. English is the corpus', and has the scores that it
    has there. Raises InputError for ratings of items that are not on the sheet, and where all requests have
    the same score.

    :param out: folder to write: ``data/all/{lang}_test.csv``, ``data/binary/{lang}_test_binary.csv`` and the
        files of English
    :param corpus: folder with TyDiP in its official layout, for English
    :param sheets: ``{lang}.csv``, as `hits` wrote them
    :param ratings: of each sheet, as `ratings` wrote them
    :param numbered: CSV to write of each sheet: the ratings once more, those of English requests and of
        requests with a score; the column line is the request's line in `out`
    """
    if not len(sheets) == len(ratings) == len(numbered):
        raise InputError(f"{len(sheets)} sheets, {len(ratings)} files of ratings, {len(numbered)} to write")
    found = {
        sheet.stem: scored(sheet, read_judgments(given), given)
        for sheet, given in zip(sheets, ratings, strict=True)
    }
    with writing_folder(out) as folder:
        for part in parts(ENGLISH):
            write_requests(
                requests_file(folder, ENGLISH, part), read_requests(requests_file(corpus, ENGLISH, part))
            )
            write_requests(
                binary_file(folder, ENGLISH, part), read_requests(binary_file(corpus, ENGLISH, part))
            )
        for language, one in found.items():
            bounds = quartiles([request.score for request in one.requests])
            write_requests(requests_file(folder, language), one.requests)
            outer = [request for request in one.requests if bounds.side(request.score)]
            write_requests(binary_file(folder, language), outer)
    for target, one in zip(numbered, found.values(), strict=True):
        write_judgments(target, one.judgments)


def scored(sheet: Path, judgments: Sequence[Judgment], path: Path) -> Scored:
    """The requests of a sheet's language with their scores; `path` is the file of the ratings."""
    items, texts = read_hits(sheet), {}
    for _, (item, *_, text) in read_keyed(sheet, COLUMNS):
        texts[items[item].language, items[item].place] = text
    unknown = next((one for one in judgments if (one.language, one.place) not in texts), None)
    if unknown:
        name = f"request {unknown.place} in '{unknown.language}' is not on {sheet}"
        raise InputError(name, path=path, fix="check the ratings against this sheet again")
    means = mean_scores(one for one in judgments if one.language == sheet.stem)
    if len(set(means.values())) < 2:
        raise InputError(f"all requests in '{sheet.stem}' have the same score, or none has any", path=path)
    lines = {place: line for line, place in enumerate(means, 1)}
    kept = [
        one if one.language != sheet.stem else replace(one, place=lines[one.place])
        for one in judgments
        if one.language != sheet.stem or one.place in lines
    ]
    return Scored([Request(texts[sheet.stem, place], score) for place, score in means.items()], kept)


def mean_scores(judgments: Iterable[Judgment]) -> dict[int, float]:
    """Place of a request -> the mean z of its valid ratings, by place."""
    return {place: fmean(own) for place, own in single_scores(judgments).items()}


def single_scores(judgments: Iterable[Judgment]) -> dict[int, list[float]]:
    """Place of a request -> the z of its valid ratings, each over all valid ones of its rater, by place."""
    valid = [one for one in judgments if not math.isnan(one.value)]
    values: defaultdict[int, list[float]] = defaultdict(list)
    for one, z in zip(valid, standardised((one.rater, one.value) for one in valid), strict=True):
        values[one.place].append(z)
    return {place: values[place] for place in sorted(values)}


if __name__ == "__main__":
    run(scores)
