"""Formality markers: ``[F]phrase[/F]`` around what an annotator took for formal or informal.

A few released lines are malformed: a marker left open, one without its partner, one that lost a bracket.
No reader drops such a line or fails on it; it takes what is well-formed and counts the line.
"""

from __future__ import annotations

import re

OPEN, CLOSE = "[F]", "[/F]"
_MARKER = re.compile(r"\[/?F\]")
# A phrase has no bracket inside; so a marker that lost its partner takes no phrase with it but its own.
_PHRASE = re.compile(r"\[F\]([^\[\]]+)\[/F\]")
# What a marker looks like that has lost a bracket or the phrase; [Foto] and [PDF] are text.
_REMNANT = re.compile(r"\[/?F(?!\w)|(?<!\w)F\]")


def phrases(line: str) -> list[str]:
    """The well-formed marked phrases of a line, from left to right, without spaces around them."""
    return [phrase for phrase in (match[1].strip() for match in _PHRASE.finditer(line)) if phrase]


def scorer_phrases(line: str) -> list[str]:
    r"""The marked phrases as the released scorer finds them: the pattern ``\[F\](.*?)\[/F\]``.

    A phrase starts at the first marker that opens, so that it may hold another one. Markers are searched for
    one by one: the pattern itself takes quadratic time on a line with many markers that nothing closes.
    """
    found = []
    start = line.find(OPEN)
    while start >= 0:
        end = line.find(CLOSE, start + len(OPEN))
        if end < 0:
            break
        found.append(line[start + len(OPEN) : end])
        start = line.find(OPEN, end + len(CLOSE))
    return found


def is_malformed(line: str) -> bool:
    """Whether anything of a marker is left when the well-formed phrases are taken out."""
    return bool(_REMNANT.search(_PHRASE.sub(lambda match: " " if match[1].strip() else match[0], line)))


def untagged(line: str) -> str:
    """The line without its markers, which is the plain reference."""
    return _MARKER.sub("", line)
