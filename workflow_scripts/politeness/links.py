"""Aligned bitext: English sentences and their translations, split into words, with word links."""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines
from workflow_scripts.text.alignment import Links


@dataclass(frozen=True)
class Aligned:
    """A pair of sentences, and the places of words that translate each other."""

    english: list[str]
    other: list[str]
    links: Links


def cut(text: str) -> list[str]:
    """The words of a text: lower-cased (NFC), split at spaces, with punctuation at either end split off.

    Apostrophes and hyphens within words stay, as in the released lexicons.
    """
    words = []
    for piece in unicodedata.normalize("NFC", text).lower().split():
        start, end = 0, len(piece)
        while start < end and _mark(piece[start]):
            start += 1
        while end > start and _mark(piece[end - 1]):
            end -= 1
        words += [*piece[:start], *([piece[start:end]] if start < end else []), *piece[end:]]
    return words


def _mark(character: str) -> bool:
    """Whether a character is punctuation or a symbol."""
    return unicodedata.category(character)[0] in "PS"


def write_aligned(path: Path, pairs: Iterable[Aligned]) -> None:
    """Write a line per pair: English words, the other words, and links ``0-0 1-2``, separated by tabs."""
    write_lines(
        path,
        (
            "\t".join(
                (
                    " ".join(pair.english),
                    " ".join(pair.other),
                    " ".join(f"{source}-{target}" for source, target in pair.links),
                )
            )
            for pair in pairs
        ),
    )


def read_aligned(path: Path) -> Iterator[Aligned]:
    """Read a file that `write_aligned` wrote; InputError, naming the line, for a line in another layout."""
    for number, line in enumerate(lines(path), 1):
        fields = line.split("\t")
        if len(fields) != 3:
            raise InputError("not two sentences and links, separated by tabs", path=path, line=number)
        english, other = (field.split(" ") if field else [] for field in fields[:2])
        links = [_link(text, len(english), len(other), path, number) for text in fields[2].split()]
        yield Aligned(english, other, links)


def _link(text: str, english: int, other: int, path: Path, number: int) -> tuple[int, int]:
    source, _, target = text.partition("-")
    for place, length in ((source, english), (target, other)):
        if not (place.isdecimal() and place.isascii() and len(place) < 9 and int(place) < length):
            raise InputError(f"{text[:40]!r} is not a link of two words", path=path, line=number)
    return int(source), int(target)
