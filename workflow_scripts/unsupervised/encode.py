"""Command: turn text into the word files that the unsupervised systems are trained on."""

import sys
from collections.abc import Iterator
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, lines, progress, write_lines
from workflow_scripts.text.symbols import SPECIAL, UNKNOWN
from workflow_scripts.unsupervised.words import Words


def encode(words: Path, *, texts: list[Path], targets: list[Path], language: str, max_length: int) -> None:
    """Encode each text: words separated by single spaces, one sentence a line.

    Sentences that are empty, or longer than `max_length` words, are dropped; how many goes to stderr.

    :param words: the folder that learn_words wrote
    :param texts: texts, one sentence a line
    :param targets: word files to write, one for each text
    :param max_length: longest sentence in words
    """
    if max_length < 1:
        raise InputError(f"max_length = {max_length}", fix="give at least 1")
    if len(texts) != len(targets):
        raise InputError(f"{len(texts)} texts but {len(targets)} targets", fix="give as many of each")
    model = Words.load(words)
    for text, target in zip(texts, targets, strict=True):
        _encode(model, text, target, language, max_length)


def _encode(model: Words, text: Path, target: Path, language: str, max_length: int) -> None:
    kept = empty = long = length = unknown = 0

    def sentences() -> Iterator[str]:
        nonlocal kept, empty, long, length, unknown
        for chunk in chunks(progress(lines(text), f"words {language} {text.name}"), 10_000):
            for sentence in model.encode(chunk, language):
                if not sentence:
                    empty += 1
                elif len(sentence) > max_length:
                    long += 1
                else:
                    kept += 1
                    length += len(sentence)
                    unknown += sentence.count(SPECIAL[UNKNOWN])
                    yield " ".join(sentence)

    write_lines(target, sentences())
    print(
        f"{target}: {kept} sentences of {length} words, of which {unknown} unknown;"
        f" dropped {empty} empty ones and {long} with more than {max_length} words",
        file=sys.stderr,
    )


if __name__ == "__main__":
    run(encode)
