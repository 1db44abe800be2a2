"""Command: read one genre of the formality ratings of Pavlick and Tetreault (2016), and hold out a part."""

import random
import re
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines
from workflow_scripts.corpora.released_text import BYTE_ORDER_MARK
from workflow_scripts.text.folding import folded
from workflow_scripts.text.light_nltk import light_nltk

LOWEST, HIGHEST = -3.0, 3.0
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")
BRACKETS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}"}


def read_pt16(file: Path, out: Path, *, held_out: int, seed: int) -> None:
    """Write ``{train,test}.sentences.txt`` and ``{train,test}.scores.txt``, parallel, in the file's order.

    A score is the mean of a sentence's ratings, from -3 (informal) to 3 (formal); the Penn Treebank
    tokenisation is undone. Sentences that differ only in case and spaces stay on one side. Raises
    InputError for a rating that is not a number from -3 to 3, an empty sentence, and too few sentences.

    :param file: tab-separated: mean, comma-separated ratings, id, tokenised sentence
    :param out: folder of the canonical layout
    :param held_out: number of sentences in the test part
    """
    rated = [
        _parse(file, number, line if number > 1 else line.removeprefix(BYTE_ORDER_MARK))
        for number, line in enumerate(lines(file), 1)
    ]
    if not 0 <= held_out < len(rated):
        raise InputError(f"{len(rated)} sentences, too few to hold out {held_out}", path=file)
    test = _choose(file, [sentence for _, sentence in rated], held_out, seed)
    for part, chosen in (("train", False), ("test", True)):
        rows = [row for number, row in enumerate(rated) if (number in test) is chosen]
        write_lines(out / f"{part}.sentences.txt", (sentence for _, sentence in rows))
        write_lines(out / f"{part}.scores.txt", (f"{score:.6f}" for score, _ in rows))


def _parse(file: Path, number: int, line: str) -> tuple[float, str]:
    fields = line.split("\t")
    if len(fields) != 4:
        raise InputError(
            f"{len(fields)} tab-separated fields instead of 4 (mean, ratings, id, sentence)",
            path=file,
            line=number,
        )
    mean, ratings, _, sentence = fields
    # A few sentences of the real corpus have fewer than five ratings, and two have only a mean.
    scores = [_rating(file, number, text) for text in [mean, *filter(None, ratings.split(","))]]
    if not sentence.strip():
        raise InputError("no sentence", path=file, line=number)
    return scores[0], detokenise(sentence)


def _rating(file: Path, number: int, text: str) -> float:
    shown = text if len(text) <= 40 else text[:40] + "..."
    if not NUMBER.fullmatch(text):
        raise InputError(f"rating {shown!r} is not a number", path=file, line=number)
    value = float(text)
    if not LOWEST <= value <= HIGHEST:
        raise InputError(f"rating {shown} is not between {LOWEST:g} and {HIGHEST:g}", path=file, line=number)
    return value


def _choose(file: Path, sentences: list[str], size: int, seed: int) -> set[int]:
    """The numbers of `size` random sentences; equal ones are drawn together."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number, sentence in enumerate(sentences):
        groups[folded(sentence)].append(number)
    order = list(groups.values())
    random.Random(f"pt16 {seed}").shuffle(order)
    chosen: set[int] = set()
    for group in order:
        if len(chosen) + len(group) <= size:
            chosen.update(group)
    if len(chosen) != size:
        raise InputError(f"cannot hold out {size} sentences without separating equal ones", path=file)
    return chosen


def detokenise(sentence: str) -> str:
    """Undo the Penn Treebank tokenisation of one English sentence: "I 'm n't `` here ''" and brackets."""
    words = [BRACKETS.get(word, word) for word in sentence.split()]
    text = _detokenizer()(words)
    # NLTK joins an ellipsis with both neighbours; writers join it with the word before.
    text = re.sub(r"(?<=\w)(\.\.\.+)(?=\w)", r"\1 ", text)
    return " ".join(text.split())


@cache
def _detokenizer() -> Callable[[list[str]], str]:
    light_nltk()
    from nltk.tokenize.treebank import TreebankWordDetokenizer

    return TreebankWordDetokenizer().detokenize


if __name__ == "__main__":
    run(read_pt16)
