"""Lexical difference of sentences, over lower-cased Moses tokens (XFORMAL, Section 4 and Figure 3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from workflow_scripts.text.moses import tokenise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def tokens(texts: Iterable[str], language: str) -> list[list[str]]:
    """The lower-cased Moses tokens of each sentence; a sentence of white space has none.

    A sentence is lower-cased after it is tokenised, since Moses knows abbreviations by their case. A text
    that occurs several times is tokenised once.
    """
    texts = list(texts)
    distinct = list(dict.fromkeys(texts))
    known = {
        text: line.lower().split() for text, line in zip(distinct, tokenise(distinct, language), strict=True)
    }
    return [known[text] for text in texts]


def led(first: Sequence[str], second: Sequence[str], language: str) -> NDArray[np.float64]:
    """Lexical difference (LeD) of each pair of sentences, shape (pairs,), between 0 and 1.

    With A and B the multisets of `tokens` of the two sentences,

        LeD = ½ (|A \\ B| / |A| + |B \\ A| / |B|),

    the share of tokens that the other sentence does not have, averaged over both. It is symmetric, 0 for
    two empty sentences, and 1 if one of them is empty. Raises ValueError for sides of different lengths.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} sentences do not form pairs")
    split = tokens([*first, *second], language)
    return led_of_tokens(split[: len(first)], split[len(first) :])


def led_of_tokens(first: Sequence[Sequence[str]], second: Sequence[Sequence[str]]) -> NDArray[np.float64]:
    """`led` of sentences already split into `tokens`, so that texts of many pairs are tokenised once."""
    import numpy as np

    return np.array([_led(a, b) for a, b in zip(first, second, strict=True)], dtype=np.float64)


def _led(first: Sequence[str], second: Sequence[str]) -> float:
    if not first or not second:
        return float(bool(first) != bool(second))
    counts = Counter(first)
    shared = 0
    for token in second:
        left = counts.get(token, 0)
        if left:
            counts[token] = left - 1
            shared += 1
    return ((len(first) - shared) / len(first) + (len(second) - shared) / len(second)) / 2


COLLAPSED = 50.0
"""A system with fewer `distinct` outputs ignores most of what it reads."""


def distinct(outputs: Sequence[str], sources: Sequence[str]) -> float:
    """The number of different outputs per 100 different sources, of which there is at least one."""
    return 100 * len(set(outputs)) / len(set(sources))
