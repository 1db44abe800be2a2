import hashlib
import subprocess
import sys

import numpy as np
import pytest
import torch

from tests.seq2seq.reference import CPU, SMALL, random_model, random_pairs, sentences
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.seq2seq.plain_model import PlainModel


def whole(pairs):
    return pairs.batch(np.arange(len(pairs)), CPU)


def test_loss_and_gradients_are_those_of_the_equations():
    model, pairs = random_model(1), random_pairs(2, 7, 37)
    batch = whole(pairs)
    loss = model.loss(batch, torch.float32, Dropout())
    loss.backward()
    ours = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()
    rows = zip(sentences(pairs.source), sentences(pairs.target), strict=True)
    plain = sum(PlainModel(model, source).loss(target) for source, target in rows) / len(batch.wanted)
    plain.backward()
    assert loss.item() == pytest.approx(plain.item(), rel=1e-5)
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(ours[name], parameter.grad, rtol=1e-3, atol=2e-6, msg=name)
        assert parameter.grad.abs().max() > 0, name


@pytest.mark.slow
def test_gradients_with_dropout_are_those_of_differences():
    model = random_model(3, Sizes(11, 3, 4, 5)).double()
    batch = whole(random_pairs(4, 3, 11, longest=4))

    def loss(*parameters):
        dropout = Dropout(0.4, torch.Generator().manual_seed(5))
        tensors = dict(zip(names, parameters, strict=True))
        with torch.nn.utils.stateless._reparametrize_module(model, tensors):
            return model.loss(batch, torch.float64, dropout)

    names = [name for name, _ in model.named_parameters()]
    assert torch.autograd.gradcheck(loss, [p.detach().requires_grad_() for p in model.parameters()])


def test_dropout_changes_the_loss_and_is_a_function_of_the_seed():
    model, batch = random_model(1), whole(random_pairs(2, 7, 37))
    losses = [
        model.loss(batch, torch.float32, Dropout(0.5, torch.Generator().manual_seed(seed))).item()
        for seed in (1, 1, 2)
    ]
    assert losses[0] == losses[1] != losses[2]


def test_dropout_keeps_the_mean_and_one_mask_over_time():
    dropout = Dropout(0.2, torch.Generator().manual_seed(1))
    ones = torch.ones(3, 100, 50)
    assert dropout.each(ones).mean().item() == pytest.approx(1, abs=0.02)
    same = dropout.same(ones, 0)
    assert torch.equal(same[0], same[2])
    assert sorted(same.unique().tolist()) == [0, 1.25]
    assert Dropout().each(ones) is ones
    # As many bits as an element has cannot tell this rate from 1.
    almost_all = Dropout(1 - 2**-20, torch.Generator().manual_seed(1)).each(ones)
    assert (almost_all == 0).float().mean().item() > 0.999


def test_every_sentence_has_one_mask_for_all_steps_in_every_lstm(monkeypatch):
    """Variational dropout: embeddings element by element, all else once per sentence (module `model`)."""
    asked = []
    mask = Dropout.mask
    monkeypatch.setattr(
        Dropout, "mask", lambda self, shape, like: asked.append(tuple(shape)) or mask(self, shape, like)
    )
    model, batch = random_model(1), whole(random_pairs(2, 7, 37))
    model.loss(batch, torch.float32, Dropout(0.5, torch.Generator().manual_seed(1)))
    steps, (embedding, hidden) = len(batch.source), (SMALL.embedding, SMALL.hidden)
    assert asked == [
        (steps + len(batch.target), 7, embedding),
        # The encoder's inputs, of both directions, and its hidden states.
        (2, 1, 7, embedding),
        (2, 7, hidden // 2),
        # The decoder's words, and the vector and hidden state that go to the next step.
        (1, 7, embedding),
        (7, embedding + hidden),
    ]


def test_padding_changes_no_log_probability():
    model, pairs = random_model(6), random_pairs(7, 12, 37, longest=20)
    alone = []
    for which in range(len(pairs)):
        batch = pairs.batch(np.array([which]), CPU)
        alone.append(model.loss(batch, torch.float32, Dropout()).item() * len(batch.wanted))
    together = whole(pairs)
    total = model.loss(together, torch.float32, Dropout()).item() * len(together.wanted)
    assert total == pytest.approx(sum(alone), rel=1e-6)
    for one in range(len(pairs) - 1):
        batch = pairs.batch(np.array([one, one + 1]), CPU)
        both = model.loss(batch, torch.float32, Dropout()).item() * len(batch.wanted)
        assert both == pytest.approx(alone[one] + alone[one + 1], rel=1e-6)


def test_bf16_is_near_float32():
    model, batch = random_model(8, Sizes(50, 32, 32, 32)), whole(random_pairs(9, 20, 50))
    gradients = {}
    for dtype in (torch.float32, torch.bfloat16):
        model.zero_grad()
        loss = model.loss(batch, dtype, Dropout())
        loss.backward()
        gradients[dtype] = torch.cat([p.grad.flatten() for p in model.parameters()])
        assert loss.item() == pytest.approx(4, rel=0.3)
    cosine = torch.nn.functional.cosine_similarity(*gradients.values(), dim=0)
    assert 0.999 < cosine.item() <= 1.000001
    assert not torch.equal(*gradients.values())


def test_first_weights():
    sizes = Sizes(20, 6, 8, 4)
    model, same, other = Model(sizes), Model(sizes), Model(sizes)
    for one, seed in ((model, 1), (same, 1), (other, 2)):
        one.initialise(torch.Generator().manual_seed(seed))
    assert torch.equal(model.combine, same.combine)
    assert not torch.equal(model.combine, other.combine)
    for gate in model.decoder_recurrent.chunk(4, 1):
        torch.testing.assert_close(gate.t() @ gate, torch.eye(8), rtol=0, atol=1e-5)
    for direction in model.encoder_recurrent:
        for gate in direction.chunk(4, 1):
            torch.testing.assert_close(gate.t() @ gate, torch.eye(4), rtol=0, atol=1e-5)
    assert model.decoder_bias.abs().max() == 0
    assert model.attention_gain.min() == 1


def test_parameters_are_those_of_the_equations():
    """LN has a gain and a shift wherever it stands; the target's word and the last vector are read apart."""
    words, e, h, a = 20, 6, 8, 4
    shapes = {name: tuple(one.shape) for name, one in Model(Sizes(words, e, h, a)).named_parameters()}
    assert shapes == {
        **{"embedding": (words, e), "output_bias": (words,)},
        **{"encoder_input": (2, e, 2 * h), "encoder_recurrent": (2, h // 2, 2 * h)},
        "encoder_bias": (2, 1, 2 * h),
        **{f"first_{state}": (h, h) for state in ("hidden", "memory")},
        **{f"first_{state}_{part}": (h,) for state in ("hidden", "memory") for part in ("gain", "shift")},
        **{"decoder_word": (e, 4 * h), "decoder_feed": (e, 4 * h), "decoder_recurrent": (h, 4 * h)},
        "decoder_bias": (4 * h,),
        **{"attention_key": (h, a), "attention_query": (h, a), "attention_score": (a,)},
        **{f"attention_{part}": (a,) for part in ("gain", "shift")},
        "combine": (2 * h, e),
        **{f"combine_{part}": (e,) for part in ("gain", "shift")},
    }


@pytest.mark.parametrize("units", [32, 512])
def test_first_logits_have_unit_variance(units):
    model = Model(Sizes(300, units, 8, 8))
    generator = torch.Generator().manual_seed(1)
    model.initialise(generator)
    vectors = torch.randn(500, units, generator=generator).tanh()
    assert (vectors @ model.embedding.t()).var().item() == pytest.approx(1.09, abs=0.1)


@pytest.mark.slow
def test_model_file_is_the_same_bytes_and_reads_back(tmp_path):
    model = random_model(1)
    facts = {"vocabulary": "abc", "length_ratio": 1.1, "length_ratio_deviation": 0.2, "seed": 1}
    model.write(tmp_path / "m.safetensors", facts)
    model.write(tmp_path / "o", dict(reversed(facts.items())))
    code = (
        "import sys; from pathlib import Path; from workflow_scripts.seq2seq.model import Model;"
        "model, facts = Model.read(Path(sys.argv[1])); model.write(Path(sys.argv[2]), facts)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path / "m.safetensors", tmp_path / "n"], check=True)
    digests = {
        hashlib.sha256((tmp_path / name).read_bytes()).digest() for name in ("m.safetensors", "n", "o")
    }
    assert len(digests) == 1
    again, read = Model.read(tmp_path / "m.safetensors")
    assert read == facts
    for name, tensor in model.state_dict().items():
        assert torch.equal(again.state_dict()[name], tensor)


def test_a_file_that_is_no_model_is_an_input_error(tmp_path):
    (tmp_path / "bad.safetensors").write_bytes(b"nothing of the kind")
    for name in ("bad.safetensors", "missing.safetensors"):
        with pytest.raises(InputError, match=name):
            Model.read(tmp_path / name)


def test_odd_hidden_is_an_input_error():
    with pytest.raises(InputError, match="odd"):
        Model(Sizes(10, 4, 5, 4))


def test_first_weights_as_sockeye_draws_them():
    model = Model(Sizes(1000, 64, 96, 48))
    model.initialise(torch.Generator().manual_seed(1), "sockeye")
    widths = {"embedding": 64, "encoder_input": 64, "first_hidden": 96, "combine": 192, "decoder_word": 128}
    widths |= {"decoder_feed": 128, "attention_key": 96, "attention_score": 48}
    for name, width in widths.items():
        bound = (2.34 / width) ** 0.5
        assert 0.9 * bound < model.get_parameter(name).abs().max() <= bound, name
    for matrix in (model.decoder_recurrent, *model.encoder_recurrent):
        # Four gates side by side, as one matrix: its rows are orthogonal, of length 1.414.
        assert torch.allclose(matrix @ matrix.t(), 1.414**2 * torch.eye(len(matrix)), atol=1e-4)
    assert model.output_bias.abs().max() == model.decoder_bias.abs().max() == 0
    assert (model.combine_gain == 1).all()
    same, other = Model(model.sizes), Model(model.sizes)
    for one, seed in ((same, 1), (other, 2)):
        one.initialise(torch.Generator().manual_seed(seed), "sockeye")
    for name, parameter in model.named_parameters():
        assert torch.equal(same.get_parameter(name), parameter)
        drawn = not name.endswith(("bias", "gain", "shift"))
        assert torch.equal(other.get_parameter(name), parameter) != drawn, name
