"""Types of edits, found automatically in pairs of an informal sentence and a rewrite (Appendix I, Table 4).

A token is a word of NLTK's tokeniser in a sentence of Punkt. The *removed* tokens are the types that only the
informal side has, the *added* ones those that only the formal side has; case matters. Appendix I says what
each type is about; the rules are those of the authors' released analysis, but for what is said in brackets.

capitalization
    An added token whose lower case is a removed token: `i` becomes `I`. (Appendix I has this sentence and
    lowercase's the other way round.)
lowercase
    A removed token whose lower case is an added token: `WHY` becomes `why`.
punctuation
    A removed or an added token that does not consist of letters only. A number is one, and so is a word with
    an apostrophe that NLTK leaves whole, as it does in French.
spelling
    A removed and an added token, lower-cased and not equal, whose character Levenshtein distance is less than
    half the length of the removed one. (The released program puts a space between characters, so that one
    inserted or deleted counts twice.)
normalization
    An abbreviation of the language's list stands on the informal side, its expansion on the formal side, both
    with a token that has changed, in any case. (The released program finds only expansions of one word, in
    the list's own case.)
split_sentences
    The formal side has more sentences.
unchanged
    Both sides are the same text.
repetition
    A removed token is an added one after each run of a letter has become one such letter, both lower-cased:
    `sooo` becomes `so`. (The released program drops every character that has occurred before.)
paraphrase_tokens
    At least three added tokens of letters only, counted once each in lower case, that no type above explains:
    other in case, near a removed token, part of an expansion, or a token without its repetition. (The
    released program counts every occurrence, and takes neither case nor repetition for an explanation.)
paraphrase_distance
    Appendix I's definition: a Levenshtein distance of more than three tokens.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

from workflow_scripts.rewrites.abbreviations import Abbreviations
from workflow_scripts.text.sentences import words

# In the order of Table 4; the last two are readings of its row PARAPHRASE.
TYPES = (
    *("capitalization", "punctuation", "spelling", "normalization", "split_sentences"),
    *("unchanged", "lowercase", "repetition"),
    *("paraphrase_tokens", "paraphrase_distance"),
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
        return {
            "capitalization": any(token.lower() in removed for token in added),
            "punctuation": not all(token.isalpha() for token in removed | added),
            "spelling": bool(spelt),
            "normalization": bool(expanded),
            "split_sentences": after.sentences > before.sentences,
            "unchanged": informal == formal,
            "lowercase": any(token.lower() in added for token in removed),
            "repetition": bool(repeated),
            "paraphrase_tokens": len(major) >= MAJOR_TOKENS,
            "paraphrase_distance": _distance(before.tokens, after.tokens) > DISTANT_TOKENS,
        }

    def _analysed(self, text: str) -> Analysed:
        if text not in self._known:
            sentences = self._split(text)
            tokens = tuple(token for sentence in sentences for token in words(sentence))
            self._known[text] = Analysed(len(sentences), tokens, frozenset(tokens))
        return self._known[text]


def _lower(tokens: Iterable[str]) -> list[str]:
    return [token.lower() for token in tokens]


def _lowered(tokens: Iterable[str]) -> set[str]:
    return {token.lower() for token in tokens}


def _near(removed: Iterable[str], added: Iterable[str]) -> set[str]:
    """The added tokens that are another spelling of a removed one."""
    found = set()
    for token in removed:
        size = len(token)
        # The largest distance below half of the length.
        most = (size - 1) // 2
        for other in added:
            # Lengths that differ by more need more edits; most pairs end here.
            if (
                -most <= len(other) - size <= most
                and other != token
                and Levenshtein.distance(token, other, score_cutoff=most) <= most
            ):
                found.add(other)
    return found


def _distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Levenshtein distance in tokens; each token becomes one character, on which rapidfuzz is exact."""
    codes: dict[str, str] = {}
    texts = [
        "".join(codes.setdefault(token, chr(len(codes))) for token in tokens) for tokens in (first, second)
    ]
    return Levenshtein.distance(*texts)
