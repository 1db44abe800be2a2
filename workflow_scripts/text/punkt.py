"""Command: learn where sentences of a language end."""

from __future__ import annotations

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import lines, progress
from workflow_scripts.text import sentences


def learn_punkt(folder: Path, *, texts: list[Path]) -> None:
    """Train a Punkt sentence splitter on text files of one language (XFORMAL, Section 3).

    :param folder: the model to write, in NLTK's punkt_tab layout
    :param texts: plain text files, one sentence or paragraph a line, possibly .gz
    """
    stream = (line for path in texts for line in lines(path))
    sentences.train(progress(stream, f"Punkt {folder.name}"), folder)


if __name__ == "__main__":
    run(learn_punkt)
