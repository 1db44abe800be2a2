"""Knowledge about a generated sentence, from which a rewrite's formality, fluency and meaning follow."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines

WORD = re.compile(r"[^\W\d_]+")
RUN = re.compile(r"(\w)\1\1|[!?.]{2}")
# The form of a formal sentence: a capital, and one mark at its end.
PROPER = re.compile(r"[^a-z].*[^.!?…][.!?]")


@dataclass(frozen=True)
class Known:
    """One informal sentence; words are without case and accents."""

    content: frozenset[str]
    """The words for its content."""
    informal: frozenset[str]
    """The words that only informal wordings have."""
    formal: frozenset[str]
    """The words that only formal wordings have."""
    pairs: frozenset[tuple[str, str]]
    """Pairs of adjacent words in some wording."""

    def formality(self, text: str) -> float:
        """0 to 1: the share of formal marks among all marks: words of one style, and outer form."""
        found = Counter(
            "formal" if word in self.formal else "informal" if word in self.informal else ""
            for word in _words(text)
        )
        proper = PROPER.fullmatch(text.strip()) is not None
        formal, informal = found["formal"] + proper, found["informal"] + (not proper) + bool(RUN.search(text))
        return (formal + 1) / (formal + informal + 2)

    def fluency(self, text: str) -> float:
        """0 to 1: the share of its pairs of words that occur in a wording of the sentence."""
        pairs = list(pairwise(_words(text)))
        return sum(pair in self.pairs for pair in pairs) / len(pairs) if pairs else 0.0

    def meaning(self, text: str) -> float:
        """0 to 1: the share of the words for the sentence's content that are still there."""
        return len(self.content & set(_words(text))) / len(self.content) if self.content else 1.0


def read_known(path: Path) -> list[Known]:
    """The knowledge about each sentence; InputError for a line with other content.

    :param path: JSON lines with the keys content (texts), informal and formal (for each part of the sentence
        its wordings)
    """
    return [_parsed(path, number, line) for number, line in enumerate(lines(path), 1)]


def _parsed(path: Path, number: int, line: str) -> Known:
    try:
        row = json.loads(line)
        content = frozenset(word for text in row["content"] for word in _words(text))
        said = {
            name: [_words(" ".join(parts)) for parts in product(*row[name])]
            for name in ("informal", "formal")
        }
    except (ValueError, KeyError, TypeError):
        raise InputError(
            "not the knowledge about a sentence", path=path, line=number, fix="make it anew"
        ) from None
    words = {name: {word for text in texts for word in text} - content for name, texts in said.items()}
    return Known(
        content,
        frozenset(words["informal"] - words["formal"]),
        frozenset(words["formal"] - words["informal"]),
        frozenset(_pairs(said["informal"] + said["formal"])),
    )


def _pairs(texts: list[list[str]]) -> Iterator[tuple[str, str]]:
    for text in texts:
        yield from pairwise(text)


def _words(text: str) -> list[str]:
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    return WORD.findall(plain.casefold())
