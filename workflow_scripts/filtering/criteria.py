"""Which sentences the curation drops (XFORMAL, Section 3, Step 2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import blake2b

from workflow_scripts.text.sentences import count_tokens

REASONS = ("question", "url", "short", "long", "duplicate")

# A scheme, a www, or a bare name under a domain that is a word in none of the languages (so not "it", which
# people write after a full stop without a space) unless a path follows.
_URL = re.compile(
    r"[a-z]{2,}://"
    r"|\bwww\d?\."
    r"|\b[\w-]{2,}\.(?:(?:com|org|net|edu|gov|info|br|fr|pt)\b|(?:it|co|me|tv|ly)/)",
    re.IGNORECASE,
)


def has_url(sentence: str) -> bool:
    """Whether a web address, with or without its scheme, or an e-mail address stands in the sentence."""
    return ("." in sentence or "://" in sentence) and _URL.search(sentence) is not None


def is_question(sentence: str) -> bool:
    """Whether the sentence holds a question mark."""
    return "?" in sentence


def length_fault(sentence: str, min_tokens: int, max_tokens: int) -> str:
    """``short``, ``long`` or nothing, by NLTK's tokens."""
    # White space always separates tokens, so a line with too many words needs no tokeniser.
    if len(sentence.split()) > max_tokens:
        return "long"
    count = count_tokens(sentence)
    return "short" if count < min_tokens else "long" if count > max_tokens else ""


def curator(min_tokens: int, max_tokens: int) -> Callable[..., str]:
    """Return a function that says why a sentence, or a pair of them, is dropped (one of REASONS) or "".

    It remembers what it has let through, by 8-byte digests, to find exact duplicates. Of a pair, questions
    and addresses are looked for on both sides, lengths on the first only, and it is a duplicate if both sides
    together were seen before.
    """
    seen: set[int] = set()

    def reason(sentence: str, other: str = "") -> str:
        """Why this line is dropped; the tests go from cheap to expensive in the paper's order."""
        if is_question(sentence) or is_question(other):
            return "question"
        if has_url(sentence) or has_url(other):
            return "url"
        if fault := length_fault(sentence, min_tokens, max_tokens):
            return fault
        text = f"{sentence}\t{other}".encode()
        key = int.from_bytes(blake2b(text, digest_size=8).digest(), "big")
        if key in seen:
            return "duplicate"
        seen.add(key)
        return ""

    return reason
