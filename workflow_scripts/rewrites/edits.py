"""Types of edits, found automatically in pairs of an informal sentence and a rewrite (Appendix I, Table 4).

A token is a word of NLTK's tokeniser in a sentence of Punkt. The *removed* tokens are those of the informal
side that the formal side does not have anywhere, the *added* ones those of the formal side that the informal
side does not have; case matters. Appendix I says what each type is about; these rules are those of the
authors' released analysis:

capitalization
    An added token whose lower case is a removed token: `i` becomes `I`. (Appendix I has this sentence and
    lowercase's the other way round.)
lowercase
    A removed token whose lower case is an added token: `WHY` becomes `why`.
punctuation
    A removed or an added token that does not consist of letters only. A number is one, and so is a word with
    an apostrophe that NLTK leaves whole, as it does in French.
split_sentences
    The formal side has more sentences.
unchanged
    Both sides are the same text.

The other types have several rules, each of which is a column; the configuration says which one Table 4 has.

spelling
    A removed and an added token, lower-cased and not equal, are so near each other that their character
    Levenshtein distance is less than half the length of the removed one. `released` puts a space between
    characters, so that an inserted or deleted one counts twice; `careful` does not.
normalization
    `released`: a removed token is an abbreviation of the language's list, and its expansion is an added
    token, both in the list's own case; so an expansion of several words is never found. `careful`: the
    abbreviation stands on the informal side, its expansion on the formal side, both with a token that has
    changed, in any case.
repetition
    A removed token, lower-cased, is an added one when its repetitions are left out: for `released` every
    character that has occurred in it before (`banana` becomes `ban`), for `careful` what follows the first
    letter of a run (`sooo` becomes `so`).
paraphrase
    `paper`: Appendix I's definition, a Levenshtein distance of more than three tokens. The others: at least
    three added tokens of letters only that nothing explains. For `released` every occurrence counts, in lower
    case, and what is explained is what is near a removed token and, where an abbreviation is normalised, the
    last of these added tokens in the place of the expansion: a slip of the program. For `careful` a token
    counts once, and is explained if it is other in case, near a removed token, part of an expansion, or a
    token without its repetition.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from workflow_scripts.rewrites.abbreviations import Abbreviations
from workflow_scripts.rewrites.labels import CAREFUL, PAPER, RELEASED, RULES, column
from workflow_scripts.text.sentences import words

# In the order of Table 4.
TYPES = tuple(
    column(name, rule)
    for name in (
        *("capitalization", "punctuation", "spelling", "normalization", "split_sentences", "paraphrase"),
        *("unchanged", "lowercase", "repetition"),
    )
    for rule in RULES.get(name, ("",))
)
MAJOR_TOKENS = 3
DISTANT_TOKENS = 3
RUN = re.compile(r"([^\W\d_])\1+")


@dataclass(frozen=True)
class Analysed:
    """The number of a text's sentences, its tokens, and their types."""

    sentences: int
    tokens: tuple[str, ...]
    types: frozenset[str]


class EditFinder:
    """Finds the types of edits in rewrites of one language; every text is analysed once."""

    def __init__(self, split: Callable[[str], list[str]], abbreviations: Abbreviations) -> None:
        """`split` cuts a text into its sentences."""
        self._split, self._abbreviations = split, abbreviations
        self._known: dict[str, Analysed] = {}

    def __call__(self, informal: str, formal: str) -> dict[str, bool]:
        """Which of `TYPES` a rewrite has, as the module says."""
        before, after = self._analysed(informal), self._analysed(formal)
        removed, added = before.types - after.types, after.types - before.types
        found = {
            "capitalization": any(token.lower() in removed for token in added),
            "punctuation": not all(token.isalpha() for token in removed | added),
            "split_sentences": after.sentences > before.sentences,
            "unchanged": informal == formal,
            "lowercase": any(token.lower() in added for token in removed),
            column("paraphrase", PAPER): _distance(before.tokens, after.tokens) > DISTANT_TOKENS,
            **self._careful(before, after, removed, added),
            **self._released(before, after, removed, added),
        }
        return {name: found[name] for name in TYPES}

    def _careful(
        self, before: Analysed, after: Analysed, removed: frozenset[str], added: frozenset[str]
    ) -> dict[str, bool]:
        """The types by our rules."""
        lower_removed, lower_added = _lowered(removed), _lowered(added)
        spelt = _near(lower_removed, lower_added)
        expanded = self._abbreviations.expanded(
            _lower(before.tokens), _lower(after.tokens), lower_removed, lower_added
        )
        repeated = {
            single
            for token in lower_removed
            if (single := RUN.sub(r"\1", token)) != token and single in lower_added
        }
        minor = lower_removed | spelt | expanded | repeated
        major = _lowered(token for token in added if token.isalpha()) - minor
        return _ruled(CAREFUL, bool(spelt), bool(expanded), bool(repeated), len(major))

    def _released(
        self, before: Analysed, after: Analysed, removed: frozenset[str], added: frozenset[str]
    ) -> dict[str, bool]:
        """The types as the released program finds them."""
        lower_removed, lower_added = _lowered(removed), _lowered(added)
        near = _near(lower_removed, lower_added, spaced=True)
        expanded = any(self._abbreviations.listed.get(token) in added for token in removed)
        repeated = any(
            (single := "".join(dict.fromkeys(token))) != token and single in lower_added
            for token in lower_removed
        )
        major = _lower(token for token in after.tokens if token in added and token.isalpha())
        explained = {*near, *(major[-1:] if expanded else ())}
        count = sum(token not in explained for token in major)
        return _ruled(RELEASED, bool(near), expanded, repeated, count)

    def _analysed(self, text: str) -> Analysed:
        if text not in self._known:
            sentences = self._split(text)
            tokens = tuple(token for sentence in sentences for token in words(sentence))
            self._known[text] = Analysed(len(sentences), tokens, frozenset(tokens))
        return self._known[text]


def _ruled(rule: str, spelt: bool, expanded: bool, repeated: bool, major: int) -> dict[str, bool]:
    """The columns of a rule; `major`: how many tokens nothing explains."""
    return {
        column("spelling", rule): spelt,
        column("normalization", rule): expanded,
        column("repetition", rule): repeated,
        column("paraphrase", rule): major >= MAJOR_TOKENS,
    }


def _lower(tokens: Iterable[str]) -> list[str]:
    return [token.lower() for token in tokens]


def _lowered(tokens: Iterable[str]) -> set[str]:
    return {token.lower() for token in tokens}


def _near(removed: Iterable[str], added: Iterable[str], *, spaced: bool = False) -> set[str]:
    """The added tokens that are another spelling of a removed one; `spaced`: by the released rule."""
    found = set()
    for token in removed:
        size = len(token)
        # The largest distance below half of the length.
        most = (size - 1) // 2
        # How far lengths may be apart: a character more is an edit, with its space two; most pairs end here.
        apart = most // 2 if spaced else most
        for other in added:
            if (
                -apart <= len(other) - size <= apart
                and other != token
                and _characters(token, other, most, spaced) <= most
            ):
                found.add(other)
    return found


def _characters(first: str, second: str, most: int, spaced: bool) -> int:
    """The distance of two tokens in characters, exact up to `most`."""
    if spaced:
        first, second = " ".join(first), " ".join(second)
    return Levenshtein.distance(first, second, score_cutoff=most)


def _distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Levenshtein distance in tokens; each token becomes one character, on which rapidfuzz is exact."""
    codes: dict[str, str] = {}
    texts = [
        "".join(codes.setdefault(token, chr(len(codes))) for token in tokens) for tokens in (first, second)
    ]
    return Levenshtein.distance(*texts)
