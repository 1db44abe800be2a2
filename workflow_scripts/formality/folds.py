"""Command: divide rated sentences into folds for a cross-validation of the regressors."""

import random
from collections import defaultdict
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_parallel, write_lines
from workflow_scripts.text.folding import folded


def split(out: Path, *, sentences: list[Path], scores: list[Path], folds: int, seed: int) -> None:
    """Write ``{fold}/{train,test}.sentences.txt`` and ``{fold}/{train,test}.scores.txt``, folds from 1.

    Each sentence is in the test part of one fold and in the training parts of the others, in the order of the
    input. Sentences that differ only in case and spaces stay in one fold; without such sentences, sizes of
    folds differ by at most one. Raises InputError if there are too few.

    :param out: folder to write
    :param sentences: rated sentences, in one or more files
    :param scores: their ratings, parallel to them
    :param folds: number of folds, at least 2
    """
    if len(sentences) != len(scores):
        raise InputError(f"{len(sentences)} files of sentences but {len(scores)} of scores")
    rows = [
        row
        for pair in zip(sentences, scores, strict=True)
        for row in zip(*read_parallel(*pair, filled=True), strict=True)
    ]
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for number, (sentence, _) in enumerate(rows):
        groups[folded(sentence)].append(number)
    if not 2 <= folds <= len(groups):
        raise InputError(
            f"{len(groups)} different sentences cannot be divided into {folds} folds",
            path=", ".join(map(str, sentences)),
            fix="set formality.folds to at least 2 and at most their number",
        )
    order = list(groups.values())
    random.Random(f"folds {seed}").shuffle(order)
    for fold in range(folds):
        test = {number for group in order[fold::folds] for number in group}
        for part, inside in (("train", False), ("test", True)):
            chosen = [row for number, row in enumerate(rows) if (number in test) is inside]
            write_lines(out / str(fold + 1) / f"{part}.sentences.txt", (sentence for sentence, _ in chosen))
            write_lines(out / str(fold + 1) / f"{part}.scores.txt", (score for _, score in chosen))


if __name__ == "__main__":
    run(split)
