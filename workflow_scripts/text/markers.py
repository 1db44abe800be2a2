"""Formality markers: ``[F]phrase[/F]`` around a phrase that an annotator marked as formal or informal.

A few released lines are malformed: a marker is left open, lacks its partner or a bracket. No reader drops
such a line or fails on it; it reads the well-formed phrases and counts the line.
"""

import re

OPEN, CLOSE = "[F]", "[/F]"
_MARKER = re.compile(r"\[/?F\]")
# A phrase has no bracket inside, so that an unpaired marker affects only its own phrase.
_PHRASE = re.compile(r"\[F\]([^\[\]]+)\[/F\]")
# A marker that lacks a bracket or the phrase; [Foto] and [PDF] are text.
_REMNANT = re.compile(r"\[/?F(?!\w)|(?<!\w)F\]")


def phrases(line: str) -> list[str]:
    """The well-formed marked phrases of a line, from left to right, without surrounding spaces."""
    return [phrase for phrase in (match[1].strip() for match in _PHRASE.finditer(line)) if phrase]


def scorer_phrases(line: str) -> list[str]:
    r"""The marked phrases as the released scorer finds them: the pattern ``\[F\](.*?)\[/F\]``.

    A phrase starts at the first opening marker, so that it may contain another one. The search is for one
    marker at a time: the pattern takes quadratic time on a line with many unclosed markers.
    """
    matches = []
    start = line.find(OPEN)
    while start >= 0:
        end = line.find(CLOSE, start + len(OPEN))
        if end < 0:
            break
        matches.append(line[start + len(OPEN) : end])
        start = line.find(OPEN, end + len(CLOSE))
    return matches


def is_malformed(line: str) -> bool:
    """Whether a part of a marker is left after the well-formed phrases are removed."""
    return bool(_REMNANT.search(_PHRASE.sub(lambda match: " " if match[1].strip() else match[0], line)))


def untagged(line: str) -> str:
    """The line without its markers, which is the plain reference."""
    return _MARKER.sub("", line)
