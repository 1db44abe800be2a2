"""Dialogues of the demo world, on which systems are trained."""

from pathlib import Path

import pytest

from workflow_scripts.corpora.demo.dialogues import make_dialogues
from workflow_scripts.corpora.multiwoz22 import read_multiwoz22


def put_dialogues(folder: Path, count: int = 8) -> None:
    """Dialogues of the demo world to learn, and its databases."""
    sizes = {"dialogues_train": count, "dialogues_dev": 1, "dialogues_test": 1}
    make_dialogues(folder / "MultiWOZ", folder / "impolite.jsonl", seed=1, **sizes)
    new = folder / "MultiWOZ/data/MultiWOZ_2.2"
    read_multiwoz22(new, folder / "train.jsonl", fold="train", older=folder / "MultiWOZ/data.json")


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """The files of `put_dialogues`, by the options of commands."""
    folder = tmp_path_factory.mktemp("world")
    put_dialogues(folder)
    return {"dialogues": [folder / "train.jsonl"], "databases": sorted((folder / "MultiWOZ/db").iterdir())}
