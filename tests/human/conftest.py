"""A small evaluation: four sentences, three systems, two of which often write the same."""

import pytest

from tests.papers.conftest import every_leaf_is_as_documented
from workflow_scripts.core.files import write_lines
from workflow_scripts.human.sheets import read_items, read_key
from workflow_scripts.human.tasks import tasks

__all__ = ["every_leaf_is_as_documented"]
INFORMAL = ["salut ça va??", "ouais jsuis là", "trop bien ce film!!", "a plus"]
FORMAL = ["Bonjour.", "Je suis présent.", "Ce film est excellent.", "Au revoir."]
OUTPUTS = {
    # The first sentence as a person would write it, the last unchanged.
    "rules": ["Bonjour.", "Ouais je suis là", "Trop bien ce film!", "a plus"],
    "tag": ["Salut, ça va ?", "Je suis là.", "Ce film est très bien.", "a plus"],
    "multi": ["Salut, ça va ?", "Oui, je suis là.", "Ce film, </script> est bien.", "a plus"],
}


@pytest.fixture
def texts(tmp_path):
    """What `tasks` reads; the second reference set ends in an exclamation mark."""
    write_lines(tmp_path / "informal.txt", INFORMAL)
    write_lines(tmp_path / "ref0.txt", FORMAL)
    write_lines(tmp_path / "ref1.txt", [text.removesuffix(".") + " !" for text in FORMAL])
    for name, lines in OUTPUTS.items():
        write_lines(tmp_path / f"{name}.txt", lines)
    return {
        "language": "fr",
        "informal": tmp_path / "informal.txt",
        "references": [tmp_path / "ref0.txt", tmp_path / "ref1.txt"],
        "systems": list(OUTPUTS),
        "outputs": [tmp_path / f"{name}.txt" for name in OUTPUTS],
        "gold": "gold",
        "copy": "copy",
        "sentences": 4,
        "batch_sentences": 2,
        "seed": 1,
    }


@pytest.fixture
def made(tmp_path, texts):
    """The items and the key of all four sentences, from sheet.csv and key.csv."""
    tasks(tmp_path / "sheet.csv", tmp_path / "key.csv", **texts)
    return read_items(tmp_path / "sheet.csv"), read_key(tmp_path / "key.csv")
