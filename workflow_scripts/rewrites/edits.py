"""Types of edits, found automatically in pairs of an informal sentence and a rewrite (Appendix I, Table 4).

A token is a word of NLTK's tokeniser in a sentence of Punkt. The *removed* tokens are those of the informal
side that occur nowhere on the formal side, the *added* tokens those of the formal side that occur nowhere on
the informal side; case matters. Appendix I describes each type; these rules are those of the authors'
released analysis:

capitalization
    An added token whose lower case is a removed token: `i` becomes `I`. (Appendix I interchanges this
    description and lowercase's.)
lowercase
    A removed token whose lower case is an added token: `WHY` becomes `why`.
punctuation
    A removed or an added token that does not consist of letters only. This includes numbers, and words with
    an apostrophe that NLTK does not split, as in French.
split_sentences
    The formal side has more sentences.
unchanged
    Both sides are the same text.

The other types have several rules, with a column each; the configuration says which rule Table 4 uses.

spelling
    A removed and an added token, lower-cased and not equal, whose character Levenshtein distance is less
    than half the length of the removed token. `released` puts spaces between characters, so that an inserted
    or deleted character counts twice; `careful` does not.
normalization
    `released`: a removed token is an abbreviation of the language's list, and its expansion is an added
    token, both in the list's own case; expansions of several words are never detected. `careful`: the
    informal side has the abbreviation, the formal side its expansion, each with a changed token, in any
    case.
repetition
    A removed token, lower-cased, equals an added token once its repetitions are left out: for `released`
    every character that has occurred in it before (`banana` becomes `ban`), for `careful` all but the first
    letter of a run (`sooo` becomes `so`).
paraphrase
    `paper`: Appendix I's definition, a Levenshtein distance of more than three tokens. The other rules: at
    least three added tokens of letters only that no other type explains. `released` counts every occurrence,
    lower-cased; it regards a token as explained if it is near a removed token, and, where an abbreviation is
    normalised, the last of these added tokens instead of the expansion: a bug of the program. `careful`
    counts a token once, and regards it as explained if it differs only in case, is near a removed token,
    is part of an expansion, or is a removed token without its repetition.
"""

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
        """`split`: splits a text into its sentences."""
        self._split, self._abbreviations = split, abbreviations
        self._known: dict[str, Analysed] = {}

    def __call__(self, informal: str, formal: str) -> dict[str, bool]:
        """Whether a rewrite has each of `TYPES`, by the rules of this module."""
        before, after = self._analysed(informal), self._analysed(formal)
        removed, added = before.types - after.types, after.types - before.types
        edits = {
            "capitalization": any(token.lower() in removed for token in added),
            "punctuation": not all(token.isalpha() for token in removed | added),
            "split_sentences": after.sentences > before.sentences,
            "unchanged": informal == formal,
            "lowercase": any(token.lower() in added for token in removed),
            column("paraphrase", PAPER): _distance(before.tokens, after.tokens) > DISTANT_TOKENS,
            **self._careful(before, after, removed, added),
            **self._released(before, after, removed, added),
        }
        return {name: edits[name] for name in TYPES}

    def _careful(
        self, before: Analysed, after: Analysed, removed: frozenset[str], added: frozenset[str]
    ) -> dict[str, bool]:
        """The types by the `careful` rules."""
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
        """The types by the rules of the released program."""
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
    """The columns of a rule; `major`: the number of unexplained tokens."""
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
    """The added tokens that are another spelling of a removed token; `spaced`: by the released rule."""
    near = set()
    for token in removed:
        size = len(token)
        # The largest distance below half the length.
        most = (size - 1) // 2
        # The largest difference of lengths: each further character is an edit, or two with its space. This
        # test excludes most pairs.
        apart = most // 2 if spaced else most
        for other in added:
            if (
                -apart <= len(other) - size <= apart
                and other != token
                and _characters(token, other, most, spaced) <= most
            ):
                near.add(other)
    return near


def _characters(first: str, second: str, most: int, spaced: bool) -> int:
    """The distance of two tokens in characters, exact up to `most`."""
    if spaced:
        first, second = " ".join(first), " ".join(second)
    return Levenshtein.distance(first, second, score_cutoff=most)


def _distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Levenshtein distance in tokens: each token is mapped to one character, so that rapidfuzz is exact."""
    codes: dict[str, str] = {}
    texts = [
        "".join(codes.setdefault(token, chr(len(codes))) for token in tokens) for tokens in (first, second)
    ]
    return Levenshtein.distance(*texts)
