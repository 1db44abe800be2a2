"""The Transformer once more, one sentence and one word at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from tests.seq2seq.reference import layer_norm
from workflow_scripts.seq2seq.data import BEGIN, END
from workflow_scripts.seq2seq.transformer import Norm, Transformer, TransformerSizes

SMALL = TransformerSizes(vocabulary=37, units=8, heads=2, feed_forward=12, encoder_layers=2, decoder_layers=2)


def random_transformer(seed: int, sizes: TransformerSizes = SMALL, spread: float = 1.0) -> Transformer:
    """A model with every parameter off its first value; a larger spread makes it surer of its words."""
    generator = torch.Generator().manual_seed(seed)
    model = Transformer(sizes)
    model.initialise(generator)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator), alpha=0.1)
        model.embedding.mul_(spread)
    return model


def normal(norm: Norm, x: Tensor) -> Tensor:
    return layer_norm(x, norm.gain, norm.shift)


def attended(query: Tensor, keys: Tensor, values: Tensor, heads: int) -> Tensor:
    """The context of one query, (D), over all steps, (S, D)."""
    parts = []
    width = len(query) // heads
    for head in range(heads):
        here = slice(head * width, (head + 1) * width)
        weights = (keys[:, here] @ query[here] / math.sqrt(width)).softmax(0)
        parts.append(weights @ values[:, here])
    return torch.cat(parts)


def fed(feed, x: Tensor) -> Tensor:
    inner = (normal(feed.norm, x) @ feed.enter + feed.enter_bias).clamp(min=0)
    return x + inner @ feed.leave + feed.leave_bias


def place(number: int, units: int) -> Tensor:
    angles = [number / 10000 ** (2 * channel / units) for channel in range(units // 2)]
    return torch.tensor([math.sin(a) for a in angles] + [math.cos(a) for a in angles])


class PlainTransformer:
    """One sentence, one word at a time."""

    def __init__(self, model: Transformer, source: Sequence[int]) -> None:
        m, units = model, model.sizes.units
        self.model = model
        x = [
            m.embedding[word] * math.sqrt(units) + place(number, units)
            for number, word in enumerate([*source, END])
        ]
        for layer in m.encoder:
            rows = torch.stack([normal(layer.norm, one) for one in x]) @ layer.enter
            queries, keys, values = rows.split(units, 1)
            x = [
                one + attended(query, keys, values, layer.heads) @ layer.leave
                for one, query in zip(x, queries, strict=True)
            ]
            x = [fed(layer.feed, one) for one in x]
        self.source = torch.stack([normal(m.encoder_norm, one) for one in x])
        self.first = (0, [torch.zeros(units) for _ in m.decoder])

    def step(self, state: tuple[int, list[Tensor]], word: int) -> tuple[Tensor, tuple[int, list[Tensor]]]:
        """Log-probabilities of the next word, and the next state."""
        m, units = self.model, self.model.sizes.units
        number, cells = state
        y = m.embedding[word] * math.sqrt(units) + place(number, units)
        following = []
        for layer, cell in zip(m.decoder, cells, strict=True):
            inner = normal(layer.norm, y)
            forget = (inner @ layer.forget + layer.forget_bias).sigmoid()
            cell = forget * cell + (1 - forget) * (inner @ layer.candidate)
            following.append(cell)
            y = y + cell.clamp(min=0)
            keys, values = (self.source @ layer.memory).split(units, 1)
            query = normal(layer.cross_norm, y) @ layer.query
            y = y + attended(query, keys, values, layer.heads) @ layer.leave
            y = fed(layer.feed, y)
        logits = m.embedding @ normal(m.decoder_norm, y) + m.output_bias
        return logits.log_softmax(0), (number + 1, following)

    def losses(self, target: Sequence[int], smoothing: float = 0.0) -> Tensor:
        """The summed loss of the words and </s>."""
        total, state = torch.zeros(()), self.first
        for before, word in zip([BEGIN, *target], [*target, END], strict=True):
            logs, state = self.step(state, before)
            total = total - (1 - smoothing) * logs[word] - smoothing * logs.mean()
        return total
