"""Command: Table 1 of TyDiP, languages and their data statistics, from the released requests."""

import math
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import read_requests, requests_file

# The number of requests in the language itself, annotated or only crawled, and their mean length.
OWN, OWN_LENGTH = "own", "own_length"
# docs/differences.md compares the numbers and lengths that suggest this.
ANNOTATED_ONLY = "the printed length seems to be that of the annotated requests"
DERIVED = "not printed: total times rounded share"
NOT_READ = "the crawled requests are not read: corpora.tydip_requests"


@leaf("lang", "metric", scaled=False)
def table1(
    theirs: Printed, *, corpus: Path, names: Path, languages: list[str], crawled: list[Path] | None = None
) -> Rows:
    """Write the part of Table 1 that the released requests give: mean lengths in bytes of UTF-8, numbers.

    `length` is the mean over the 500 annotated requests, duplicates included. The paper's is over all crawled
    requests, of which those in the language itself are released: `own` counts them and the annotated ones,
    and `own_length` is the mean over both. `own` is compared with the printed number of all requests times
    the printed share of the language, a range, since the share is rounded to whole per cents; both lengths
    are compared with the printed length. The columns of all requests are empty, since those in other
    languages are not released (for dumps see `papers.tydip.crawl`).

    :param table: CSV to write: language, family, script, requests, target, english, other, length, own,
        own_length
    :param corpus: folder with TyDiP in its official layout
    :param names: CSV: lang, language, family, script, with the paper's names
    :param crawled: the file that corpora.tydip_requests wrote for each language; without it the last two
        columns are empty
    """
    if crawled is not None and len(crawled) != len(languages):
        raise InputError(f"{len(crawled)} files of crawled requests for {len(languages)} languages")
    labels = {row[0]: row[1:] for _, row in read_keyed(names, ("lang", "language", "family", "script"))}
    rows: list[list[str]] = []
    cells: Cells = {}
    for place, language in enumerate(languages):
        if language not in labels:
            raise InputError(f"no names for language '{language}'", path=names)
        file = requests_file(corpus, language)
        annotated = _lengths(request.text for request in read_requests(file))
        cells[language, "length"] = _mean(annotated, signature(file, n=len(annotated)))
        cells |= {(language, name): Cell("", "", NOT_READ) for name in (OWN, OWN_LENGTH)}
        if crawled:
            own = annotated + _lengths(read_lines(crawled[place]))
            facts = signature(crawled[place], n=len(own), annotated=len(annotated))
            cells[language, OWN] = Cell(str(len(own)), facts)
            cells[language, OWN_LENGTH] = _mean(own, facts, ANNOTATED_ONLY)
        texts = [cells[language, name].ours for name in ("length", OWN, OWN_LENGTH)]
        rows.append([*labels[language], "", "", "", "", *texts])
    header = ("language", "family", "script", "requests", "target", "english", "other", "length")
    _add_own(theirs, languages)
    return Rows(cells, (*header, OWN, OWN_LENGTH), rows)


def _lengths(texts: Iterable[str]) -> list[int]:
    return [len(text.encode()) for text in texts]


def _mean(lengths: list[int], facts: str, caveat: str = "") -> Cell:
    mean = fmean(lengths)
    return Cell(rounded(mean, 0), f"{facts}|mean:{mean:.3f}|decimals:rounded", caveat)


def _add_own(theirs: Printed, languages: Iterable[str]) -> None:
    """Add the cells that are derived from printed ones, for the requests in the language itself."""
    for language in languages:
        numbers = [theirs.get((language, name)) for name in ("requests", "target", "length")]
        if None not in numbers:
            total, share, length = map(str, numbers)
            low, high = (int(total) * (2 * int(share) + side) for side in (-1, 1))
            theirs[language, OWN] = f"{math.ceil(low / 200)}-{high // 200}"
            theirs.caveats[language, OWN] = DERIVED
            theirs[language, OWN_LENGTH] = length


if __name__ == "__main__":
    run(table1)
