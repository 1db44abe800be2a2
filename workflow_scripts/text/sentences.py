"""Sentences and words as NLTK splits them (XFORMAL, Section 3).

Punkt is trained on the project's own text instead of being downloaded, so that every language and every
register has a model and nothing depends on a server. A model is a folder in NLTK's `punkt_tab` layout.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, lines, read_lines, write_lines, writing_folder
from workflow_scripts.text.light_nltk import light_nltk

if TYPE_CHECKING:
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.tokenize.punkt import PunktSentenceTokenizer


def train(texts: Iterable[str], folder: Path) -> None:
    """Train Punkt on lines of running text and write the model's four files to `folder`.

    The files are sorted: the same text gives the same bytes. Raises InputError if there is no text.
    """
    light_nltk()
    from nltk.tokenize.punkt import PunktTrainer

    trainer = PunktTrainer()
    empty = True
    for chunk in chunks((text for text in texts if text.strip()), 20_000):
        trainer.train("\n".join(chunk), finalize=False)
        empty = False
    if empty:
        raise InputError("no text to learn sentence boundaries from", fix="give files with sentences")
    learnt = trainer.get_params()
    with writing_folder(folder) as part:
        write_lines(part / "abbrev_types.txt", sorted(learnt.abbrev_types))
        write_lines(part / "sent_starters.txt", sorted(learnt.sent_starters))
        write_lines(part / "collocations.tab", sorted("\t".join(pair) for pair in learnt.collocations))
        write_lines(
            part / "ortho_context.tab",
            (f"{word}\t{flags}" for word, flags in sorted(learnt.ortho_context.items())),
        )


def load_splitter(folder: Path) -> Callable[[str], list[str]]:
    """Return a function that splits a text into sentences with the Punkt model in `folder`.

    Sentences are stripped and none is empty. Raises InputError if the folder contains no model or an invalid
    line.
    """
    light_nltk()
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    if not (folder / "ortho_context.tab").is_file():
        raise InputError("no Punkt model in this folder", path=folder, fix="learn one with text.punkt")
    parameters = PunktParameters()
    parameters.abbrev_types = set(read_lines(folder / "abbrev_types.txt"))
    parameters.sent_starters = set(read_lines(folder / "sent_starters.txt"))
    for first, second in _pairs(folder / "collocations.tab", "two words"):
        parameters.collocations.add((first, second))
    for word, flags in _pairs(folder / "ortho_context.tab", "a word and a number", number=True):
        parameters.ortho_context[word] = int(flags)
    return _split_with(PunktSentenceTokenizer(parameters))


def _pairs(path: Path, expected: str, *, number: bool = False) -> Iterator[tuple[str, str]]:
    """The two fields of each line, the second a `number` of at most nine digits."""
    for count, line in enumerate(lines(path), 1):
        first, tab, second = line.rpartition("\t")
        if not tab or (re.fullmatch("[0-9]{1,9}", second) is None if number else "\t" in first):
            raise InputError(
                f"not {expected}, with a tab between them", path=path, line=count, fix="learn the model again"
            )
        yield first, second


def default_splitter() -> Callable[[str], list[str]]:
    """A splitter by an untrained Punkt model: every full stop except an initial's ends a sentence."""
    light_nltk()
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    return _split_with(PunktSentenceTokenizer())


def _split_with(splitter: PunktSentenceTokenizer) -> Callable[[str], list[str]]:
    def split(text: str) -> list[str]:
        """The sentences of one text."""
        return [sentence for raw in splitter.tokenize(text) if (sentence := raw.strip())]

    return split


def words(sentence: str) -> list[str]:
    """The tokens of one sentence by NLTK's word tokeniser (Treebank conventions, no data files)."""
    return _word_tokenizer().tokenize(sentence)


def count_tokens(sentence: str) -> int:
    """The number of `words` of one sentence."""
    return len(words(sentence))


@cache
def _word_tokenizer() -> NLTKWordTokenizer:
    light_nltk()
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()
