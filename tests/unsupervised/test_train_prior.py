"""Training a prior: it learns, and its rate falls on plateaus."""

import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.small import Small
from workflow_scripts.config import sections
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.seq2seq.data import Sentences, Vocabulary, alike
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.unsupervised.prior import Prior, PriorSizes
from workflow_scripts.unsupervised.prior_updates import PriorSchedule, PriorTraining, columns, first_weights
from workflow_scripts.unsupervised.train_prior import train_prior
from workflow_scripts.unsupervised.words import read_sentences

SETTINGS = {
    "seed": 1,
    "embedding": 12,
    "hidden": 12,
    "dropout": 0.2,
    "learning_rate": 0.5,
    "batch_size": 8,
    "evaluate_every": 10,
    "reduce_after": 2,
    "reduce_factor": 0.5,
    "decays": 2,
    "max_updates": 60,
    "gradient_clip": 5.0,
    "precision": "float32",
    "device": "cpu",
    "threads": 1,
}


call = Small(
    train_prior,
    PriorTraining,
    {"vocabulary": "vocabulary.txt", "train": "train.words", "dev": "dev.words"},
    SETTINGS,
    {"settings": sections.Prior},
    {"model": "prior", "log": "log.tsv"},
)


def put_counting(folder: Path) -> None:
    """Sentences that count on from a random number: each word but the first and </s> is certain."""
    words = [f"w{n}" for n in range(20)]
    (folder / "vocabulary.txt").write_text(
        "".join(f"{w}\n" for w in ["<pad>", "<unk>", "<s>", "</s>", *words])
    )
    random = np.random.default_rng(1)
    for part, count in (("train", 100), ("dev", 20)):
        lines = []
        for _ in range(count):
            first, length = random.integers(20), random.integers(2, 9)
            lines.append(" ".join(words[(first + i) % 20] for i in range(length)))
        (folder / f"{part}.words").write_text("".join(f"{line}\n" for line in lines))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    put_counting(folder)
    return folder


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    return call(data, tmp_path_factory.mktemp("whole"))


def rows_of(log: str) -> list[dict[str, float]]:
    head, *rows = (line.split("\t") for line in log.splitlines())
    return [dict(zip(head, map(float, row), strict=True)) for row in rows]


def test_prior_log_and_facts(data, whole, tmp_path):
    content, log = whole
    assert log.splitlines()[0] == "update\tepoch\tlearning_rate\ttrain_loss\tdev_loss"
    rows = rows_of(log)
    assert [row["update"] for row in rows] == [10, 20, 30, 40, 50, 60]
    assert rows[0]["epoch"] == pytest.approx(10 / 13, abs=1e-5)
    assert rows[0]["train_loss"] < math.log(24) + 0.5
    (tmp_path / "prior").write_bytes(content)
    prior, facts = Prior.read(tmp_path / "prior")
    assert facts["vocabulary"] == digest(data / "vocabulary.txt")
    assert facts["dev_loss"] == pytest.approx(min(row["dev_loss"] for row in rows), rel=1e-5)
    assert (facts["device"], facts["precision"], facts["seed"]) == ("cpu", "float32", 1)
    assert prior.sizes == PriorSizes(24, 12, 12)


@pytest.mark.slow
def test_prior_learns(data, tmp_path):
    sizes = {"embedding": 16, "hidden": 32, "dropout": 0.0}
    changed = {**sizes, "learning_rate": 1.0, "max_updates": 600, "evaluate_every": 50}
    _, log = call(data, tmp_path, **changed)
    losses = [row["dev_loss"] for row in rows_of(log)]
    # What no model can know: the first of 20 words, and where a sentence of 2 to 8 words ends.
    lengths = [len(line.split()) for line in (data / "dev.words").read_text().splitlines()]
    entropy = len(lengths) * (math.log(20) + math.log(7)) / (sum(lengths) + len(lengths))
    # Whoever does not count on knows a third of it: the last loss is 1.4 to 1.5 times that with six seeds.
    assert 0.9 * entropy < losses[-1] < 2 * entropy < losses[0]
    prior, _ = Prior.read(tmp_path / "prior")
    ids = torch.tensor([[2, 2], [4, 4], [5, 9], [6, 6], [3, 3]])
    right, wrong = (prior.loss(ids[:, [i]], torch.float32, Dropout()).item() for i in (0, 1))
    assert wrong > right + 1


def test_prior_dev_loss_does_not_depend_on_batches(data, tmp_path):
    trainings = [training_of(data, batch_size=size) for size in (1, 7, 100)]
    losses = [training.loss(training.dev) for training in trainings]
    assert losses[1:] == pytest.approx([losses[0]] * 2, rel=1e-6)


def test_prior_options_matter(data, whole, tmp_path):
    changes = [
        {"seed": 2},
        {"dropout": 0.0},
        {"precision": "bf16"},
        {"gradient_clip": 0.1},
        {"batch_size": 9},
    ]
    for number, change in enumerate(changes):
        _, log = call(data, tmp_path / str(number), **change, max_updates=10)
        assert log.splitlines()[0] == whole[1].splitlines()[0]
        assert log.splitlines()[1] != whole[1].splitlines()[1]


def test_prior_rate_falls_on_plateaus_and_training_stops(data, tmp_path):
    # With gradients clipped to nothing no evaluation is better than the first.
    _, log = call(data, tmp_path, gradient_clip=1e-30, reduce_factor=0.25, max_updates=1000)
    rows = rows_of(log)
    assert [row["update"] for row in rows] == [10, 20, 30, 40, 50]
    assert [row["learning_rate"] for row in rows] == [0.5, 0.5, 0.5, 0.125, 0.125]
    _, facts = Prior.read(tmp_path / "prior")
    assert facts["update"] == 10


def test_prior_bad_evaluations_count_in_a_row(data):
    training = training_of(data, reduce_after=2, decays=9)
    for dev in (5.0, 6.0, 4.0, 4.0, 3.0, 7.0, 7.0, 7.0, 7.0):
        training._judge(dev)
    assert (training.best_loss, training.failures, training.reductions) == (3.0, 0, 2)
    assert training.rate == 0.5 * 0.5**2


@pytest.mark.slow
def test_the_best_prior_is_kept_not_the_last(data, tmp_path):
    # So few sentences are soon memorised.
    small = tmp_path / "data"
    small.mkdir()
    for path in call.files(data).values():
        lines = path.read_text().splitlines(keepends=True)
        (small / path.name).write_text("".join(lines if path.name == "vocabulary.txt" else lines[:8]))
    _, log = call(small, tmp_path / "out", dropout=0.0, max_updates=400, reduce_after=99)
    losses = [row["dev_loss"] for row in rows_of(log)]
    best = losses.index(min(losses))
    assert best < len(losses) - 1
    prior, facts = Prior.read(tmp_path / "out" / "prior")
    assert facts["update"] == 10 * (best + 1)
    training = training_of(small)
    training.model = prior
    assert training.loss(training.dev) == pytest.approx(losses[best], rel=1e-5)


def test_prior_max_updates_off_the_beat_still_ends_with_an_evaluation(data, tmp_path):
    _, log = call(data, tmp_path, max_updates=17)
    assert [row["update"] for row in rows_of(log)] == [10, 17]


def test_prior_bad_input(data, tmp_path):
    with pytest.raises(InputError, match="diverged"):
        call(data, tmp_path / "a", learning_rate=1e38)
    other = tmp_path / "other"
    other.mkdir()
    for path in call.files(data).values():
        (other / path.name).write_bytes(path.read_bytes())
    (other / "train.words").write_text("w1 w2\nw1 w99\n")
    with pytest.raises(InputError, match=r"train\.words:2: the piece 'w99'"):
        call(other, tmp_path / "c")
    (other / "train.words").unlink()
    with pytest.raises(InputError, match=r"train\.words: no such file"):
        call(other, tmp_path / "d")


def training_of(data: Path, **changed: object) -> PriorTraining:
    symbols = Vocabulary.read(data / "vocabulary.txt")
    prior = first_weights(Prior(PriorSizes(len(symbols), 8, 8)), 1)
    schedule = PriorSchedule.of({**SETTINGS, **changed})
    files = (read_sentences(symbols, data / f"{part}.words") for part in ("train", "dev"))
    return PriorTraining(prior, *files, schedule, torch.device("cpu"), torch.float32)


def test_every_update_of_a_prior_has_dropout_of_its_own(data):
    training = training_of(data, gradient_clip=0.0)
    losses = [training.step(np.arange(8)).item() for _ in range(3)]
    assert len(set(losses)) == 3
    training.update = 0
    assert training.step(np.arange(8)).item() == losses[0]


def test_prior_update_is_clipped_sgd_on_the_loss_of_a_sentence(data):
    which = np.array([3, 1, 4, 15])
    for clip in (1e9, 0.5):
        training = training_of(data, dropout=0.0, gradient_clip=clip, learning_rate=0.25)
        before = [parameter.detach().clone() for parameter in training.model.parameters()]
        total = sum(
            training.model.loss(columns(training.texts, np.array([i])), torch.float32, Dropout())
            * (training.texts.lengths[i] + 1)
            for i in which
        )
        gradients = torch.autograd.grad(total / 4, list(training.model.parameters()))
        norm = math.sqrt(sum((g**2).sum().item() for g in gradients))
        assert norm > 0.6
        scale = min(1.0, clip / norm)
        assert training.step(which).item() == pytest.approx(total.item(), rel=1e-5)
        for old, new, gradient in zip(before, training.model.parameters(), gradients, strict=True):
            torch.testing.assert_close(new, old - 0.25 * scale * gradient, rtol=1e-4, atol=1e-6)


@given(
    st.lists(st.integers(1, 6), min_size=1, max_size=40),
    st.integers(1, 9),
    st.none() | st.integers(0, 9).map(lambda n: [1, 2, n]),
)
def test_prior_batches_hold_each_sentence_once(lengths, size, seed):
    sentences = Sentences.of([[9] * length for length in lengths])
    found = alike((sentences.lengths,), size, seed)
    assert sorted(i for which in found for i in which) == list(range(len(lengths)))
    assert sorted(len(which) for which in found)[1:] == [size] * (len(found) - 1)
    # No batch reaches into the lengths of another one, but for a common length.
    spans = sorted((min(lengths[i] for i in which), max(lengths[i] for i in which)) for which in found)
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
    again = alike((sentences.lengths,), size, seed)
    assert all(np.array_equal(one, two) for one, two in zip(found, again, strict=True))


def test_prior_columns():
    sentences = Sentences.of([[5, 6], [7], [8, 9, 4]])
    ids = columns(sentences, np.array([2, 1]))
    assert ids.tolist() == [[2, 2], [8, 7], [9, 3], [4, 0], [3, 0]]
