"""Matrix products are computed in the type that was asked for, all else in float32."""

import numpy as np
import pytest
import torch

from tests.seq2seq.reference import CPU, random_model, random_pairs, random_transformer, sentences
from workflow_scripts.seq2seq import loss, products, states, transformer_states
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.search import Search
from workflow_scripts.text.symbols import END

MODELS = {"bi-LSTM": random_model, "Transformer": random_transformer}


@pytest.fixture
def types(monkeypatch):
    """The types of both sides of every product, since it was last cleared."""
    seen = []
    multiply = products.multiply

    def noted(x, weight, bias=None):
        sides = (x, weight) if bias is None else (x, weight, bias)
        seen.append(tuple(side.dtype for side in sides))
        return multiply(x, weight, bias)

    for module in (products, loss, states, transformer_states):
        monkeypatch.setattr(module, "multiply", noted)
    return seen


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("kind", MODELS)
def test_training_multiplies_in_the_type_asked_for(types, kind, dtype):
    model, pairs = MODELS[kind](1), random_pairs(2, 7, 37)
    if model.source_end:
        pairs = pairs.ended()
    batch = pairs.batch(np.arange(len(pairs)), CPU)
    assert model(batch, dtype, Dropout()).dtype == torch.float32
    value = model.loss(batch, dtype, Dropout(), 0.1)
    forward = len(types)
    value.backward()
    assert len(types) > forward > 0
    assert {one for sides in types for one in sides} == {dtype}
    assert {value.dtype, *(parameter.grad.dtype for parameter in model.parameters())} == {torch.float32}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("kind", MODELS)
def test_search_multiplies_in_the_type_asked_for(types, kind, dtype):
    model = MODELS[kind](1, spread=3.0)
    sources = sentences(random_pairs(3, 5, 37, longest=5).source)
    options = {"beam_size": 2, "length_penalty": 1.0, "max_ratio": 1.5, "device": CPU, "dtype": dtype}
    found = Search([model], **options)(sources, 3)
    assert all(one.ids and min(one.ids) > END for one in found)
    assert types and {one for sides in types for one in sides} == {dtype}
