import json

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from tests.unsupervised import plain
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.text.symbols import BEGIN, END, PADDING
from workflow_scripts.unsupervised.model import Model, Sizes

SENTENCES = [[2, 4, 5, 6, 7, 8, 9, 3], [2, 5, 3], [2, 9, 8, 4, 4, 3], [2, 10, 1, 3]]
STYLE = [0, 1, 1, 0]


def model_of(pool=3, released=False, dtype=torch.float64, scale=0.6, seed=3):
    """A model whose weights are far enough from zero that every part of it matters."""
    model = Model(Sizes(11, 4, 6, pool), released)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.uniform_(-scale, scale, generator=generator)
    return model.to(dtype)


def columns(sentences):
    longest = max(map(len, sentences))
    ids = [[*sentence, *[PADDING] * (longest - len(sentence))] for sentence in sentences]
    return torch.tensor(ids).t().contiguous(), torch.tensor([len(sentence) for sentence in sentences])


def log_probabilities(model, sentences, style, dropout=None, sources=None):
    """For each sentence those of its words and </s>, from its source (itself by default)."""
    ids, lengths = columns(sentences)
    source = model.encode(*columns(sources or sentences), dropout or Dropout(), model.output.dtype)
    vectors = model(source, torch.tensor(style), ids[1:-1], dropout or Dropout(), model.output.dtype)
    table = torch.log_softmax(vectors @ model.output.t(), 2)
    values = table.gather(2, ids[1:].unsqueeze(2)).squeeze(2)
    return [values[: length - 1, place] for place, length in enumerate(lengths)]


@pytest.mark.parametrize("pool", [1, 3, 5, 20])
def test_probabilities_and_gradients_are_those_of_the_plain_model(pool):
    model = model_of(pool)
    ours = -sum(part.sum() for part in log_probabilities(model, SENTENCES, STYLE))
    ours.backward()
    gradients = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()
    theirs = sum(plain.nll(model, x, x, y) for x, y in zip(SENTENCES, STYLE, strict=True))
    theirs.backward()
    assert ours.item() == pytest.approx(theirs.item(), rel=1e-12)
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-9, atol=1e-12, msg=name)
        # With one pool the attention has no choice, and its own parameters no gradient.
        assert parameter.grad.abs().max() > 1e-6 or (pool == 20 and name.startswith("attention")), name


def test_one_word_and_the_empty_sentence():
    model = model_of()
    for sentence in ([2, 7, 3], [2, 3]):
        (ours,) = log_probabilities(model, [sentence], [1])
        assert ours.sum().item() == pytest.approx(-plain.nll(model, sentence, sentence, 1).item(), rel=1e-12)


def test_padding_changes_nothing():
    together = log_probabilities(model_of(dtype=torch.float32), SENTENCES, STYLE)
    for place, (sentence, style) in enumerate(zip(SENTENCES, STYLE, strict=True)):
        (alone,) = log_probabilities(model_of(dtype=torch.float32), [sentence], [style])
        torch.testing.assert_close(together[place], alone, rtol=0, atol=1e-6)


def test_padding_changes_the_released_model():
    # Released: zeros behind the end are pooled, and pools of nothing else are attended to.
    together = log_probabilities(model_of(released=True), SENTENCES, STYLE)
    alone = log_probabilities(model_of(released=True), [SENTENCES[1]], [STYLE[1]])
    assert (together[1] - alone[0]).abs().max() > 1e-3
    # The longest sentence has no padding.
    torch.testing.assert_close(together[0], log_probabilities(model_of(), SENTENCES, STYLE)[0])


@pytest.mark.parametrize("pool", [1, 2, 3, 5])
@pytest.mark.parametrize("steps", range(2, 12))
def test_pools_are_torchs_with_padding_and_lose_no_step(pool, steps):
    states = torch.randn(steps, 1, 12, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    behind = torch.zeros(steps, 1, dtype=torch.bool)
    rows = states.permute(1, 2, 0)
    wanted = torch.nn.functional.max_pool1d(rows, pool, padding=pool // 2).permute(2, 0, 1)
    found, _ = model_of(pool, released=True)._pools(states, behind)
    assert torch.equal(found, wanted)
    # In a longer batch, torch's pools have every step of this sentence.
    longer = torch.nn.functional.pad(rows, (0, pool), value=float("-inf"))
    whole = torch.nn.functional.max_pool1d(longer, pool, padding=pool // 2).permute(2, 0, 1)
    ours, mask = model_of(pool)._pools(states, behind)
    assert torch.equal(ours, whole[: len(ours)]) and (whole[len(ours) :] == float("-inf")).all()
    assert (mask == 0).all()


def test_the_released_model_never_trains_the_first_style():
    for released in (False, True):
        model = model_of(released=released)
        (-sum(part.sum() for part in log_probabilities(model, SENTENCES, STYLE))).backward()
        assert (model.style.grad[0] == 0).all() == released
        assert model.style.grad[1].abs().min() > 0


def test_the_style_decides():
    model = model_of()
    informal, formal = (log_probabilities(model, [SENTENCES[0]], [style])[0] for style in (0, 1))
    assert (informal - formal).abs().max() > 0.01


def test_dropout_falls_on_embeddings_and_vectors():
    model = model_of()
    plain_values = log_probabilities(model, SENTENCES, STYLE)[0]
    seen = [
        log_probabilities(model, SENTENCES, STYLE, Dropout(0.5, torch.Generator().manual_seed(seed)))[0]
        for seed in (1, 1, 2)
    ]
    assert torch.equal(seen[0], seen[1])
    assert not torch.equal(seen[0], seen[2])
    assert not torch.allclose(seen[0], plain_values)
    ids, lengths = columns(SENTENCES)
    source = model.encode(ids, lengths, Dropout(), torch.float64)
    dropout = Dropout(0.5, torch.Generator().manual_seed(1))
    vectors = model(source, torch.tensor(STYLE), ids[1:-1], dropout, torch.float64)
    assert 0.3 < (vectors == 0).double().mean() < 0.7


def test_bf16_products_are_near():
    model = model_of(dtype=torch.float32, scale=0.2)
    ids, lengths = columns(SENTENCES)
    exact, rough = (
        model(model.encode(ids, lengths, Dropout(), dtype), torch.tensor(STYLE), ids[1:-1], Dropout(), dtype)
        for dtype in (torch.float32, torch.bfloat16)
    )
    assert rough.dtype == torch.float32
    assert 0 < (exact - rough).abs().max() < 0.05
    rough.sum().backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize(("hidden", "most"), [(512, 0.1), (128, 0.2)])
def test_first_weights_are_the_papers_at_its_size(hidden, most):
    model = Model(Sizes(50, 20, hidden, 5))
    model.initialise(torch.Generator().manual_seed(1))
    values = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    assert values.abs().max() <= most
    assert values.std().item() == pytest.approx(most / 3**0.5, rel=0.02)


def test_write_and_read(tmp_path):
    model = model_of(released=True, dtype=torch.float32)
    model.write(tmp_path / "model", {"vocabulary": "abc"})
    again, facts = Model.read(tmp_path / "model")
    assert facts == {"vocabulary": "abc"}
    assert (again.sizes, again.released) == (model.sizes, True)
    for name, parameter in model.named_parameters():
        assert torch.equal(parameter, again.get_parameter(name))
    model.write(tmp_path / "again", {"vocabulary": "abc"})
    assert (tmp_path / "model").read_bytes() == (tmp_path / "again").read_bytes()
    with safe_open(tmp_path / "model", "pt") as file:
        assert list(map(type, file.metadata().values())) == [str]


def test_foreign_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        Model.read(tmp_path / "none")
    (tmp_path / "text").write_text("text")
    with pytest.raises(InputError, match="no unsupervised model"):
        Model.read(tmp_path / "text")
    facts = {"sizes": {"vocabulary": 5, "embedding": 2, "hidden": 2, "pool": 1}, "released": False}
    save_file({"a": torch.zeros(1)}, tmp_path / "other", {"unsupervised": json.dumps(facts)})
    with pytest.raises(InputError, match="no unsupervised model"):
        Model.read(tmp_path / "other")
    with pytest.raises(InputError, match="pool = 0"):
        Model(Sizes(5, 2, 2, 0))


def test_special_symbols_are_where_the_model_thinks():
    assert (PADDING, BEGIN, END) == (0, plain.BEGIN, plain.END)
    assert np.all(columns(SENTENCES)[0][0].numpy() == BEGIN)
