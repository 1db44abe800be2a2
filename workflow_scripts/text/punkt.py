"""Command: learn the sentence boundaries of a language."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import about
from workflow_scripts.core.files import lines, progress
from workflow_scripts.text import sentences
from workflow_scripts.text.blank import filled


def learn_punkt(folder: Path, *, texts: list[Path]) -> None:
    """Train a Punkt sentence splitter on text files of one language (XFORMAL, Section 3).

    Lines without a word are left out, and stderr says how many there are.

    :param folder: the model to write, in NLTK's punkt_tab layout
    :param texts: plain text files, one sentence or paragraph a line, possibly .gz
    """
    read = ((progress(lines(path), f"Punkt {folder.name} {path.name}"), path) for path in texts)
    with about(*texts):
        sentences.train((line for stream, path in read for line in filled(stream, path)), folder)


if __name__ == "__main__":
    run(learn_punkt)
