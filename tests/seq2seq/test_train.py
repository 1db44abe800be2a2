import math
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors import safe_open

from tests.conftest import ROOT
from tests.killing import check_keys, command_of, kill_once, killed_at, run_to_the_end, sectioned
from tests.seq2seq.reference import learn_by_heart
from workflow_scripts.config.sections import Seq2Seq
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.seq2seq import train as train_command
from workflow_scripts.seq2seq.data import Pairs, Vocabulary
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.seq2seq.train import train
from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining
from workflow_scripts.training import judged
from workflow_scripts.training.judged import summed
from workflow_scripts.training.state import TrainingState

CPU = torch.device("cpu")
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


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A vocabulary and piece files in which the target is the source backwards."""
    folder = tmp_path_factory.mktemp("data")
    words = [f"w{n}" for n in range(30)]
    symbols = ["<pad>", "<unk>", "<s>", "</s>", "<2formal>", *words]
    (folder / "vocabulary.txt").write_text("".join(f"{symbol}\n" for symbol in symbols))
    random = np.random.default_rng(1)
    for part, count in (("train", 100), ("dev", 12)):
        texts = [list(random.choice(words, random.integers(2, 9))) for _ in range(count)]
        source = "".join(f"<2formal> {' '.join(text)}\n" for text in texts)
        (folder / f"{part}.source").write_text(source)
        (folder / f"{part}.target").write_text("".join(f"{' '.join(text[::-1])}\n" for text in texts))
    return folder


def inputs(data):
    files = ("vocabulary.txt", "train.source", "train.target", "dev.source", "dev.target")
    return [data / name for name in files]


def call(data, out, **changed):
    out.mkdir(exist_ok=True)
    options = sectioned({**SETTINGS, "checkpoints": out / "states", **changed}, settings=Seq2Seq)
    train(*inputs(data), out / "model.safetensors", out / "log.tsv", **options)
    return (out / "model.safetensors").read_bytes(), (out / "log.tsv").read_text()


def command(data, out, initial=None, **changed):
    out.mkdir()
    words = (*inputs(data), out / "model.safetensors", out / "log.tsv")
    options = sectioned({**SETTINGS, **changed}, settings=Seq2Seq) | ({"initial": initial} if initial else {})
    return command_of("seq2seq.train", *words, checkpoints=out / "states", **options)


@pytest.fixture(scope="module")
def whole(data, tmp_path_factory):
    return call(data, tmp_path_factory.mktemp("whole"))


def test_a_killed_training_goes_on_to_the_same_bytes(data, whole, tmp_path):
    out = tmp_path / "killed"
    line = command(data, out)
    # The training is killed as soon as it is seen, so that it cannot end before.
    kill_once(line, lambda: list(out.glob("states/*/0000000[1-4]0/state.json")))
    assert not (out / "model.safetensors").exists()

    told = run_to_the_end(line)
    assert "going on after update" in told
    assert "tokens/s" in told
    assert (out / "model.safetensors").read_bytes() == whole[0]
    assert (out / "log.tsv").read_text() == whole[1]
    assert sorted(path.name for path in out.iterdir()) == ["log.tsv", "model.safetensors"]


def test_a_training_killed_while_it_writes_a_state_goes_on(data, whole, tmp_path, monkeypatch):
    with killed_at(monkeypatch, 30):
        call(data, tmp_path)
    assert call(data, tmp_path) == whole


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
    assert call(data, tmp_path / "a", seed=2)[1] != whole[1]
    assert call(data, tmp_path / "b", dropout=0.0)[1] != whole[1]
    assert call(data, tmp_path / "c", precision="bf16")[1] != whole[1]
    assert call(data, tmp_path / "d") == whole


def test_the_rate_falls_on_plateaus_and_training_stops(data, tmp_path):
    changed = {"learning_rate": 1e-9, "reduce_factor": 0.25, "gradient_clip": 1e-30}
    _, log = call(data, tmp_path, **changed)
    # With gradients clipped to nothing no checkpoint is better than the first.
    rows = [line.split("\t") for line in log.splitlines()[1:]]
    assert [row[0] for row in rows] == ["10", "20", "30", "40", "50"]
    assert [float(row[2]) for row in rows] == [1e-9, 1e-9, 1e-9, 0.25e-9, 0.25e-9]
    _, facts = Model.read(tmp_path / "model.safetensors")
    assert facts["update"] == 10


def test_a_translator_killed_after_a_plateau_keeps_its_rate_and_its_best_model(data, tmp_path, monkeypatch):
    # With gradients clipped to nothing the first checkpoint stays the best, and the rate falls at update 30.
    changed = {"learning_rate": 1e-9, "reduce_factor": 0.25, "gradient_clip": 1e-30}
    whole = call(data, tmp_path / "whole", **changed)
    with killed_at(monkeypatch, 40, saved=True):
        call(data, tmp_path / "killed", **changed)
    assert call(data, tmp_path / "killed", **changed) == whole
    assert Model.read(tmp_path / "killed" / "model.safetensors")[1]["update"] == 10


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


def test_a_grown_vocabulary_starts_from_the_old_rows(data, whole, tmp_path):
    (tmp_path / "old").write_bytes(whole[0])
    grown = tmp_path / "grown"
    grown.mkdir()
    for path in inputs(data):
        (grown / path.name).write_bytes(path.read_bytes())
    with (grown / "vocabulary.txt").open("a") as stream:
        stream.write("new\n")
    call(grown, tmp_path / "out", initial=tmp_path / "old", gradient_clip=1e-30, max_updates=10)
    old, _ = Model.read(tmp_path / "old")
    new, _ = Model.read(tmp_path / "out" / "model.safetensors")
    assert len(new.embedding) == 36
    assert torch.equal(new.embedding[:35], old.embedding)
    assert new.embedding[35].abs().max() > 0
    assert torch.equal(new.combine, old.combine)

    (grown / "vocabulary.txt").write_text((grown / "vocabulary.txt").read_text().replace("w1\n", "v1\n"))
    (grown / "train.source").write_text("<2formal> w2\n")
    (grown / "train.target").write_text("w2\n")
    (grown / "dev.source").write_text("<2formal> w2\n")
    (grown / "dev.target").write_text("w2\n")
    with pytest.raises(InputError, match="another vocabulary"):
        call(grown, tmp_path / "other", initial=tmp_path / "old")
    with pytest.raises(InputError, match="other sizes"):
        call(data, tmp_path / "sizes", initial=tmp_path / "old", hidden=8)


def test_another_vocabulary_keeps_the_rows_of_the_pieces_that_both_have(data, whole, tmp_path):
    (tmp_path / "old").write_bytes(whole[0])
    other = tmp_path / "other"
    other.mkdir()
    for path in inputs(data):
        (other / path.name).write_bytes(path.read_bytes())
    old_symbols = (data / "vocabulary.txt").read_text().splitlines()
    # In another order, and with a new piece before most of the others.
    symbols = [*old_symbols[:5], "new", *reversed(old_symbols[5:])]
    (other / "vocabulary.txt").write_text("".join(f"{symbol}\n" for symbol in symbols))
    still = {"gradient_clip": 1e-30, "max_updates": 10, "initial": tmp_path / "old"}
    call(other, tmp_path / "out", **still, initial_vocabulary=data / "vocabulary.txt")
    old, _ = Model.read(tmp_path / "old")
    new, _ = Model.read(tmp_path / "out" / "model.safetensors")
    places = [symbols.index(symbol) for symbol in old_symbols]
    assert torch.equal(new.embedding[places], old.embedding)
    assert torch.equal(new.output_bias[places], old.output_bias)
    assert new.embedding[5].abs().max() > 0.1 and abs(new.output_bias[5]) < 1e-6
    assert torch.equal(new.decoder_recurrent, old.decoder_recurrent)
    # As Sockeye's tool leaves them.
    sockeye = {**still, "first_weights": "sockeye", "initial_vocabulary": data / "vocabulary.txt"}
    call(other, tmp_path / "zero", **sockeye)
    assert Model.read(tmp_path / "zero/model.safetensors")[0].embedding[5].abs().max() < 1e-6
    with pytest.raises(InputError, match="it must be that of"):
        call(other, tmp_path / "wrong", **still, initial_vocabulary=other / "vocabulary.txt")


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


def test_a_training_selected_by_bleu_that_is_killed_ends_with_the_same_bytes(data, tmp_path, monkeypatch):
    whole = call(data, tmp_path / "whole", select="bleu")
    with killed_at(monkeypatch, 30, saved=True):
        call(data, tmp_path / "killed", select="bleu")
    assert call(data, tmp_path / "killed", select="bleu") == whole


def test_dev_bleu_is_that_of_decoded_sentences(data):
    """100 for a model that has learnt the dev pairs by heart, by sacrebleu's own score."""
    training = training_of(data, size=16, dropout=0.0, learning_rate=0.02, max_updates=10_000)
    symbols = Vocabulary.read(data / "vocabulary.txt")
    training.pairs = training.dev = Pairs.read(symbols, data / "dev.source", data / "dev.target")
    assert training.bleu() < 50
    learn_by_heart(training)
    assert training.bleu() == pytest.approx(100)


@pytest.fixture
def finetuning(data, whole, tmp_path):
    """A finished model, and a folder of data whose vocabulary has more symbols and a tag of its own."""
    (tmp_path / "old").write_bytes(whole[0])
    grown = tmp_path / "grown"
    grown.mkdir()
    for path in inputs(data):
        (grown / path.name).write_text(path.read_text().replace("<2formal> ", "<2other> "))
    with (grown / "vocabulary.txt").open("a") as stream:
        stream.write("<2other>\nnew\n")
    return grown, tmp_path / "old"


def test_a_finetuning_killed_at_a_random_moment_ends_with_the_same_bytes(finetuning, tmp_path):
    data, initial = finetuning
    changed = {"max_updates": 200, "stop_after": 40, "learning_rate": 0.001}
    expected = call(data, tmp_path / "unbroken", initial=initial, **changed)
    out = tmp_path / "killed"
    line = command(data, out, initial, **changed)
    seed = np.random.SeedSequence().entropy
    print(f"seed of the moment: {seed}")
    # From its first state on it is hit anywhere: in an update, or while a state is written.
    after = np.random.default_rng(seed).uniform(0, 0.2)
    kill_once(line, lambda: list(out.glob("states/*/*")) and time.sleep(after) is None)
    run_to_the_end(line)
    assert ((out / "model.safetensors").read_bytes(), (out / "log.tsv").read_text()) == expected
    assert sorted(path.name for path in out.iterdir()) == ["log.tsv", "model.safetensors"]


def test_a_finetuning_begins_where_the_first_training_ended_with_a_rate_of_its_own(
    data, finetuning, tmp_path
):
    grown, initial = finetuning
    _, facts = Model.read(initial)
    changed = {"learning_rate": 0.002, "max_updates": 20}
    rows = {}
    for name, start in (("tuned", initial), ("fresh", None)):
        _, log = call(grown, tmp_path / name, initial=start, **changed)
        rows[name] = [[float(cell) for cell in line.split("\t")] for line in log.splitlines()[1:]]
    # The updates, epochs and the rate are counted from the start again.
    assert [row[:3] for row in rows["tuned"]] == [row[:3] for row in rows["fresh"]]
    assert rows["tuned"][0][2] == 0.002
    # The tag is new and has a fresh row, all else is known: with twenty seeds 16 to 21,
    # and 52 to 58 without a first training.
    assert rows["tuned"][0][4] < rows["fresh"][0][4]
    # With the same symbols and a rate that moves nothing, the first evaluation is the last one's.
    _, log = call(data, tmp_path / "still", initial=initial, learning_rate=1e-9, max_updates=10)
    still = [float(cell) for cell in log.splitlines()[1].split("\t")]
    assert still[4] == pytest.approx(facts["dev_perplexity"], rel=1e-4)


def test_a_finetuning_of_another_model_does_not_go_on_from_its_states(data, whole, tmp_path, monkeypatch):
    call(data, tmp_path / "other", seed=2, max_updates=20)
    (tmp_path / "old").write_bytes(whole[0])
    both = [tmp_path / "old", tmp_path / "other" / "model.safetensors"]
    expected = [call(data, tmp_path / f"unbroken{n}", initial=old) for n, old in enumerate(both)]
    assert expected[0] != expected[1]
    monkeypatch.setattr(TrainingState, "remove", lambda self: None)
    assert [call(data, tmp_path / "out", initial=old) for old in both] == expected
    assert len(list((tmp_path / "out" / "states").iterdir())) == 2


def test_trainings_that_differ_in_their_output_only_leave_each_other_alone(
    data, whole, tmp_path, monkeypatch, capsys
):
    def system(name):
        return call(data, tmp_path / name, checkpoints=tmp_path / "states")

    for name, update in (("one", 30), ("two", 20)):
        with killed_at(monkeypatch, update, saved=True):
            system(name)
    assert len(list((tmp_path / "states").iterdir())) == 2
    for name, update in (("two", 20), ("one", 30)):
        capsys.readouterr()
        assert system(name) == whole
        assert f"going on after update {update}\n" in capsys.readouterr().err
    assert not (tmp_path / "states").exists()


def test_the_key_tells_the_output_and_the_device(data, tmp_path, monkeypatch):
    options = {"device": "auto", "precision": "auto", "max_updates": 1}
    key = check_keys(monkeypatch, train_command, lambda name: call(data, tmp_path / name, **options))
    assert key["inputs"] == [digest(path) for path in inputs(data)]
    assert key["versions"].keys() == {"torch", "numpy", "sacrebleu"}
    assert {"seed", "embedding", "learning_rate", "select"} < key["options"].keys()


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


def test_the_command_starts_without_torch():
    code = (
        "import sys, workflow_scripts.seq2seq.train, workflow_scripts.seq2seq.translator;"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


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


def test_the_newest_of_several_states_counts(tmp_path):
    """A training that is killed before it deletes the older state leaves it, and disks list in any order."""
    states = TrainingState(tmp_path, {})
    for update in (90, 10, 30, 100, 20, 60, 40, 80, 50, 70):
        other = TrainingState(tmp_path / f"{update}", {})
        other.save(update, {"x": torch.zeros(2)}, {"update": update})
        states.folder.mkdir(exist_ok=True)
        (other.folder / f"{update:09d}").rename(states.folder / f"{update:09d}")
    assert states.newest(lambda *_: True)[1] == {"update": 100}


def test_a_training_begins_again_where_its_state_is_damaged(data, whole, tmp_path, monkeypatch, capsys):
    with killed_at(monkeypatch, 30, saved=True):
        call(data, tmp_path)
    (state,) = tmp_path.glob("states/*/*/state.safetensors")
    text = bytearray(state.read_bytes())
    text[-1] ^= 1
    state.write_bytes(text)
    assert call(data, tmp_path) == whole
    told = capsys.readouterr().err
    assert "000000030: damaged, ignored\n" in told and "going on after" not in told


def another_name(tensors, name):
    tensors[f"{name}.old"] = tensors.pop(name)


def another_shape(tensors, name):
    tensors[name] = tensors[name][:1].clone()


def another_type(tensors, name):
    tensors[name] = tensors[name].double()


def no_tensor(tensors, name):
    del tensors[name]


@pytest.mark.parametrize("kind", ["model", "adam.exp_avg", "best"])
@pytest.mark.parametrize("change", [None, another_name, another_shape, another_type, no_tensor])
def test_only_a_state_of_the_same_tensors_is_used(data, tmp_path, capsys, kind, change):
    states = TrainingState(tmp_path, {})
    training_of(data, max_updates=10).run(states)
    tensors, scalars = states.newest(lambda *_: True)
    if change:
        change(tensors, f"{kind}.embedding")
        states.save(10, tensors, scalars)
    capsys.readouterr()
    training_of(data, max_updates=10).run(states)
    told = capsys.readouterr().err
    assert ("going on after update 10" in told) == (change is None)
    assert ("000000010: does not fit this training, ignored" in told) == (change is not None)


@pytest.mark.parametrize("scalars", [{}, [], {"update": 10}, {"rows": {}}, {"rate": "fast"}])
def test_only_a_state_of_the_same_scalars_is_used(data, tmp_path, capsys, scalars):
    states = TrainingState(tmp_path, {})
    training_of(data, max_updates=10).run(states)
    tensors, whole = states.newest(lambda *_: True)
    changed = {**whole, **scalars} if scalars and "update" not in scalars else scalars
    states.save(10, tensors, changed)
    training_of(data, max_updates=10).run(states)
    assert "000000010: does not fit this training, ignored" in capsys.readouterr().err
