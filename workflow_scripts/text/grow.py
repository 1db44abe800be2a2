"""Command: add languages to a text model, so that a model of the old vocabulary can be trained further."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import writing_folder
from workflow_scripts.core.temporary import scratch
from workflow_scripts.text.learning import Tokens
from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.text.subwords import Subwords


def grow(
    old: Path, new: Path, *, texts: list[Path], languages: list[str], vocabulary_size: int, seed: int
) -> None:
    """Give a text model further languages (the English side of MULTI-TASK TAG-STYLE; XFORMAL, Section 5.1).

    Each new language gets its own truecaser and BPE. Pieces that the old vocabulary lacks are appended to it,
    so that ids, and rows of embeddings, do not change. The old languages are split exactly as before. A file
    named twice with the same language counts once; the order of the files does not matter.

    :param old: the text model to start from, of text.learn or of text.grow
    :param new: the text model to write: the files of `old` with a longer vocabulary.txt, and for each new
        language subwords.<language>.model and truecase.<language>.txt
    :param texts: texts of the new languages, one sentence a line, possibly .gz
    :param languages: the language of each file of `texts`
    :param vocabulary_size: most symbols of each new BPE; 4 of them are special and 256 are bytes
    :param seed: seed of the subword learner
    """
    known = Pipeline.load(old)
    for language in languages:
        if language in known.languages:
            raise InputError(f"the text model already has '{language}'", path=old, fix="give new languages")
    new.parent.mkdir(parents=True, exist_ok=True)
    with scratch(new) as folder:
        tokens = Tokens(texts, languages, folder)
        subwords = {}
        for language in tokens.files:
            print(f"learning {vocabulary_size} subwords of {language}", file=sys.stderr)
            # The tags are reserved here too, so that no text is split into one.
            with about(*texts):
                subwords[language] = Subwords.train(tokens.lines(language), vocabulary_size, known.tags, seed)
    grown = known.grown(subwords, tokens.truecasers)
    with writing_folder(new) as part:
        grown.save(part)
    print(f"{new}: {len(grown.vocabulary)} symbols, {len(known.vocabulary)} of them old", file=sys.stderr)


if __name__ == "__main__":
    run(grow)
