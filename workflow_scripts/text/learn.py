"""Command: learn the text model of a language (pair): truecasing per language, joint subwords, vocabulary."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import about
from workflow_scripts.core.files import writing_folder
from workflow_scripts.core.temporary import scratch
from workflow_scripts.text.learning import Tokens
from workflow_scripts.text.pipeline import Pipeline
from workflow_scripts.text.subwords import Subwords, check_tags


def learn(
    folder: Path, *, texts: list[Path], languages: list[str], vocabulary_size: int, tags: list[str], seed: int
) -> None:
    """Learn truecasing and joint BPE on all training sides (XFORMAL, Sections 5.1 and 5.2).

    A file named twice with the same language counts once; the order of the files does not matter.

    :param folder: the text model to write: vocabulary.txt, subwords.model, truecase.<language>.txt
    :param texts: training sides, one sentence a line
    :param languages: the language of each file of `texts`
    :param vocabulary_size: most symbols; 4 of them are special and 256 are bytes
    :param tags: symbols such as <2formal> to reserve; nothing is learnt about them
    :param seed: seed of the subword learner
    """
    check_tags(tags)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with scratch(folder) as scratch_folder:
        tokens = Tokens(texts, languages, scratch_folder)
        print(f"learning {vocabulary_size} subwords", file=sys.stderr)
        with about(*texts):
            subwords = Subwords.train(tokens.lines(*tokens.files), vocabulary_size, tags, seed)
    with writing_folder(folder) as part:
        Pipeline(subwords, tokens.truecasers).save(part)
    print(f"{folder}: {len(subwords.vocabulary)} symbols", file=sys.stderr)


if __name__ == "__main__":
    run(learn)
