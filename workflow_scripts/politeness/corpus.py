"""TyDiP as released: requests with their scores, the binary split, and the induced lexicons."""

import ast
import math
import re
import sys
import unicodedata
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError

# English is from Danescu-Niculescu-Mizil et al. (2013), in two parts; other languages have only a test part.
ENGLISH = "en"
COLUMNS = ("sentence", "score")
SECTION = "Strategy - "
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
# In standard deviations: far beyond any mean of five annotators, but small enough for a histogram's bins.
LARGEST = 100.0


@dataclass(frozen=True)
class Request:
    """Two successive sentences of a talk page, and the mean of its annotators' normalised scores."""

    text: str
    score: float


@dataclass(frozen=True)
class Word:
    """A word or phrase of the English lexicon, and the sequences aligned with it, the most frequent first."""

    english: str
    sequences: tuple[tuple[str, int], ...]
    # The third column: True for every word with a sequence, and for some words without.
    flag: bool


Lexicon = dict[str, list[Word]]


def parts(language: str) -> tuple[str, ...]:
    """The parts of a language's data."""
    return ("train", "test") if language == ENGLISH else ("test",)


def requests_file(corpus: Path, language: str, part: str = "test") -> Path:
    """The file of all requests of a part."""
    return corpus / "data" / "all" / f"{language}_{part}.csv"


def binary_file(corpus: Path, language: str, part: str = "test") -> Path:
    """The file of the outer quartiles of a part."""
    return corpus / "data" / "binary" / f"{language}_{part}_binary.csv"


def lexicon_file(corpus: Path, language: str) -> Path:
    """The file of a language's induced lexicon."""
    return corpus / "strategies" / f"{language}.csv"


def read_requests(path: Path) -> list[Request]:
    """All requests of a file, in its order.

    Raises InputError, naming the line, for a request without text, and for a score that is not a finite
    number, or too large for a mean of normalised scores.
    """
    requests = []
    for number, (text, score) in read_csv(path, COLUMNS):
        if not text.strip():
            raise InputError("no request", path=path, line=number)
        value = float(score) if NUMBER.fullmatch(score) else math.nan
        if not math.isfinite(value):
            raise InputError(f"score {_short(score)} is not a number", path=path, line=number)
        if abs(value) > LARGEST:
            raise InputError(
                f"score {_short(score)} is too large for a normalised score", path=path, line=number
            )
        requests.append(Request(text, value))
    if not requests:
        raise InputError("no request below the header", path=path)
    return requests


def write_requests(path: Path, requests: Iterable[Request]) -> None:
    """Write requests in the layout that `read_requests` reads."""
    write_csv(path, COLUMNS, ((request.text, repr(request.score)) for request in requests))


def read_lexicon(path: Path) -> Lexicon:
    """Strategy -> its English words with their sequences, all in the file's order.

    Raises InputError, naming the line, for a word above the first strategy, a duplicate strategy, a strategy
    without words, and a word without a list of (sequence, count) and a flag.
    """
    lexicon: Lexicon = {}
    words: list[Word] | None = None
    for number, (english, listed, flag) in read_csv(path, ("0", "1", "2")):
        if english.startswith(SECTION):
            name = english.removeprefix(SECTION)
            if name in lexicon or not name or listed or flag:
                raise InputError(f"not the only title of '{_short(name)}'", path=path, line=number)
            words = lexicon[name] = []
        elif words is None:
            raise InputError(f"no line '{SECTION}...' before this word", path=path, line=number)
        elif not english.strip() or flag not in ("True", "False"):
            raise InputError("not a word, its list and True or False", path=path, line=number)
        else:
            words.append(Word(english, _sequences(path, number, listed), flag == "True"))
    if not lexicon:
        raise InputError(f"no line '{SECTION}...'", path=path)
    for name, listed_words in lexicon.items():
        if not listed_words:
            raise InputError(f"strategy '{name}' has no word", path=path)
    return lexicon


def _sequences(path: Path, number: int, listed: str) -> tuple[tuple[str, int], ...]:
    """Parse ``[('por favor', 20), ...]`` without running any code.

    A sequence is a single line without lone surrogates, which no file could store.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(listed)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        value = None
    fine = isinstance(value, list) and all(
        isinstance(pair, tuple)
        and len(pair) == 2
        and isinstance(pair[0], str)
        and type(pair[1]) is int
        and pair[0].strip()
        and pair[0].splitlines() == [pair[0]]
        and not any(unicodedata.category(character) == "Cs" for character in pair[0])
        and pair[1] > 0
        for pair in value
    )
    if not fine:
        raise InputError(f"{_short(listed)} is not a list of (sequence, count)", path=path, line=number)
    return tuple(value)


def english_lexicon(lexicons: Sequence[tuple[Path, Lexicon]]) -> Lexicon:
    """The English words as a lexicon of their own: each is its own sequence, with the largest frequency.

    Raises InputError if the files do not have the same English words.
    """
    first, *others = [
        (path, {name: [word.english for word in words] for name, words in lexicon.items()})
        for path, lexicon in lexicons
    ]
    for path, words in others:
        if words != first[1]:
            raise InputError(f"other English words than in {first[0].name}", path=path)
    return {
        name: [Word(word, ((word, sys.maxsize),), True) for word in words] for name, words in first[1].items()
    }


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")
