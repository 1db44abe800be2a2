"""Equality of sentences: letter case and white space make no difference."""

from __future__ import annotations


def folded(text: str) -> str:
    """The text without case, its words separated by single spaces.

    >>> folded(" Oi,  TUDO bem?")
    'oi, tudo bem?'
    """
    return " ".join(text.casefold().split())
