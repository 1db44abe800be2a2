"""The Transformer: its equations, its search, and the same numbers as Sockeye's."""

import os
import subprocess
from pathlib import Path

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
from workflow_scripts.seq2seq.data import Pairs, Vocabulary
from workflow_scripts.seq2seq.dropout import Dropout, Sparing
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
    mask = Sparing(0.1, torch.Generator().manual_seed(1)).mask((501, 401), torch.zeros(()))
    assert mask.unique().tolist() == pytest.approx([0.0, 1 / 0.9])
    assert (mask == 0).float().mean().item() == pytest.approx(0.1, abs=0.003)
    assert mask.mean().item() == pytest.approx(1, abs=0.003)
    again = Sparing(0.1, torch.Generator().manual_seed(1)).mask((501, 401), torch.zeros(()))
    assert torch.equal(mask, again)
    other = Sparing(0.1, torch.Generator().manual_seed(2)).mask((501, 401), torch.zeros(()))
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


def test_ensembles_search_by_the_mean_of_probabilities():
    models = [random_transformer(seed, spread=3.0) for seed in (1, 2, 3)]
    sources = sentences(random_pairs(3, 20, 37, longest=7).source)
    found = search(*models)(sources, 8)
    expected = [plain_search(models, source, 5, 1.0, 1.5, PlainTransformer) for source in sources]
    assert [one.ids for one in found] == [words for words, _ in expected]
    assert [one.score for one in found] == pytest.approx([score for _, score in expected], rel=1e-4)
    assert [one.ids for one in found] != [one.ids for one in search(models[0])(sources, 8)]


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


@pytest.fixture(scope="module")
def sockeye(tmp_path_factory):
    """A toy model that Sockeye has trained, and what it predicts: the folder and toy.npz."""
    tool = os.environ.get("TUVOUS_SOCKEYE", "")
    if not tool:
        pytest.skip("TUVOUS_SOCKEYE does not name an environment with Sockeye (envs/sockeye.txt)")
    folder = tmp_path_factory.mktemp("sockeye")
    random = np.random.default_rng(1)
    words = [f"w{number}" for number in range(40)]
    for part, count in (("train", 400), ("dev", 60)):
        texts = [list(random.choice(words, random.integers(1, 9))) for _ in range(count)]
        # Backwards, and one of the words twice.
        outputs = [[word for word in text[::-1] for _ in range(1 + (word == "w3"))] for text in texts]
        for side, lines in (("source", texts), ("target", outputs)):
            (folder / f"{part}.{side}").write_text("".join(f"{' '.join(line)}\n" for line in lines))
    script = Path(__file__).parent / "sockeye_toy.py"
    command = [f"{tool}/bin/python", script, folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with np.load(folder / "toy.npz") as file:
        found = dict(file)
    (folder / "vocabulary.txt").write_text("".join(f"{symbol}\n" for symbol in theirs(found)))
    return folder, found


def theirs(found):
    """Sockeye's symbols, which has the same four special ones."""
    return ["<pad>", "<unk>", "<s>", "</s>", *found["vocabulary"].tolist()[4:]]


NAMES = {
    "embedding": "embedding_source.embedding.weight",
    "output_bias": "output_layer.bias",
    "encoder_norm": "encoder.final_process.layer_norm",
    "decoder_norm": "decoder.final_process.layer_norm",
    "norm": ("pre_self_attention.layer_norm", "pre_autoregr_layer.layer_norm"),
    "enter": "self_attention.ff_in.weight",
    "leave": ("self_attention.ff_out.weight", "enc_attention.ff_out.weight"),
    "forget": "autoregr_layer.forget_gate.weight",
    "forget_bias": "autoregr_layer.forget_gate.bias",
    "candidate": "autoregr_layer.linear.weight",
    "cross_norm": "pre_enc_attention.layer_norm",
    "query": "enc_attention.ff_q.weight",
    "memory": "enc_attention.ff_kv.weight",
    "feed.norm": "pre_ff.layer_norm",
    "feed.enter": "ff.ff1.weight",
    "feed.enter_bias": "ff.ff1.bias",
    "feed.leave": "ff.ff2.weight",
    "feed.leave_bias": "ff.ff2.bias",
}


def their_name(name):
    """The name of one of our parameters in Sockeye."""
    norms = {"gain": "weight", "shift": "bias"}
    *front, last = name.split(".")
    ending = f".{norms[last]}" if last in norms else ""
    parts = front if ending else [*front, last]
    if parts[0] in ("encoder", "decoder"):
        side, number, *rest = parts
        known = NAMES[".".join(rest)]
        known = known if isinstance(known, str) else known[side == "decoder"]
        return f"{side}.layers.{number}.{known}{ending}"
    return NAMES[".".join(parts)] + ending


@pytest.fixture(scope="module")
def carried(sockeye):
    """Our model with Sockeye's weights."""
    _, found = sockeye
    units = found["parameter.output_layer.weight"].shape[1]
    model = Transformer(TransformerSizes(len(found["vocabulary"]), units, 4, 64, 2, 2))
    used = set()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            used.add(theirs_name := f"parameter.{their_name(name)}")
            one = torch.from_numpy(found[theirs_name])
            # Sockeye's matrices multiply from the left.
            parameter.copy_(one.t() if one.dim() == 2 and name != "embedding" else one)
    # The same embeddings under other names, and sinusoids.
    rest = {name for name in found if name.startswith("parameter.")} - used
    assert rest == {
        "parameter.embedding_target.embedding.weight",
        "parameter.output_layer.weight",
        "parameter.encoder.pos_embedding.weight",
        "parameter.decoder.pos_embedding.weight",
    }
    return model


@pytest.mark.slow
def test_log_probabilities_are_sockeyes(sockeye, carried):
    folder, found = sockeye
    symbols = Vocabulary.read(folder / "vocabulary.txt")
    pairs = Pairs.read(symbols, folder / "dev.source", folder / "dev.target").ended()
    with torch.no_grad():
        batch = pairs.batch(np.arange(len(pairs)), CPU)
        vectors = carried(batch, torch.float32, Dropout())
        logs = (vectors @ carried.embedding.t() + carried.output_bias).log_softmax(-1)
    for number in range(len(pairs)):
        expected = torch.from_numpy(found[f"log{number}"])
        torch.testing.assert_close(logs[: len(expected), number], expected, rtol=0, atol=1e-4)


@pytest.mark.slow
def test_beam_outputs_are_sockeyes(sockeye, carried):
    folder, found = sockeye
    symbols = Vocabulary.read(folder / "vocabulary.txt")
    train = Pairs.read(symbols, folder / "train.source", folder / "train.target").ended()
    mean, deviation = train.ratio()
    assert [mean, deviation] == pytest.approx(found["ratio"].tolist(), rel=1e-6)
    dev = Pairs.read(symbols, folder / "dev.source", folder / "dev.target")
    outputs = search(carried, ratio=mean + 2 * deviation)(sentences(dev.source), 16)
    texts = [" ".join(symbols.symbols[number] for number in one.ids) for one in outputs]
    assert texts == found["outputs"].tolist()
    # Sockeye's score is the negative one.
    assert [-one.score for one in outputs] == pytest.approx(found["scores"].tolist(), abs=1e-4)
