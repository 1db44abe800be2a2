"""Moses normalisation, tokenisation and truecasing of lists of sentences, and their reversal.

The rules are those of sacremoses, with three differences that make the reversal exact:

- nothing is escaped unless asked for, so `&amp;` in a text stays as it is;
- as in Moses' own truecase.perl, a form that the training text knows is never changed inside a sentence
  (sacremoses changes it by default);
- a first letter whose capital is longer than itself (`ß`, `ﬁ`) is not capitalised.

The tokens of a sentence are one string with single spaces. Languages are two-letter codes.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import lines, write_lines

if TYPE_CHECKING:
    from sacremoses import MosesDetokenizer, MosesTruecaser

SENTENCE_END = frozenset(".:?!")
PLAIN = re.compile(r"[\w ,.!?'-]*")
DELAYED_START = frozenset("([\"'") | {"&apos;", "&quot;", "&#91;", "&#93;"}


def normalise(texts: Iterable[str], language: str) -> list[str]:
    """Normalise punctuation, quotes, dashes and spaces as normalize-punctuation.perl does."""
    normalizer = _normalizer(language)
    return [text.strip() if _is_plain(text) else normalizer.normalize(text) for text in texts]


def _is_plain(text: str) -> bool:
    """Whether no rule of the normaliser can apply, which saves its forty searches for most sentences."""
    return PLAIN.fullmatch(text) is not None and "  " not in text and "''" not in text


def tokenise(texts: Iterable[str], language: str, *, dashes: bool = True, escape: bool = False) -> list[str]:
    """Split sentences into tokens.

    White space and control characters of any kind become single spaces or vanish. `dashes`: whether a hyphen
    inside a word becomes the token ``@-@``; `escape`: whether ``&``, quotes and brackets become entities.
    """
    tokenizer = _tokenizer(language)
    # return_str may leave a double or a trailing space.
    return [
        " ".join(tokenizer.tokenize(text, aggressive_dash_splits=dashes, escape=escape)) for text in texts
    ]


def detokenise(texts: Iterable[str], language: str, *, unescape: bool = False) -> list[str]:
    """Join tokens into sentences; `unescape`: whether entities become their characters."""
    detokenizer = _detokenizer(language)
    joined = [detokenizer.detokenize(text.split(" "), unescape=unescape) for text in texts]
    # The rules of sacremoses leave Hindi's full stop apart, which BLEU would count as another word.
    return [re.sub(" ([।॥])", r"\1", text) for text in joined] if language == "hi" else joined


def detruecase(texts: Iterable[str]) -> list[str]:
    """Capitalise the first word of every sentence in lines of tokens."""
    return [_detruecase(text) for text in texts]


def _detruecase(text: str) -> str:
    tokens = text.split(" ")
    start = True
    for i, token in enumerate(tokens):
        if start and len(first := token[:1].upper()) == 1:
            tokens[i] = first + token[1:]
        if token in SENTENCE_END:
            start = True
        elif token not in DELAYED_START:
            start = False
    return " ".join(tokens)


class Truecaser:
    """The most frequent case of every word, learnt from words not at sentence starts.

    `counts[word.lower()][form]` is the frequency of a form. The file is in Moses' format, sorted.
    """

    def __init__(self, counts: dict[str, dict[str, int]]) -> None:
        """`counts` as in the class; ties go to the form that sorts last, that is, to lower case."""
        self.counts = counts
        self.best = {word: max(forms, key=lambda form: (forms[form], form)) for word, forms in counts.items()}
        self.known = frozenset(form for forms in counts.values() for form in forms)

    @classmethod
    def train(cls, texts: Iterable[str]) -> Truecaser:
        """Learn from lines of tokens, as train-truecaser.perl does."""
        trainer = _trainer()
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for text in texts:
            for word, form, weight in trainer.learn_truecase_weights(text.split(" ")):
                counts[word][form] += weight
        return cls({word: dict(forms) for word, forms in counts.items()})

    @classmethod
    def all_of(cls, folder: Path) -> dict[str, Truecaser]:
        """The truecasers of a text model (``truecase.fr.txt`` etc.) by language; InputError without any."""
        truecasers = {
            path.name.split(".")[1]: cls.load(path) for path in sorted(folder.glob("truecase.*.txt"))
        }
        if not truecasers:
            raise InputError("no truecaser of any language in this folder", path=folder, fix="learn it again")
        return truecasers

    def save(self, path: Path) -> None:
        """Write `form (count/total) form (count) ...`, a word a line, most frequent form first."""
        write_lines(path, (self._line(word) for word in sorted(self.counts)))

    def _line(self, word: str) -> str:
        forms = self.counts[word]
        best = self.best[word]
        total = sum(forms.values())
        others = sorted((form for form in forms if form != best), key=lambda form: (-forms[form], form))
        return " ".join([f"{best} ({forms[best]}/{total})", *(f"{form} ({forms[form]})" for form in others)])

    @classmethod
    def load(cls, path: Path) -> Truecaser:
        """Read a file that `save` or Moses wrote; InputError names a line that is not an entry."""
        counts: dict[str, dict[str, int]] = defaultdict(dict)
        for number, line in enumerate(lines(path), 1):
            fields = line.split(" ")
            try:
                for form, count in zip(fields[::2], fields[1::2], strict=True):
                    counts[form.lower()][form] = int(count.strip("()").split("/")[0])
            except ValueError:
                raise InputError("not an entry of a truecasing model", path=path, line=number) from None
        return cls(dict(counts))

    def truecase(self, texts: Iterable[str]) -> list[str]:
        """Give words at sentence starts, and unknown forms anywhere, their most frequent case."""
        return [self._truecase(text) for text in texts]

    def _truecase(self, text: str) -> str:
        tokens = text.split(" ")
        start = True
        for i, token in enumerate(tokens):
            if start or token not in self.known:
                tokens[i] = self.best.get(token.lower(), token)
            if token in SENTENCE_END:
                start = True
            elif token not in DELAYED_START:
                start = False
        return " ".join(tokens)


class Truecased:
    """A text model's words: normalised, tokenised and truecased by language, and joined again."""

    def __init__(self, truecasers: Mapping[str, Truecaser]) -> None:
        """`truecasers`: one for each language of the model."""
        self.truecasers = dict(truecasers)
        self.languages = sorted(self.truecasers)

    def tokens(self, texts: Iterable[str], language: str) -> list[str]:
        """The tokens of each sentence, separated by single spaces; InputError for another language."""
        self._check(language)
        return self.truecasers[language].truecase(tokenise(normalise(texts, language), language))

    def joined(self, texts: Iterable[str], language: str) -> list[str]:
        """The sentences of lines of tokens; InputError for another language."""
        self._check(language)
        return detokenise(detruecase(texts), language)

    def _check(self, language: str) -> None:
        if language not in self.truecasers:
            raise InputError(
                f"the text model has no truecase.{language}.txt, and so knows no language '{language}'",
                fix=nearest(language, self.languages),
            )


@cache
def _normalizer(language: str) -> Any:
    from sacremoses import MosesPunctNormalizer

    normalizer = MosesPunctNormalizer(lang=language)
    normalizer.substitutions = [(re.compile(pattern), text) for pattern, text in normalizer.substitutions]
    return normalizer


@cache
def _tokenizer(language: str) -> Any:
    from sacremoses import MosesTokenizer

    class Fast(MosesTokenizer):
        """Gives the same answers, from sets that are built once instead of at every call."""

        lower = frozenset(MosesTokenizer.IsLower)
        alpha = frozenset(MosesTokenizer.IsAlpha)

        def islower(self, text: str) -> bool:
            return self.lower.issuperset(text)

        def isanyalpha(self, text: str) -> bool:
            return not self.alpha.isdisjoint(text)

    tokenizer = Fast(lang=language)
    tokenizer.NONBREAKING_PREFIXES = frozenset(tokenizer.NONBREAKING_PREFIXES)
    tokenizer.NUMERIC_ONLY_PREFIXES = frozenset(tokenizer.NUMERIC_ONLY_PREFIXES)
    return tokenizer


@cache
def _detokenizer(language: str) -> MosesDetokenizer:
    from sacremoses import MosesDetokenizer

    return MosesDetokenizer(lang=language)


@cache
def _trainer() -> MosesTruecaser:
    from sacremoses import MosesTruecaser

    return MosesTruecaser()
