"""Fine-tuning a bi-LSTM: from a model with this vocabulary, its beginning, or another one."""

import pytest
import torch

from tests.seq2seq.conftest import call
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.model import Model
from workflow_scripts.training.state import TrainingState


def test_a_grown_vocabulary_starts_from_the_old_rows(data, whole, tmp_path):
    (tmp_path / "old").write_bytes(whole[0])
    grown = tmp_path / "grown"
    grown.mkdir()
    for path in call.files(data).values():
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
    for path in call.files(data).values():
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


@pytest.fixture
def finetuning(data, whole, tmp_path):
    """A finished model, and a folder of data whose vocabulary has more symbols and a tag of its own."""
    (tmp_path / "old").write_bytes(whole[0])
    grown = tmp_path / "grown"
    grown.mkdir()
    for path in call.files(data).values():
        (grown / path.name).write_text(path.read_text().replace("<2formal> ", "<2other> "))
    with (grown / "vocabulary.txt").open("a") as stream:
        stream.write("<2other>\nnew\n")
    return grown, tmp_path / "old"


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


@pytest.mark.slow
def test_a_finetuning_of_another_model_does_not_go_on_from_its_states(data, whole, tmp_path, monkeypatch):
    call(data, tmp_path / "other", seed=2, max_updates=20)
    (tmp_path / "old").write_bytes(whole[0])
    both = [tmp_path / "old", tmp_path / "other" / "model.safetensors"]
    expected = [call(data, tmp_path / f"unbroken{n}", initial=old) for n, old in enumerate(both)]
    assert expected[0] != expected[1]
    monkeypatch.setattr(TrainingState, "remove", lambda self: None)
    assert [call(data, tmp_path / "out", initial=old) for old in both] == expected
    assert len(list((tmp_path / "out" / "states").iterdir())) == 2
