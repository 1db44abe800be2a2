"""Training a bi-LSTM: its schedule, and the checkpoint that is kept."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors import safe_open

from tests.seq2seq.conftest import SETTINGS, call
from tests.seq2seq.reference import CPU, learn_by_heart
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.seq2seq.data import Pairs, Vocabulary
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining
from workflow_scripts.training import judged
from workflow_scripts.training.judged import summed
from workflow_scripts.training.state import TrainingState


def test_log_and_facts(data, whole, tmp_path):
    _, log = whole
    rows = [line.split("\t") for line in log.splitlines()]
    assert rows[0] == ["update", "epoch", "learning_rate", "train_perplexity", "dev_perplexity"]
    assert [row[0] for row in rows[1:]] == ["10", "20", "30", "40", "50", "60"]
    assert float(rows[1][1]) == pytest.approx(10 / 13, abs=1e-5)
    # 23 to 38 after the first 10 updates, with twenty seeds; who knows nothing has 35.
    assert float(rows[-1][4]) < float(rows[1][4]) < 60
    (tmp_path / "model").write_bytes(whole[0])
    model, facts = Model.read(tmp_path / "model")
    assert facts["vocabulary"] == digest(data / "vocabulary.txt")
    assert 0.5 < facts["length_ratio"] < 1
    assert facts["length_ratio_deviation"] > 0
    assert facts["dev_perplexity"] == pytest.approx(min(float(row[4]) for row in rows[1:]), rel=1e-5)
    assert {name: facts[name] for name in ("seed", "device", "precision")} == {
        "seed": 1,
        "device": "cpu",
        "precision": "float32",
    }
    assert model.sizes.vocabulary == 35
    with safe_open(tmp_path / "model", "pt") as file:
        assert all(isinstance(value, str) for value in file.metadata().values())


def test_seed_and_dropout_matter(data, whole, tmp_path):
    for name, value in (("seed", 2), ("dropout", 0.0), ("precision", "bf16")):
        _, log = call(data, tmp_path / name, **{name: value}, max_updates=10)
        assert log.splitlines()[0] == whole[1].splitlines()[0]
        assert log.splitlines()[1] != whole[1].splitlines()[1]


def test_the_rate_falls_on_plateaus_and_training_stops(data, tmp_path):
    changed = {"learning_rate": 1e-9, "reduce_factor": 0.25, "gradient_clip": 1e-30}
    _, log = call(data, tmp_path, **changed)
    # With gradients clipped to nothing no checkpoint is better than the first.
    rows = [line.split("\t") for line in log.splitlines()[1:]]
    assert [row[0] for row in rows] == ["10", "20", "30", "40", "50"]
    assert [float(row[2]) for row in rows] == [1e-9, 1e-9, 1e-9, 0.25e-9, 0.25e-9]
    _, facts = Model.read(tmp_path / "model.safetensors")
    assert facts["update"] == 10


@pytest.mark.slow
def test_the_best_checkpoint_is_kept_not_the_last(data, tmp_path):
    def perplexities(out, max_updates):
        settings = {"learning_rate": 0.2, "dropout": 0.0, "stop_after": 12}
        _, log = call(data, out, **settings, max_updates=max_updates)
        return [float(line.split("\t")[4]) for line in log.splitlines()[1:]]

    # At this rate some look at the dev set is worse than one before it; which one depends on the processor.
    found = perplexities(tmp_path / "long", 60)
    last = max(look for look in range(1, len(found)) if found[look] > min(found[:look]))
    assert perplexities(tmp_path / "short", 10 * (last + 1)) == found[: last + 1]
    _, facts = Model.read(tmp_path / "short" / "model.safetensors")
    assert facts["update"] == 10 * (found[: last + 1].index(min(found[: last + 1])) + 1) < 10 * (last + 1)


def test_max_updates_off_the_beat_still_ends_with_a_checkpoint(data, tmp_path):
    _, log = call(data, tmp_path, max_updates=17)
    assert [line.split("\t")[0] for line in log.splitlines()[1:]] == ["10", "17"]


@pytest.mark.slow
def test_the_checkpoint_of_the_best_dev_bleu_is_kept(data, tmp_path):
    # Longer than it takes to over-fit: the lowest perplexity comes first.
    changed = {"learning_rate": 0.03, "dropout": 0.0, "stop_after": 8, "max_updates": 100}
    _, log = call(data, tmp_path, **changed, select="bleu")
    head, *rows = [line.split("\t") for line in log.splitlines()]
    assert head[-1] == "dev_bleu"
    scores = {int(row[0]): float(row[-1]) for row in rows}
    perplexities = {int(row[0]): float(row[4]) for row in rows}
    _, facts = Model.read(tmp_path / "model.safetensors")
    # The first of the best.
    assert facts["update"] == max(scores, key=scores.__getitem__)
    assert facts["dev_perplexity"] == pytest.approx(perplexities[facts["update"]], rel=1e-5)
    assert max(scores.values()) > 0
    # Everything but the choice is the same.
    _, other = call(data, tmp_path / "perplexity", **changed)
    assert [line.split("\t")[:5] for line in log.splitlines()] == [
        line.split("\t") for line in other.splitlines()
    ]
    assert Model.read(tmp_path / "perplexity/model.safetensors")[1]["update"] == min(
        perplexities, key=perplexities.__getitem__
    )


@pytest.mark.slow
def test_dev_bleu_is_that_of_decoded_sentences(data):
    """100 for a model that has learnt the dev pairs by heart, by sacrebleu's own score."""
    training = training_of(data, size=16, dropout=0.0, learning_rate=0.02, max_updates=10_000)
    symbols = Vocabulary.read(data / "vocabulary.txt")
    training.pairs = training.dev = Pairs.read(symbols, data / "dev.source", data / "dev.target")
    assert training.bleu() < 50
    learn_by_heart(training)
    assert training.bleu() == pytest.approx(100)


def test_diverged_training_is_an_input_error(data, tmp_path):
    with pytest.raises(InputError, match="diverged"):
        call(data, tmp_path, learning_rate=1e38)


def test_a_training_without_any_finite_loss_goes_on_too(data, tmp_path, capsys):
    states = TrainingState(tmp_path, {})
    for _ in range(2):
        with pytest.raises(InputError, match="diverged"):
            training_of(data, learning_rate=1e38, max_updates=20).run(states)
    told = capsys.readouterr().err
    assert "going on after update 20\n" in told and "ignored" not in told


def training_of(data, size=8, **changed):
    symbols = Vocabulary.read(data / "vocabulary.txt")
    pairs = Pairs.read(symbols, data / "train.source", data / "train.target")
    model = Model(Sizes(len(symbols), size, size, size))
    model.initialise(torch.Generator().manual_seed(1))
    schedule = Schedule.of({**SETTINGS, "evaluate_every": SETTINGS["checkpoint_every"], **changed})
    return TranslatorTraining(model, pairs, pairs, schedule, torch.device("cpu"), torch.float32)


def test_every_update_has_dropout_of_its_own(data):
    training = training_of(data, learning_rate=0.0)
    which = np.arange(8)
    losses = [training.step(which).item() for _ in range(3)]
    assert len(set(losses)) == 3
    training.update = 0
    assert training.step(which).item() == losses[0]


def test_every_epoch_has_an_order_of_its_own(data):
    training = training_of(data)
    first, second, again = (np.concatenate(training._batches(epoch)).tolist() for epoch in (0, 1, 0))
    assert sorted(first) == sorted(second) == list(range(100))
    assert first == again != second
    # Those of the epoch that is under way are made once.
    assert training.batches(1) is training.batches(1) is not training.batches(0)


def test_the_rate_falls_again_and_again_on_one_plateau(data):
    training = training_of(data, learning_rate=0.01, reduce_after=2, reduce_factor=0.5, stop_after=9)
    rates = []
    for dev in (5.0, *[6.0] * 6):
        training._judge(dev)
        rates.append(training.rate)
    assert rates == [0.01, 0.01, 0.005, 0.005, 0.0025, 0.0025, 0.00125]
    assert not training.is_over()
    training.to_next_look()
    assert {group["lr"] for group in training.optimizer.param_groups} == {0.00125}


def test_a_long_way_to_the_next_evaluation_is_told(data, monkeypatch, capsys):
    training = training_of(data, evaluate_every=5, max_updates=5)
    # Whoever asks for the time finds that six seconds have passed: every second update is told.
    seconds = iter(range(60, 1000, 6))
    monkeypatch.setattr(judged, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    words = np.cumsum([training.pairs.target.predictions(which) for which in training._batches(0)[:5]])
    capsys.readouterr()
    training.to_next_look()
    *told, last = capsys.readouterr().err.splitlines()
    # Asked at the start, after each update, and again for each line and at the end.
    assert told == [
        f"update 2: {words[1] / 18:,.0f} target tokens/s",
        f"update 4: {words[3] / 36:,.0f} target tokens/s",
    ]
    assert last.startswith("update 5: perplexity ") and last.endswith(f"{words[4] / 48:,.0f} target tokens/s")


def test_losses_are_added_up_in_float64(data):
    many = [torch.tensor(2.0**24), *[torch.tensor(1.0)] * 3]
    assert summed(many) == 2**24 + 3
    training = training_of(data)
    batches = training.dev.batches(8, None)
    with torch.no_grad():
        losses = [
            training.model.loss(training.dev.batch(which, CPU), torch.float32, Dropout())
            * training.dev.target.predictions(which)
            for which in batches
        ]
    total = sum(map(torch.Tensor.item, losses))
    words = training.dev.target.predictions(np.arange(100))
    assert training.perplexity(training.dev) == pytest.approx(math.exp(total / words), rel=1e-12)


@pytest.mark.parametrize(
    "change",
    [
        lambda tensors, scalars: tensors.pop("best.embedding"),
        lambda tensors, scalars: tensors.update({"best.old": tensors["best.embedding"].clone()}),
        lambda tensors, scalars: tensors.update({"best.embedding": tensors["best.embedding"][:1].clone()}),
        lambda tensors, scalars: tensors.update({"best.embedding": tensors["best.embedding"].double()}),
        lambda tensors, scalars: scalars.update(rows={}),
        None,
    ],
)
def test_a_state_without_such_a_best_model_or_rows_counts_as_none(data, tmp_path, capsys, change):
    states = TrainingState(tmp_path, {})
    training_of(data, max_updates=10).run(states)
    if change:
        state = states.newest(lambda *_: True)
        change(*state)
        states.save(10, *state)
    capsys.readouterr()
    training_of(data, max_updates=10).run(states)
    told = capsys.readouterr().err
    assert ("going on after update 10" in told) == (change is None)
    assert ("000000010: does not fit this training, ignored" in told) == (change is not None)
