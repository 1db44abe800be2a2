"""One text model for all tests of this stage."""

import pytest

from workflow_scripts.core.files import write_lines
from workflow_scripts.text.learn import learn
from workflow_scripts.text.pipeline import Pipeline

from .corpus import LINES

TAGS = ["<2formal>", "<2informal>"]


@pytest.fixture(scope="session")
def text_files(tmp_path_factory):
    """The corpus as one file per language."""
    folder = tmp_path_factory.mktemp("text")
    for language, lines in LINES.items():
        write_lines(folder / f"{language}.txt", lines)
    return {language: folder / f"{language}.txt" for language in LINES}


@pytest.fixture(scope="session")
def text_model(text_files, tmp_path_factory):
    """The folder that `learn` writes."""
    folder = tmp_path_factory.mktemp("models") / "text"
    learn(
        folder,
        texts=list(text_files.values()),
        languages=list(text_files),
        vocabulary_size=500,
        tags=TAGS,
        seed=1,
    )
    return folder


@pytest.fixture(scope="session")
def pipeline(text_model):
    """The loaded text model."""
    return Pipeline.load(text_model)
