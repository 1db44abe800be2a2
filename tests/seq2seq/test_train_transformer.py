"""Training a Transformer: each option of the schedule, and tuning without dev pairs."""

import copy
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.seq2seq.conftest import FILES
from tests.seq2seq.reference import (
    CPU,
    learn_by_heart,
    put_backwards,
    random_model,
    random_pairs,
    random_transformer,
    random_translators,
)
from tests.training.small import LOGGED, Small
from workflow_scripts.config.translators import SsruTransformer
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.seq2seq.data import Pairs, Vocabulary
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.seeds import DROPOUT, seed_of
from workflow_scripts.seq2seq.train_transformer import train_transformer
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.seq2seq.translator import Translator
from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining
from workflow_scripts.training.state import TrainingState

SETTINGS = {
    "seed": 1,
    "units": 16,
    "heads": 2,
    "feed_forward": 32,
    "encoder_layers": 2,
    "decoder_layers": 1,
    "dropout": 0.1,
    "label_smoothing": 0.1,
    "learning_rate": 0.01,
    "warmup_updates": 8,
    "batch_size": 50,
    "accumulate": 2,
    "checkpoint_every": 10,
    "reduce_after": 1,
    "reduce_factor": 0.5,
    "stop_after": 4,
    "stop_gain": 0.001,
    "average": 3,
    "max_updates": 60,
    "epochs": 0,
    "precision": "float32",
    "device": "cpu",
    "threads": 1,
}
UNJUDGED = {"dev_source": None, "dev_target": None}
call = Small(train_transformer, TranslatorTraining, FILES, SETTINGS, {"settings": SsruTransformer}, LOGGED)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    put_backwards(folder)
    return folder


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    return call(data, tmp_path_factory.mktemp("whole"))


def rows_of(log):
    return [[float(cell) for cell in line.split("\t")] for line in log.splitlines()[1:]]


@pytest.mark.slow
def test_other_settings_give_another_training(data, whole, tmp_path):
    for name, changed in (
        ("seed", {"seed": 2}),
        ("smoothing", {"label_smoothing": 0.0}),
        ("dropout", {"dropout": 0.0}),
        ("accumulate", {"accumulate": 1}),
    ):
        log = call(data, tmp_path / name, **changed, max_updates=10)[1]
        assert log.splitlines()[0] == whole[1].splitlines()[0]
        assert log.splitlines()[1] != whole[1].splitlines()[1]


@pytest.mark.slow
def test_log_and_facts(data, whole, tmp_path):
    rows = rows_of(whole[1])
    assert [row[0] for row in rows] == [10, 20, 30, 40, 50, 60]
    assert rows[-1][4] < rows[0][4]
    (tmp_path / "model").write_bytes(whole[0])
    model, facts = Transformer.read(tmp_path / "model")
    assert model.sizes == TransformerSizes(34, 16, 2, 32, 2, 1)
    assert facts["vocabulary"] == digest(data / "vocabulary.txt")
    # As many words on both sides, and </s> on both.
    assert (facts["length_ratio"], facts["length_ratio_deviation"]) == (1.0, 0.0)
    best = sorted(rows, key=lambda row: (row[4], row[0]))[:3]
    assert facts["updates"] == sorted(row[0] for row in best)


@pytest.mark.slow
def test_diverged_training_is_an_input_error(data, tmp_path):
    for name, changed in (("dev", {}), ("none", {**UNJUDGED, "epochs": 2})):
        with pytest.raises(InputError, match="diverged"):
            call(data, tmp_path / name, learning_rate=1e38, warmup_updates=0, **changed)


@pytest.mark.slow
def test_without_dev_pairs_the_model_is_that_of_the_last_update(data, whole, tmp_path):
    (tmp_path / "old").write_bytes(whole[0])
    tuning = {
        **UNJUDGED,
        "epochs": 1,
        "warmup_updates": 0,
        "learning_rate": 0.0002,
        "initial": tmp_path / "old",
    }
    _, log = call(data, tmp_path / "tuned", **tuning, checkpoint_every=3, average=1)
    rows = rows_of(log)
    assert rows[-1][1] == 1.0 and [row[0] for row in rows[:2]] == [3, 6]
    assert {row[2] for row in rows} == {0.0002}
    assert all(math.isnan(row[4]) for row in rows)
    model, facts = Transformer.read(tmp_path / "tuned" / "model.safetensors")
    assert facts["updates"] == [rows[-1][0]]
    # The same without looking on the way.
    call(data, tmp_path / "once", **tuning, checkpoint_every=1000, average=3)
    other, _ = Transformer.read(tmp_path / "once" / "model.safetensors")
    for name, tensor in model.state_dict().items():
        assert torch.equal(other.state_dict()[name], tensor)


def test_dev_pairs_have_two_sides_and_without_them_there_is_a_number_of_epochs(data, tmp_path):
    with pytest.raises(InputError, match="no dev pairs, and no number of epochs"):
        call(data, tmp_path, **UNJUDGED)
    with pytest.raises(InputError, match="only one side"):
        call(data, tmp_path, dev_target=None, epochs=1)


def test_a_tag_is_learnt_from_a_fresh_row(data, whole, tmp_path):
    (tmp_path / "old").write_bytes(whole[0])
    grown = tmp_path / "grown"
    grown.mkdir()
    for path in data.iterdir():
        text = path.read_text()
        if path.name == "train.source":
            text = "".join(f"<formal> {line}\n" for line in text.splitlines())
        (grown / path.name).write_text(text + "<formal>\n" * (path.name == "vocabulary.txt"))
    still = {"initial": tmp_path / "old", "max_updates": 1, "learning_rate": 1e-12, "average": 1}
    call(grown, tmp_path / "out", **still)
    old, _ = Transformer.read(tmp_path / "old")
    new, _ = Transformer.read(tmp_path / "out" / "model.safetensors")
    torch.testing.assert_close(new.embedding[:34], old.embedding)
    assert new.embedding[34].abs().max() > 0.01
    torch.testing.assert_close(new.decoder[0].memory, old.decoder[0].memory)

    # In another order, and with the new one in the middle: only the old vocabulary tells the rows.
    known = (data / "vocabulary.txt").read_text().splitlines()
    symbols = [*known[:20], "<formal>", *reversed(known[20:])]
    (grown / "vocabulary.txt").write_text("".join(f"{symbol}\n" for symbol in symbols))
    call(grown, tmp_path / "other", **still, initial_vocabulary=data / "vocabulary.txt")
    other, _ = Transformer.read(tmp_path / "other" / "model.safetensors")
    places = [symbols.index(symbol) for symbol in known]
    torch.testing.assert_close(other.embedding[places], old.embedding)
    assert other.embedding[20].abs().max() > 0.01


def test_a_transformer_translates_with_a_tag_and_without(tmp_path):
    texts = tmp_path / "texts"
    texts.write_text("I see the dog .\nYou see the cat .\nWe hear a bird in the tree .\n" * 20)
    random_translators(tmp_path, texts)
    symbols = Vocabulary.read(tmp_path / "text" / "vocabulary.txt")
    model = random_transformer(1, TransformerSizes(len(symbols), 8, 2, 16, 1, 1), spread=3.0)
    facts = {"vocabulary": symbols.digest(), "length_ratio": 1.0, "length_ratio_deviation": 0.1}
    model.write(tmp_path / "3.safetensors", facts)
    options = {"beam_size": 5, "length_penalty": 1.0, "batch_size": 2, "precision": "float32"}
    options |= {"device": "cpu", "threads": 1}
    translator = Translator(tmp_path / "text", [tmp_path / "3.safetensors"], **options)
    given = ["I see a cat .", "", "We see the bird in a tree ."]
    tagged, plain = (translator.translate(given, "en", "en", tag) for tag in ("<2formal>", None))
    assert tagged != plain
    assert [bool(text) for text in plain] == [True, False, True]
    with pytest.raises(InputError, match="another kind of model"):
        Translator(tmp_path / "text", [tmp_path / "1.safetensors", tmp_path / "3.safetensors"], **options)


def schedule(**changed):
    options = {name: value for name, value in SETTINGS.items() if name in Schedule.__dataclass_fields__}
    fixed = {"evaluate_every": 10, "batch_by": "tokens", "gradient_clip": 0.0, "dropout": 0.0}
    return Schedule.of({**options, **fixed, **changed})


def training_of(model=None, pairs=None, dev=None, **changed):
    pairs = pairs or random_pairs(5, 40, 37)
    return TranslatorTraining(
        model or random_transformer(1), pairs, dev or pairs, schedule(**changed), CPU, torch.float32
    )


def test_accumulated_batches_are_one_large_batch():
    pairs = random_pairs(5, 40, 37)
    which = np.arange(40)
    small = training_of(pairs=pairs, batch_size=30, accumulate=20, warmup_updates=0)
    large = training_of(pairs=pairs, batch_size=10_000, accumulate=1, warmup_updates=0)
    assert len(small._parts(which)) > 5
    assert sorted(np.concatenate(small._parts(which)).tolist()) == which.tolist()
    losses = [one.step(which).item() for one in (small, large)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    for (name, one), other in zip(small.model.named_parameters(), large.model.parameters(), strict=True):
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-3, atol=1e-6, msg=name)


def test_each_epoch_has_every_pair_once_in_the_same_number_of_updates():
    training = training_of(batch_size=40, accumulate=3)
    epochs = [training._batches(epoch) for epoch in range(3)]
    assert [len(updates) for updates in epochs] == [training.per_epoch] * 3
    orders = [np.concatenate(updates).tolist() for updates in epochs]
    assert all(sorted(order) == list(range(40)) for order in orders)
    assert orders[0] != orders[1]
    assert all(len(training._parts(update)) <= 4 for update in epochs[0])


def test_the_rate_rises_with_every_update_of_the_warm_up():
    training = training_of(warmup_updates=4, learning_rate=0.01)
    rates = []
    for _ in range(6):
        training.step(np.arange(8))
        rates.append(training.optimizer.param_groups[0]["lr"])
    assert rates == pytest.approx([0.0025, 0.005, 0.0075, 0.01, 0.01, 0.01])


@pytest.mark.slow
def test_the_model_is_the_mean_of_the_best_evaluations(tmp_path):
    class Noting(TranslatorTraining):
        def _judge(self, dev):
            seen[self.update] = copy.deepcopy(self.model.state_dict())
            return super()._judge(dev)

    seen = {}
    pairs = random_pairs(5, 40, 37)
    changed = {"average": 3, "max_updates": 60, "learning_rate": 0.03, "stop_after": 50, "reload": True}
    training = Noting(random_transformer(1), pairs, pairs, schedule(**changed), CPU, torch.float32)
    model = training.run(TrainingState(tmp_path, {}))
    best = sorted(training.rows, key=lambda row: row["dev_perplexity"])[:3]
    chosen = sorted(int(row["update"]) for row in best)
    assert sorted(training.kept) == chosen and len(chosen) == 3
    for name, tensor in model.state_dict().items():
        expected = sum(seen[update][name].double() for update in chosen) / 3
        torch.testing.assert_close(tensor, expected.float())


def test_when_the_rate_falls_the_best_parameters_and_moments_come_back():
    training = training_of(reload=True, reduce_after=1, warmup_updates=0, average=1)
    training.rows = [{"update": 1, "dev_perplexity": 5.0, "train_perplexity": 5.0}]
    training.step(np.arange(8))
    training._judge(5.0)
    before = copy.deepcopy(training.learnt.tensors())
    for _ in range(2):
        training.step(np.arange(8, 16))
        assert "back to update 1" in training._judge(6.0)
        for name, tensor in training.learnt.tensors().items():
            assert torch.equal(tensor, before[name]), name
    assert training.rate == pytest.approx(0.01 / 4)


def test_the_rate_does_not_fall_during_the_warm_up():
    training = training_of(warmup_updates=3, reduce_after=1)
    notes = []
    for _ in range(4):
        training.step(np.arange(8))
        training.rows.append({"update": training.update, "dev_perplexity": 6.0 + training.update})
        notes.append(training._judge(6.0 + training.update))
    assert ["learning rate" in note for note in notes] == [False, False, True, True]


def test_training_ends_when_evaluations_gain_too_little():
    training = training_of(stop_after=3, stop_gain=0.01, reduce_after=9)
    ended = []
    for update, dev in enumerate([5.0, 4.0, 3.9, 3.897, 3.896, 3.894, 3.893], 1):
        training.update = update
        training.rows.append({"update": update, "dev_perplexity": dev})
        training._judge(dev)
        ended.append(training.is_over())
    # The last three have gained 0.007 on 3.9.
    assert ended == [False] * 5 + [True, True]
    training.schedule = replace(training.schedule, stop_gain=0.0)
    assert not training.is_over()


def test_an_update_of_the_bi_lstm_is_what_it_was():
    """With no option on: one batch, clipped gradients, Adam at the rate."""
    pairs = random_pairs(3, 20, 37)
    model = random_model(1)
    plain = copy.deepcopy(model)
    off = {"batch_by": "pairs", "accumulate": 1, "label_smoothing": 0.0, "warmup_updates": 0}
    training = training_of(model, pairs, **off, dropout=0.2, gradient_clip=0.01)
    adam = torch.optim.Adam(plain.parameters(), lr=0.01, fused=True)
    generator = torch.Generator()
    for update in range(3):
        which = np.arange(4 * update, 4 * update + 8)
        training.step(which)
        adam.zero_grad()
        generator.manual_seed(seed_of(1, DROPOUT, update))
        plain.loss(pairs.batch(which, CPU), torch.float32, Dropout(0.2, generator)).backward()
        torch.nn.utils.clip_grad_value_(plain.parameters(), 0.01)
        adam.step()
    for name, parameter in plain.named_parameters():
        assert torch.equal(parameter, model.get_parameter(name)), name


def test_dev_bleu_is_that_of_decoded_sentences():
    """The sources of the dev pairs end with </s> once."""
    pairs = random_pairs(5, 12, 20)
    training = training_of(
        random_transformer(1, TransformerSizes(20, 32, 4, 64, 1, 1)),
        Pairs(pairs.source, pairs.source),
        batch_size=500,
        accumulate=1,
        warmup_updates=0,
        label_smoothing=0.0,
    )
    learn_by_heart(training)
    assert training.bleu() == pytest.approx(100)
