"""Whether a request contains a strategy: the rule of the figures, and other plausible rules.

The paper does not say how the induced lexicons were matched (Section 4), and its code is not released. The
rule here, `RULES[0]`: request and sequences are lower-cased (NFC) and split into words (runs of letters,
marks and digits) and single punctuation marks. A request contains a strategy if any of its sequences
occurs in it word by word. Pieces of a sequence that are only punctuation are ignored, and so are sequences of
only punctuation; `_` within a sequence stands for one or more words. A sequence of a strategy whose name ends
in `_start` must start at the request's first word.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from workflow_scripts.politeness.corpus import Lexicon

GAP = "_"
# Joiners, which shape the letters of Indic scripts, belong to their word.
JOINERS = "\u200c\u200d"
ENDS = frozenset(".?!…。？！।॥")
START = "_start"
# Strategies that open a sentence in the examples of Danescu-Niculescu-Mizil et al. (2013, Table 3).
OPENING = ("Deference", "Indirect_(greeting)", "Direct_question")


@dataclass(frozen=True)
class Rule:
    """A rule to match a lexicon in a request; the defaults are the rule of the figures."""

    name: str
    says: str
    # words: words and single marks; bare: only words; spaces: runs between spaces; substring: characters
    units: Literal["words", "bare", "spaces", "substring"] = "words"
    # whether punctuation alone counts as a sequence or a part of a sequence
    punctuation: bool = False
    # how many of the most frequent sequences of a word count
    top: int | None = None
    # how often a sequence must have been aligned
    least: int = 1
    # whether sequences with gaps count
    gaps: bool = True
    # where `_start` may match: at the first word of the request or of any sentence
    starts: Literal["request", "sentence"] = "request"
    # strategies without `_start` that are treated like those with it
    opening: tuple[str, ...] = ()
    # which requests count: all, or the outer quartiles of the binary split
    requests: Literal["all", "outer"] = "all"


RULES = (
    Rule("words", "the rule of the figures"),
    Rule("bare", "punctuation in sequences and requests is ignored", units="bare"),
    Rule("spaces", "words are split only at spaces, and keep their punctuation", units="spaces"),
    Rule("substring", "a sequence may match within a word", units="substring"),
    Rule("punctuation", "punctuation alone counts as a sequence or a part of one", punctuation=True),
    Rule("first", "only the most frequent sequence of each English word", top=1),
    Rule("twice", "only sequences that were aligned at least twice", least=2),
    Rule("no gaps", "sequences with gaps do not count", gaps=False),
    Rule("sentence", "*_start at the first word of any sentence", starts="sentence"),
    Rule("opening", "deference, greeting and direct question at the start too", opening=OPENING),
    Rule("outer", "only requests of the binary split", requests="outer"),
)

Tokens = list[str]


def tokens(text: str, units: str) -> Tokens:
    """A text, lower-cased and composed, split into units; for `substring` a single unit, the whole text."""
    text = unicodedata.normalize("NFC", text).lower()
    if units == "substring":
        return [" ".join(text.split())]
    if units == "spaces":
        return text.split()
    parts: Tokens = []
    inside = False
    for character in text:
        word = unicodedata.category(character)[0] in "LMN" or (inside and character in JOINERS)
        if word and inside:
            parts[-1] += character
        elif word or (units == "words" and not character.isspace()):
            parts.append(character)
        inside = word
    return parts


def is_word(token: str) -> bool:
    """Whether a unit is more than punctuation."""
    return any(unicodedata.category(character)[0] in "LMN" for character in token)


def pieces(sequence: str, rule: Rule) -> list[Tokens]:
    """A sequence of a lexicon as runs of units between gaps; empty if the rule drops the sequence."""
    runs: list[Tokens] = [[]]
    for piece in sequence.split():
        if piece == GAP:
            runs.append([])
        elif rule.punctuation or is_word(piece):
            runs[-1] += tokens(piece, rule.units)
    if not rule.gaps and len(runs) > 1:
        return []
    if rule.units == "substring":
        runs = [[" ".join(run)] if run else [] for run in runs]
    return [run for run in runs if run]


@dataclass(frozen=True)
class Pattern:
    """A sequence to search for, and whether it must be at a start."""

    runs: tuple[tuple[str, ...], ...]
    start: bool


class Matcher:
    """Finds all strategies of a lexicon in requests, by one rule."""

    def __init__(self, lexicon: Lexicon, rule: Rule) -> None:
        """Index the sequences by their first unit."""
        self.rule = rule
        self.index: defaultdict[str, list[tuple[str, Pattern]]] = defaultdict(list)
        for strategy, words in lexicon.items():
            start = strategy.endswith(START) or strategy in rule.opening
            for pattern in dict.fromkeys(
                Pattern(tuple(map(tuple, runs)), start)
                for word in words
                for text, count in word.sequences[: rule.top]
                if count >= rule.least and (runs := pieces(text, rule))
            ):
                self.index[pattern.runs[0][0]].append((strategy, pattern))

    def strategies(self, text: str) -> set[str]:
        """The strategies that a request contains."""
        units = tokens(text, self.rule.units)
        if self.rule.units == "substring":
            return self._substrings(units[0])
        starts = self._starts(units)
        matched: set[str] = set()
        for place, unit in enumerate(units):
            for strategy, pattern in self.index.get(unit, ()):
                if strategy in matched or (pattern.start and place not in starts):
                    continue
                if _stands(units, place, pattern.runs):
                    matched.add(strategy)
        return matched

    def _starts(self, units: Sequence[str]) -> set[int]:
        """The places of the first words of the request, or of every sentence."""
        starts: set[int] = set()
        wanted = True
        for place, unit in enumerate(units):
            if wanted and is_word(unit):
                starts.add(place)
                wanted = False
            if self.rule.starts == "sentence" and unit[-1] in ENDS:
                wanted = True
        return starts

    def _substrings(self, text: str) -> set[str]:
        first = next((place for place, character in enumerate(text) if is_word(character)), 0)
        matched: set[str] = set()
        for key, patterns in self.index.items():
            if key not in text:
                continue
            for strategy, pattern in patterns:
                if strategy not in matched:
                    parts = [run[0] for run in pattern.runs]
                    at = first if pattern.start else text.index(key)
                    if text.startswith(key, at) and _follow(text, at + len(key), parts[1:]):
                        matched.add(strategy)
        return matched


def _stands(units: Sequence[str], place: int, runs: Sequence[tuple[str, ...]]) -> bool:
    """Whether the first run is at a place and the others follow, with one or more units between them."""
    if tuple(units[place : place + len(runs[0])]) != runs[0]:
        return False
    end = place + len(runs[0])
    for run in runs[1:]:
        # The nearest place suffices: a later place leaves fewer words for the rest.
        end = next(
            (
                at + len(run)
                for at in range(end + 1, len(units) - len(run) + 1)
                if tuple(units[at : at + len(run)]) == run
            ),
            -1,
        )
        if end < 0:
            return False
    return True


def _follow(text: str, end: int, parts: Iterable[str]) -> bool:
    """Whether the parts follow in order after `end`, with one or more characters before each."""
    for part in parts:
        at = text.find(part, end + 1)
        if at < 0:
            return False
        end = at + len(part)
    return True
