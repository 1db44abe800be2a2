"""Command: how far raters agree with the first ratings of English requests (TyDiP, Table 9)."""

from __future__ import annotations

import math
from collections import defaultdict
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.politeness.corpus import ENGLISH, read_requests, requests_file
from workflow_scripts.politeness.ratings import read_judgments
from workflow_scripts.politeness.stanford import RATERS, Rated, by_text, key, read_stanford
from workflow_scripts.statistics.correlation import spearman

COLUMNS = ("raters", "kind", "correlation")
RAW, AGGREGATE = "raw", "aggregate"


def original(
    table: Path,
    *,
    corpus: Path,
    stanford: Path,
    ratings: list[Path] | None = None,
    languages: list[str] | None = None,
) -> None:
    """Write Spearman's correlation of a rater's English ratings in a HIT with the original ones.

    `raw`: with the first ratings, then with the second ones and so on, five lines of which each has one
    rating of every request, as they stand in Stanford's rows; `aggregate`: with the normalised scores.
    Requests that Stanford's corpus does not have, and invalid ones, are left out; where fewer than two are
    left, or one side is all alike, the correlation is empty.

    :param table: CSV to write: raters (their language), kind (`raw`, `aggregate`), correlation (six decimals)
    :param corpus: folder with TyDiP in its official layout
    :param stanford: the Stanford Politeness Corpus with its single ratings
    :param ratings: files that politeness.ratings wrote
    :param languages: the raters' languages, parallel
    """
    rated = read_stanford(stanford)
    places = by_text(rated)
    english = [places.get(key(one.text)) for one in read_requests(requests_file(corpus, ENGLISH))]
    rows = []
    for language, path in zip(languages or [], ratings or [], strict=True):
        parts: defaultdict[tuple[int, int], list[tuple[float, Rated]]] = defaultdict(list)
        for one in read_judgments(path):
            if one.language != ENGLISH or math.isnan(one.value):
                continue
            if one.place > len(english):
                raise InputError(f"the corpus has no English request {one.place}", path=path)
            place = english[one.place - 1]
            if place is not None:
                parts[one.hit, one.rater].append((one.value, rated[place]))
        for _, part in sorted(parts.items(), key=lambda item: item[0]):
            given = [value for value, _ in part]
            theirs = [(RAW, [float(one.ratings[place]) for _, one in part]) for place in range(RATERS)]
            for kind, values in [*theirs, (AGGREGATE, [one.score for _, one in part])]:
                found = spearman(given, values)
                rows.append((language, kind, "" if math.isnan(found) else f"{found:.6f}"))
    write_csv(table, COLUMNS, rows)


def read_original(path: Path) -> dict[tuple[str, str], list[float]]:
    """What `original` wrote: (raters, kind) -> correlations, NaN for none."""
    found: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for line, (raters, kind, value) in read_csv(path, COLUMNS):
        found[raters, kind].append(number(value, path, line) if value else math.nan)
    return dict(found)


if __name__ == "__main__":
    run(original)
