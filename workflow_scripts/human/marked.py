"""The formality of a translation, from the marked phrases of the demo world's references."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from workflow_scripts.text.markers import phrases, untagged

WORD = re.compile(r"[^\W\d_]+")
MARKED = re.compile(r"\[F\].*?\[/F\]")


@dataclass(frozen=True)
class Reference:
    """A sentence's translation at one level; words are without case."""

    words: tuple[str, ...]
    """All of them, in their order."""
    marked: frozenset[tuple[str, ...]]
    """The marked phrases."""
    plain: frozenset[str]
    """The words outside the marked phrases."""


def reference(annotated: str) -> Reference:
    """The parts of an annotated line."""
    marked = (words_of(phrase) for phrase in phrases(annotated))
    return Reference(
        words_of(untagged(annotated)),
        frozenset(phrase for phrase in marked if phrase),
        frozenset(words_of(MARKED.sub(" ", annotated))),
    )


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text, without case; an apostrophe or a hyphen separates words."""
    return tuple(WORD.findall(text.casefold()))


def telling(formal: Sequence[Reference], informal: Sequence[Reference]) -> dict[str, frozenset[str]]:
    """The words that show a level in any sentence: marked at that level, and never used otherwise."""
    marked = {
        name: {word for one in side for phrase in one.marked for word in phrase}
        for name, side in (("formal", formal), ("informal", informal))
    }
    plain = {word for one in (*formal, *informal) for word in one.plain}
    return {
        "formal": frozenset(marked["formal"] - marked["informal"] - plain),
        "informal": frozenset(marked["informal"] - marked["formal"] - plain),
    }


def level_of(text: str, formal: Reference, informal: Reference, told: dict[str, frozenset[str]]) -> str:
    """The level that a translation shows: formal, informal, `other` for both, `neutral` for neither.

    It shows a level if it has one of the language's words for that level, or a marked phrase of the
    sentence's own reference, word by word, that does not occur in the reference of the other level.
    """
    words = words_of(text)
    shown = {
        name: not told[name].isdisjoint(words)
        or any(_within(phrase, words) and not _within(phrase, other.words) for phrase in own.marked)
        for name, own, other in (("formal", formal, informal), ("informal", informal, formal))
    }
    if shown["formal"] and shown["informal"]:
        return "other"
    return next((name for name, there in shown.items() if there), "neutral")


def _within(phrase: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words of a phrase occur in sequence."""
    size = len(phrase)
    return any(tuple(words[start : start + size]) == tuple(phrase) for start in range(len(words) - size + 1))


def references(lines: Iterable[str]) -> list[Reference]:
    """One of each annotated line."""
    return [reference(line) for line in lines]
