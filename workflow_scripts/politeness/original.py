"""Command: the agreement of raters with the original ratings of English requests (TyDiP, Table 9)."""

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
    """Write Spearman's correlation of a rater's English ratings in a HIT with the original ratings.

    `raw`: with the first rating of each request, then with the second and so on, in the order of Stanford's
    rows, which gives five lines; `aggregate`: with the normalised scores. Requests that are invalid, or not
    in Stanford's corpus, are left out; if fewer than two remain, or one side is constant, the correlation is
    empty.

    :param table: CSV to write: raters (their language), kind (`raw`, `aggregate`), correlation (six decimals)
    :param corpus: folder with TyDiP in its official layout
    :param stanford: the Stanford Politeness Corpus with its single ratings
    :param ratings: files that politeness.ratings wrote
    :param languages: the raters' languages, parallel
    """
    rated = read_stanford(stanford)
    places = by_text(rated)
    english = [places.get(key(request.text)) for request in read_requests(requests_file(corpus, ENGLISH))]
    rows = []
    for language, path in zip(languages or [], ratings or [], strict=True):
        parts: defaultdict[tuple[int, int], list[tuple[float, Rated]]] = defaultdict(list)
        for judgment in read_judgments(path):
            if judgment.language != ENGLISH or math.isnan(judgment.value):
                continue
            if judgment.place > len(english):
                raise InputError(f"the corpus has no English request {judgment.place}", path=path)
            place = english[judgment.place - 1]
            if place is not None:
                parts[judgment.hit, judgment.rater].append((judgment.value, rated[place]))
        for _, part in sorted(parts.items(), key=lambda item: item[0]):
            ours = [value for value, _ in part]
            theirs = [(RAW, [float(item.ratings[place]) for _, item in part]) for place in range(RATERS)]
            for kind, values in [*theirs, (AGGREGATE, [item.score for _, item in part])]:
                value = spearman(ours, values)
                rows.append((language, kind, "" if math.isnan(value) else f"{value:.6f}"))
    write_csv(table, COLUMNS, rows)


def read_original(path: Path) -> dict[tuple[str, str], list[float]]:
    """The table of `original`: (raters, kind) -> correlations, NaN for an empty field."""
    correlations: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for line, (raters, kind, value) in read_csv(path, COLUMNS):
        correlations[raters, kind].append(number(value, path, line) if value else math.nan)
    return dict(correlations)


if __name__ == "__main__":
    run(original)
