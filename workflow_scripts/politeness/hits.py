"""Command: sheets of requests for raters, divided into HITs (Srinivasan and Choi, 2022, Section 2.1)."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import whole
from workflow_scripts.core.files import read_lines
from workflow_scripts.politeness.corpus import ENGLISH, read_requests, requests_file

COLUMNS = ("item", "hit", "page", "task", "text")
TASK = "politeness"


@dataclass(frozen=True)
class Item:
    """A request in a HIT: `en-12-3` is the twelfth English request in HIT 3; `place` counts from 1."""

    item: str
    hit: int
    language: str
    place: int


def hits(
    out: Path,
    *,
    corpus: Path,
    languages: list[str],
    requests: list[Path] | None = None,
    sample: int | None = None,
    english: int,
    target: int,
    page: int,
    seed: int,
) -> None:
    """Write the sheet ``{lang}.csv`` of each language: its requests, mixed with English requests.

    Requests are those of the corpus, or the distinct lines of other files, such as requests from dumps;
    InputError for a file without any. English requests are always the corpus', since these have been rated
    before.

    Each request of the language is on the sheet once; English requests are repeated when the test part is
    exhausted. The last HIT may have fewer requests of the language. Within a HIT all are shuffled, and shown
    on pages. A sheet has the columns item (`<language>-<line of the request>-<hit>`), hit, page, task, text.

    :param out: folder to write
    :param corpus: folder with TyDiP in its official layout; lines count from 1 below the header
    :param requests: requests of each language instead of the corpus', one per line
    :param sample: largest number of requests drawn; all if not given
    :param english: English requests in a HIT; the paper has 5
    :param target: requests of the language in a HIT; the paper has 15
    :param page: requests on a page; the paper has 5
    """
    if requests is not None and len(requests) != len(languages):
        raise InputError(f"{len(requests)} files of requests for {len(languages)} languages")
    others = _texts(corpus, ENGLISH)
    for place, language in enumerate(languages):
        rng = random.Random(f"hits {language} {seed}")
        ordered = _shuffled(_lines(requests[place]) if requests else _texts(corpus, language), rng)[:sample]
        drawn = cycle(_shuffled(others, rng))
        rows = []
        for hit, begin in enumerate(range(0, len(ordered), target), 1):
            chosen = [(language, *request) for request in ordered[begin : begin + target]]
            chosen += [(ENGLISH, *request) for request in islice(drawn, english)]
            for at, (code, line, text) in enumerate(rng.sample(chosen, len(chosen))):
                rows.append((f"{code}-{line}-{hit}", hit, at // page + 1, TASK, text))
        write_csv(out / f"{language}.csv", COLUMNS, rows)


def _texts(corpus: Path, language: str) -> list[tuple[int, str]]:
    """The requests of a test part with their numbers."""
    return list(enumerate((request.text for request in read_requests(requests_file(corpus, language))), 1))


def _lines(path: Path) -> list[tuple[int, str]]:
    """The distinct lines of a file with the number of their first occurrence."""
    first: dict[str, int] = {}
    for number, text in enumerate(read_lines(path, filled=True), 1):
        first.setdefault(text, number)
    if not first:
        raise InputError("no request in it", path=path)
    return [(number, text) for text, number in first.items()]


def _shuffled(requests: Sequence[tuple[int, str]], rng: random.Random) -> list[tuple[int, str]]:
    return rng.sample(requests, len(requests))


def read_hits(path: Path) -> dict[str, Item]:
    """The items of a sheet by name; InputError, naming the line, for an item in another layout."""
    return dict(_items(path))


def _items(path: Path) -> Iterator[tuple[str, Item]]:
    for line, (item, hit, _, task, _) in read_keyed(path, COLUMNS):
        code, *numbers = item.split("-")
        if task != TASK or not code or len(numbers) != 2 or numbers[1] != hit:
            raise InputError("not an item of a HIT", path=path, line=line, fix="make the sheet again")
        yield item, Item(item, whole(hit, path, line, 1), code, whole(numbers[0], path, line, 1))


if __name__ == "__main__":
    run(hits)
