"""A bi-LSTM that is trained in a second, and fine-tuned."""

import pytest

from tests.seq2seq.reference import put_backwards
from tests.training.small import LOGGED, Small
from workflow_scripts.config.translators import Seq2Seq
from workflow_scripts.seq2seq.train import train
from workflow_scripts.seq2seq.updates import TranslatorTraining

SETTINGS = {
    "seed": 1,
    "embedding": 16,
    "hidden": 16,
    "attention": 16,
    "dropout": 0.2,
    "learning_rate": 0.01,
    "batch_size": 8,
    "checkpoint_every": 10,
    "reduce_after": 2,
    "reduce_factor": 0.5,
    "stop_after": 4,
    "max_updates": 60,
    "gradient_clip": 1.0,
    "select": "perplexity",
    "first_weights": "wide",
    "precision": "float32",
    "device": "cpu",
    "threads": 1,
}
FILES = {
    "vocabulary": "vocabulary.txt",
    **{"source": "train.source", "target": "train.target"},
    **{"dev_source": "dev.source", "dev_target": "dev.target"},
}
call = Small(train, TranslatorTraining, FILES, SETTINGS, {"settings": Seq2Seq}, LOGGED)


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """A vocabulary and piece files in which the target is the source backwards."""
    folder = tmp_path_factory.mktemp("data")
    put_backwards(folder, "<2formal> ")
    return folder


@pytest.fixture(scope="session")
def whole(data, tmp_path_factory):
    return call(data, tmp_path_factory.mktemp("whole"))
