"""Equality of sentences: letter case and white space make no difference."""


def folded(text: str) -> str:
    """The text without case, its words separated by single spaces.

    >>> folded(" Oi,  TUDO bem?")
    'oi, tudo bem?'
    """
    return " ".join(text.casefold().split())
