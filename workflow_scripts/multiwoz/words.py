"""The words of a text, as recurrent networks read them."""

from __future__ import annotations

import re

# Marks are one word, and so are times, `john's` and `b&b`.
WORD = re.compile(r"\[\w+\]|<\w+>|\w+(?:[:'&./-]\w+)*|[^\w\s]")


def words_of(text: str) -> list[str]:
    """The words of a text, with its punctuation."""
    return WORD.findall(text)
