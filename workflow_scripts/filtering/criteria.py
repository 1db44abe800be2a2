"""The criteria by which the curation drops sentences (XFORMAL, Section 3, Step 2)."""

import re
import unicodedata
from array import array
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import blake2b

from workflow_scripts.text.sentences import count_tokens

REASONS = ("question", "url", "short", "long", "duplicate")

# Ends of addresses that are not words in any of the papers' languages (so not "it", which may follow a full
# stop without a space), and those that count only if a path follows.
_DOMAINS = ("com", "org", "net", "edu", "gov", "info", "br", "fr", "pt")
_WORDS = ("it", "co", "me", "tv", "ly")


@cache
def _url(domains: tuple[str, ...]) -> re.Pattern[str]:
    """A scheme, a www, or a bare name under a domain."""
    bare = "|".join(map(re.escape, (*_DOMAINS, *domains)))
    return re.compile(
        rf"[a-z]{{2,}}://|\bwww\d?\.|\b[\w-]{{2,}}\.(?:(?:{bare})\b|(?:{'|'.join(_WORDS)})/)", re.IGNORECASE
    )


def has_url(sentence: str, domains: Sequence[str] = ()) -> bool:
    """Whether the sentence has a web address, with or without its scheme, or an e-mail address.

    `domains`: ends of addresses in its language besides the built-in ones.
    """
    return ("." in sentence or "://" in sentence) and _url(tuple(domains)).search(sentence) is not None


def is_question(sentence: str) -> bool:
    """Whether the sentence contains a question mark."""
    return "?" in sentence


def length_fault(sentence: str, min_tokens: int, max_tokens: int) -> str:
    """``short``, ``long`` or an empty text, by the number of NLTK's tokens."""
    # White space always separates tokens, so a line with too many words needs no tokeniser.
    if len(sentence.split()) > max_tokens:
        return "long"
    count = count_tokens(sentence)
    return "short" if count < min_tokens else "long" if count > max_tokens else ""


def letters(sentence: str) -> str:
    """The letters and digits of a sentence, NFKC and case folded; near copies share them."""
    folded = unicodedata.normalize("NFKC", sentence).casefold()
    return "".join(character for character in folded if unicodedata.category(character)[0] in "LMN")


class Digests:
    """A set of numbers of 64 bits in a table of 16 to 32 bytes for each; 0 and 1 count as the same.

    Each number is at the first free place from its remainder on. While the table grows, it takes 48 bytes for
    each; a set of Python's takes some 100.
    """

    def __init__(self) -> None:
        self.table = array("Q", [0]) * (1 << 10)
        self.count = 0

    def add(self, number: int) -> bool:
        """Whether the number is new; it is a member afterwards."""
        number = number or 1
        place = self._place(number)
        if self.table[place]:
            return False
        self.table[place] = number
        self.count += 1
        if 2 * self.count > len(self.table):
            held = self.table
            self.table = array("Q", [0]) * (2 * len(held))
            for number in filter(None, held):
                self.table[self._place(number)] = number
        return True

    def _place(self, number: int) -> int:
        """Where the number is, or would be."""
        table, last = self.table, len(self.table) - 1
        place = number & last
        while table[place] and table[place] != number:
            place = (place + 1) & last
        return place


def curator(min_tokens: int, max_tokens: int, domains: Sequence[str] = ()) -> Callable[..., str]:
    """Return a function that gives the reason to drop a sentence or a pair (one of REASONS), or "".

    It stores 8-byte digests of the sentences it passed, to find exact duplicates. In a pair, questions and
    addresses count on both sides, lengths only on the first, and a duplicate has both sides of an earlier
    pair.
    """
    seen = Digests()

    def reason(sentence: str, other: str = "") -> str:
        """The reason to drop this line; the tests are in the paper's order, from cheap to expensive."""
        if is_question(sentence) or is_question(other):
            return "question"
        if has_url(sentence, domains) or has_url(other, domains):
            return "url"
        if fault := length_fault(sentence, min_tokens, max_tokens):
            return fault
        text = f"{sentence}\t{other}".encode()
        key = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
        return "" if seen.add(key) else "duplicate"

    return reason
