"""The Transformer with an SSRU decoder in plain autograd: one sentence and one word at a time.

The reference implementation for testing `transformer`, which computes the same in batches with custom
kernels.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from workflow_scripts.seq2seq.plain_model import layer_norm
from workflow_scripts.seq2seq.transformer import Feed, Norm, Transformer
from workflow_scripts.text.symbols import BEGIN, END


def normal(norm: Norm, x: Tensor) -> Tensor:
    """Layer normalisation with the gain and shift of a layer."""
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


def fed(feed: Feed, x: Tensor) -> Tensor:
    """The feed-forward layer, with its residual connection."""
    inner = (normal(feed.norm, x) @ feed.enter + feed.enter_bias).clamp(min=0)
    return x + inner @ feed.leave + feed.leave_bias


def place(number: int, units: int) -> Tensor:
    """The sines and cosines of a position, counted from 0."""
    angles = [number / 10000 ** (2 * channel / units) for channel in range(units // 2)]
    return torch.tensor([math.sin(a) for a in angles] + [math.cos(a) for a in angles])


class PlainTransformer:
    """One source, and one target, which is generated word by word."""

    def __init__(self, model: Transformer, source: Sequence[int]) -> None:
        """`source`: ids, without </s> and padding."""
        m, units = model, model.sizes.units
        self.model = model
        x = [
            m.embedding[word] * math.sqrt(units) + place(number, units)
            for number, word in enumerate([*source, END])
        ]
        layers: Iterable[Any] = m.encoder
        for layer in layers:
            rows = torch.stack([normal(layer.norm, states) for states in x]) @ layer.enter
            queries, keys, values = rows.split(units, 1)
            x = [
                one + attended(query, keys, values, layer.heads) @ layer.leave
                for one, query in zip(x, queries, strict=True)
            ]
            x = [fed(layer.feed, states) for states in x]
        self.source = torch.stack([normal(m.encoder_norm, states) for states in x])
        self.first = (0, [torch.zeros(units) for _ in m.decoder])

    def step(self, state: tuple[int, list[Tensor]], word: int) -> tuple[Tensor, tuple[int, list[Tensor]]]:
        """Log-probabilities of the next word, and the next state."""
        m, units = self.model, self.model.sizes.units
        number, cells = state
        y = m.embedding[word] * math.sqrt(units) + place(number, units)
        following = []
        layers: Iterable[Any] = m.decoder
        for layer, cell in zip(layers, cells, strict=True):
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
