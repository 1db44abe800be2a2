"""On a GPU the same numbers as on a CPU, but for rounding."""

import numpy as np
import pytest
import torch

from tests.seq2seq.reference import random_model, random_pairs, sentences
from tests.seq2seq.test_search import copies, trained  # noqa: F401
from workflow_scripts.seq2seq.device import prepare
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.seq2seq.search import Search
from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining
from workflow_scripts.training.state import TrainingState

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
SIZES = Sizes(200, 64, 64, 64)


@pytest.fixture(scope="module")
def cuda():
    return prepare("cuda", "float32", 1).device


def gradients(device, dtype):
    model = random_model(1, SIZES).to(device)
    pairs = random_pairs(2, 30, 200, longest=20)
    loss = model.loss(pairs.batch(np.arange(30), device), dtype, Dropout())
    loss.backward()
    return loss.item(), {name: parameter.grad.cpu() for name, parameter in model.named_parameters()}


def test_loss_and_gradients_on_a_gpu(cuda):
    loss, expected = gradients(torch.device("cpu"), torch.float32)
    for dtype, tolerance in ((torch.float32, 1e-3), (torch.bfloat16, 0.1)):
        ours, found = gradients(cuda, dtype)
        assert ours == pytest.approx(loss, rel=tolerance / 10)
        for name, gradient in expected.items():
            error = (found[name] - gradient).norm() / gradient.norm()
            assert error < tolerance, (name, dtype, error)


@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("beam", [1, 5])
def test_search_on_a_gpu(cuda, trained, members, beam):  # noqa: F811
    sources = sentences(random_pairs(3, 60, 45, longest=12).source)
    found = []
    for device in (torch.device("cpu"), cuda):
        models = []
        for _ in range(members):
            model = Model(trained.sizes)
            model.load_state_dict(trained.state_dict())
            models.append(model)
        settings = {"beam_size": beam, "length_penalty": 1.0, "max_ratio": 1.5, "dtype": torch.float32}
        found.append(Search(models, device=device, **settings)(sources, 16))
    assert [one.ids for one in found[0]] == [one.ids for one in found[1]]
    assert [one.score for one in found[0]] == pytest.approx([one.score for one in found[1]], abs=1e-4)


def test_training_on_a_gpu_learns_and_repeats_itself(cuda, tmp_path):
    pairs = random_pairs(4, 100, 200)
    schedule = Schedule(
        seed=1,
        dropout=0.2,
        learning_rate=0.01,
        batch_size=16,
        evaluate_every=20,
        reduce_after=3,
        reduce_factor=0.5,
        stop_after=8,
        max_updates=60,
        gradient_clip=1.0,
    )
    logs, weights = [], []
    for run in range(2):
        training = TranslatorTraining(random_model(1, SIZES), pairs, pairs, schedule, cuda, torch.float32)
        weights.append(training.run(TrainingState(tmp_path / str(run), {})).combine)
        logs.append([row["dev_perplexity"] for row in training.rows])
    assert logs[0][-1] < logs[0][0]
    assert logs[0] == logs[1]
    assert torch.equal(*weights)
