"""A bi-LSTM that is trained in a second, and fine-tuned."""

import pytest

from tests.killing import sectioned
from tests.seq2seq.reference import put_backwards
from workflow_scripts.config.translators import Seq2Seq
from workflow_scripts.seq2seq.train import train

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


def inputs(data):
    files = ("vocabulary.txt", "train.source", "train.target", "dev.source", "dev.target")
    return [data / name for name in files]


def call(data, out, **changed):
    out.mkdir(exist_ok=True)
    options = sectioned({**SETTINGS, "checkpoints": out / "states", **changed}, settings=Seq2Seq)
    train(*inputs(data), out / "model.safetensors", out / "log.tsv", **options)
    return (out / "model.safetensors").read_bytes(), (out / "log.tsv").read_text()


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """A vocabulary and piece files in which the target is the source backwards."""
    folder = tmp_path_factory.mktemp("data")
    put_backwards(folder, "<2formal> ")
    return folder


@pytest.fixture(scope="session")
def whole(data, tmp_path_factory):
    return call(data, tmp_path_factory.mktemp("whole"))
