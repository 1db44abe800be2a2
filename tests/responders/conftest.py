"""Dialogues of the demo world, on which systems are trained."""

import pytest

from workflow_scripts.corpora.demo.dialogues import make_dialogues
from workflow_scripts.corpora.multiwoz22 import read_multiwoz22


@pytest.fixture(scope="session")
def world(tmp_path_factory):
    """Eight dialogues of the demo world."""
    folder = tmp_path_factory.mktemp("world")
    sizes = {"dialogues_train": 8, "dialogues_dev": 1, "dialogues_test": 1}
    make_dialogues(folder / "MultiWOZ", folder / "impolite.jsonl", seed=1, **sizes)
    new = folder / "MultiWOZ/data/MultiWOZ_2.2"
    read_multiwoz22(new, folder / "train.jsonl", fold="train", older=folder / "MultiWOZ/data.json")
    databases = sorted((folder / "MultiWOZ/db").iterdir())
    return {"dialogues": [folder / "train.jsonl"], "databases": databases}
