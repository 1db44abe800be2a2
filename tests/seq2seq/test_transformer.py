"""The Transformer: its equations and its search."""

import numpy as np
import pytest
import torch

from tests.seq2seq.reference import (
    CPU,
    SMALL_TRANSFORMER,
    plain_search,
    random_model,
    random_pairs,
    random_transformer,
    search,
    sentences,
)
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.data import Pairs
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.plain_transformer import PlainTransformer
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes, read_translator
from workflow_scripts.seq2seq.transformer_kernels import Ssru


def whole(pairs):
    pairs = pairs.ended()
    return pairs.batch(np.arange(len(pairs)), CPU)


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_loss_and_gradients_are_those_of_the_equations(smoothing):
    model, pairs = random_transformer(1), random_pairs(2, 7, 37)
    batch = whole(pairs)
    loss = model.loss(batch, torch.float32, Dropout(), smoothing)
    loss.backward()
    gradients = {name: one.grad.clone() for name, one in model.named_parameters()}
    model.zero_grad()
    sides = zip(sentences(pairs.source), sentences(pairs.target), strict=True)
    expected = sum(PlainTransformer(model, s).losses(t, smoothing) for s, t in sides) / len(batch.wanted)
    expected.backward()
    torch.testing.assert_close(loss, expected)
    for name, one in model.named_parameters():
        torch.testing.assert_close(gradients[name], one.grad, rtol=1e-3, atol=2e-6, msg=name)


def test_a_sentence_does_not_see_the_others_of_its_batch():
    model, pairs = random_transformer(1), random_pairs(2, 7, 37)
    together = model(whole(pairs), torch.float32, Dropout())
    for number, (source, target) in enumerate(
        zip(sentences(pairs.source), sentences(pairs.target), strict=True)
    ):
        alone = model(whole(Pairs(*map(one_sentence, (source, target)))), torch.float32, Dropout())
        torch.testing.assert_close(together[: len(alone), number], alone[:, 0])


def one_sentence(ids):
    from workflow_scripts.seq2seq.data import Sentences

    return Sentences.of([ids])


def test_the_loop_of_the_ssru_has_the_gradients_of_its_equations():
    generator = torch.Generator().manual_seed(1)
    sums = torch.randn(5, 3, 8, generator=generator, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(Ssru.apply, sums)


def test_dropout_drops_its_rate_and_keeps_the_mean():
    mask = Dropout(0.1, torch.Generator().manual_seed(1)).mask((501, 401), torch.zeros(()))
    assert mask.unique().tolist() == pytest.approx([0.0, 1 / 0.9])
    assert (mask == 0).float().mean().item() == pytest.approx(0.1, abs=0.003)
    assert mask.mean().item() == pytest.approx(1, abs=0.003)
    again = Dropout(0.1, torch.Generator().manual_seed(1)).mask((501, 401), torch.zeros(()))
    assert torch.equal(mask, again)
    other = Dropout(0.1, torch.Generator().manual_seed(2)).mask((501, 401), torch.zeros(()))
    assert ((mask == 0) & (other == 0)).float().mean().item() == pytest.approx(0.01, abs=0.002)


def test_bf16_is_near_float32():
    model = random_transformer(8, TransformerSizes(50, 32, 4, 64, 2, 1))
    batch = whole(random_pairs(9, 20, 50))
    gradients = {}
    for dtype in (torch.float32, torch.bfloat16):
        model.zero_grad()
        model.loss(batch, dtype, Dropout(), 0.1).backward()
        gradients[dtype] = torch.cat([p.grad.flatten() for p in model.parameters()])
    cosine = torch.nn.functional.cosine_similarity(*gradients.values(), dim=0)
    assert 0.999 < cosine.item() <= 1.000001
    assert not torch.equal(*gradients.values())


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 2, 5])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_search_is_plain_beam_search(beam, alpha):
    sources = sentences(random_pairs(3, 25, 37, longest=7).source)
    for seed, spread in ((1, 2.0), (2, 4.0)):
        models = [random_transformer(seed, spread=spread)]
        found = search(*models, beam=beam, alpha=alpha)(sources, 10)
        for source, one in zip(sources, found, strict=True):
            words, score = plain_search(models, source, beam, alpha, 1.5, PlainTransformer)
            assert one.ids == words
            assert one.score == pytest.approx(score, rel=5e-4, abs=1e-5)


@pytest.mark.slow
def test_ensembles_search_by_the_mean_of_probabilities():
    models = [random_transformer(seed, spread=3.0) for seed in (1, 2, 3)]
    sources = sentences(random_pairs(3, 20, 37, longest=7).source)
    found = search(*models)(sources, 8)
    expected = [plain_search(models, source, 5, 1.0, 1.5, PlainTransformer) for source in sources]
    assert [one.ids for one in found] == [words for words, _ in expected]
    assert [one.score for one in found] == pytest.approx([score for _, score in expected], rel=1e-4)
    assert [one.ids for one in found] != [one.ids for one in search(models[0])(sources, 8)]


@pytest.mark.slow
def test_outputs_do_not_depend_on_batch_size_order_and_counting():
    model = random_transformer(4, spread=4.0)
    sources = sentences(random_pairs(5, 60, 37, longest=12).source)
    expected = [one.ids for one in search(model)(sources, 60)]
    for size in (1, 7, 32):
        assert [one.ids for one in search(model)(sources, size)] == expected
    order = np.random.default_rng(2).permutation(len(sources)).tolist()
    found = search(model)([sources[i] for i in order], 7)
    assert [one.ids for one in found] == [expected[i] for i in order]
    seldom = search(model)
    seldom.patience = 3
    assert [one.ids for one in seldom(sources, 16)] == expected


def test_outputs_are_neither_empty_nor_too_long_nor_special():
    model = random_transformer(1, spread=4.0)
    with torch.no_grad():
        model.output_bias[:4] = 50
    sources = sentences(random_pairs(8, 30, 37).source)
    assert {len(one.ids) for one in search(model, ratio=0.1)(sources, 8)} == {1}
    with torch.no_grad():
        model.output_bias[3] = -50
    # A word and </s> are the least that is allowed, however short the ratio would have it.
    assert {len(one.ids) for one in search(model, ratio=0.1)(sources, 8)} == {1}
    for source, one in zip(sources, search(model, ratio=1.2)(sources, 8), strict=True):
        # With </s>, as many as the source has with </s>, by the ratio.
        assert len(one.ids) == np.ceil((len(source) + 1) * 1.2) - 1
        assert min(one.ids) > 3


def test_first_weights_are_drawn_as_sockeye_draws_them():
    model = Transformer(TransformerSizes(1000, 64, 4, 128, 2, 1))
    model.initialise(torch.Generator().manual_seed(1))
    shapes = {"embedding": 1064, "encoder.1.enter": 256, "decoder.0.memory": 192, "decoder.0.forget": 128}
    shapes |= {"decoder.0.feed.enter": 192, "encoder.0.leave": 128}
    for name, fans in shapes.items():
        bound = (6 / fans) ** 0.5
        assert 0.97 * bound < model.get_parameter(name).abs().max() <= bound, name
    assert model.output_bias.abs().max() == model.decoder[0].forget_bias.abs().max() == 0
    assert (model.encoder[0].norm.gain == 1).all()
    paper = Transformer(TransformerSizes(32_000, 512, 8, 2048, 20, 2))
    assert sum(one.numel() for one in paper.parameters()) == pytest.approx(87e6, rel=0.01)


def test_a_model_of_either_kind_is_read_as_what_it_is(tmp_path):
    facts = {"vocabulary": "abc", "length_ratio": 1.1, "length_ratio_deviation": 0.2}
    model = random_transformer(1)
    model.write(tmp_path / "transformer", facts)
    random_model(1).write(tmp_path / "bi-lstm", facts)
    read, found = read_translator(tmp_path / "transformer")
    assert found == facts and read.sizes == SMALL_TRANSFORMER
    for name, tensor in model.state_dict().items():
        assert torch.equal(read.state_dict()[name], tensor)
    assert type(read_translator(tmp_path / "bi-lstm")[0]) is type(random_model(1))
    (tmp_path / "none").write_text("nothing of the kind")
    with pytest.raises(InputError, match="none: no translator's model"):
        read_translator(tmp_path / "none")


def test_units_that_heads_cannot_share_are_an_input_error():
    with pytest.raises(InputError, match="units = 6 cannot be shared among heads = 2"):
        Transformer(TransformerSizes(10, 6, 2, 4, 1, 1))
