"""The words of a text, as recurrent networks read them."""

import re

# A mark, a time, `john's` and `b&b` are one word each.
WORD = re.compile(r"\[\w+\]|<\w+>|\w+(?:[:'&./-]\w+)*|[^\w\s]")


def words_of(text: str) -> list[str]:
    """The words and punctuation marks of a text."""
    return WORD.findall(text)
