"""Command: learn the word-level text model of the unsupervised systems: truecasing and a vocabulary."""

import sys
from collections import Counter
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines, writing_folder
from workflow_scripts.core.temporary import scratch
from workflow_scripts.text.learning import Tokens
from workflow_scripts.text.symbols import SPECIAL


def learn_words(folder: Path, *, texts: list[Path], languages: list[str], max_words: int) -> None:
    """Learn truecasing and the vocabulary from the training text of both styles (He et al., 2020).

    A file that is named twice with the same language counts once; the order of the files changes nothing.
    Only one count per distinct word is in memory, and no text.

    :param folder: the text model to write: vocabulary.txt, truecase.<language>.txt
    :param texts: training text of both styles, one sentence a line
    :param languages: the language of each file of `texts`
    :param max_words: at most so many words, the most frequent ones; the four special symbols come on top
    """
    if max_words < 1:
        raise InputError(f"max_words = {max_words}", fix="give at least 1")
    folder.parent.mkdir(parents=True, exist_ok=True)
    counts: Counter[str] = Counter()
    with scratch(folder) as place:
        tokens = Tokens(texts, languages, place)
        for line in tokens.lines(*tokens.files):
            counts.update(line.split(" "))
    if not counts:
        raise InputError("no word in the texts", path=texts[0], fix="give files with sentences")
    words = sorted(counts, key=lambda word: (-counts[word], word))[:max_words]
    with writing_folder(folder) as part:
        write_lines(part / "vocabulary.txt", [*SPECIAL, *words])
        for language, truecaser in tokens.truecasers.items():
            truecaser.save(part / f"truecase.{language}.txt")
    covered = sum(counts[word] for word in words) / counts.total()
    print(
        f"{folder}: {len(words)} of {len(counts)} words, {covered:.2%} of the text's {counts.total()}",
        file=sys.stderr,
    )


if __name__ == "__main__":
    run(learn_words)
