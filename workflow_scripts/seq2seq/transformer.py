"""A Transformer whose decoder has SSRUs instead of self-attention: the model of CoCoA-MT (Section 5).

As in Sockeye 3 (`ssru_transformer`), where LN is layer normalisation, x and y are the states of encoder and
decoder, and dropout is applied to every sum that is added to a state:

    x = E[source] sqrt(D) + sinusoids,  y = E[<s>, target] sqrt(D) + sinusoids
    encoder layer:  x += self-attention(LN(x));  x += W_2 ReLU(W_1 LN(x) + b_1) + b_2
    decoder layer:  y += SSRU(LN(y));  y += attention(LN(y), x);  y += W_2 ReLU(W_1 LN(y) + b_1) + b_2
    p(target) = softmax(E LN(y) + b)                   E: the one embedding matrix of all three

with one more LN after the last encoder layer. `</s>` ends the source. Attention has no biases, and neither
has the SSRU's W. Dropout is also applied to the attention distributions, to the activations between W_1 and
W_2, and to the sums of embeddings and sinusoids. `plain_transformer` implements the same model in plain
autograd.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch
from torch import Tensor, nn

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.loss import mean_cross_entropy
from workflow_scripts.seq2seq.model import Batch, Model
from workflow_scripts.seq2seq.products import Linear
from workflow_scripts.seq2seq.transformer_kernels import EPSILON, Ssru, attention, positions
from workflow_scripts.seq2seq.weights import kinds_of, read_model, write_model, zeros


@dataclass(frozen=True)
class TransformerSizes:
    """The numbers of units, heads and layers."""

    vocabulary: int
    units: int
    heads: int
    feed_forward: int
    encoder_layers: int
    decoder_layers: int


class Norm(nn.Module):
    """Layer normalisation."""

    def __init__(self, units: int) -> None:
        """Gain one and shift zero."""
        super().__init__()
        self.gain = nn.Parameter(torch.ones(units))
        self.shift = zeros(units)

    def forward(self, x: Tensor) -> Tensor:
        """Normalise the last dimension."""
        return nn.functional.layer_norm(x, x.shape[-1:], self.gain, self.shift, EPSILON)


class Feed(nn.Module):
    """W_2 ReLU(W_1 LN(x) + b_1) + b_2."""

    def __init__(self, units: int, inner: int) -> None:
        """Parameters are zero until the model is initialised or read."""
        super().__init__()
        self.norm = Norm(units)
        self.enter = zeros(units, inner)
        self.enter_bias = zeros(inner)
        self.leave = zeros(inner, units)
        self.leave_bias = zeros(units)

    def forward(self, x: Tensor, dtype: torch.dtype, dropout: Dropout) -> Tensor:
        """x: (N, D)."""
        inner = Linear.apply(self.norm(x), self.enter, self.enter_bias, dtype).relu()
        return Linear.apply(dropout.each(inner), self.leave, self.leave_bias, dtype)


class EncoderLayer(nn.Module):
    """Self-attention and feed-forward, each added to its input."""

    def __init__(self, sizes: TransformerSizes) -> None:
        """Parameters are zero until the model is initialised or read."""
        super().__init__()
        self.heads = sizes.heads
        self.norm = Norm(sizes.units)
        self.enter = zeros(sizes.units, 3 * sizes.units)
        """Projects to queries, keys and values, side by side."""
        self.leave = zeros(sizes.units, sizes.units)
        self.feed = Feed(sizes.units, sizes.feed_forward)

    def forward(self, x: Tensor, padding: Tensor, dtype: torch.dtype, dropout: Dropout) -> Tensor:
        """x: (S, B, D); padding: (B, S)."""
        steps, batch, units = x.shape
        flat = x.reshape(steps * batch, units)
        parts = Linear.apply(self.norm(flat), self.enter, None, dtype)
        queries, keys, values = parts.view(steps, batch, 3, self.heads, units // self.heads).unbind(2)
        contexts = attention(queries, keys, values, padding, dropout).view(steps * batch, units)
        flat = flat + dropout.each(Linear.apply(contexts, self.leave, None, dtype))
        flat = flat + dropout.each(self.feed(flat, dtype, dropout))
        return flat.view(steps, batch, units)


class DecoderLayer(nn.Module):
    """SSRU, attention to the source and feed-forward, each added to its input."""

    def __init__(self, sizes: TransformerSizes) -> None:
        """Parameters are zero until the model is initialised or read."""
        super().__init__()
        self.heads, units = sizes.heads, sizes.units
        self.norm = Norm(units)
        self.forget = zeros(units, units)
        self.forget_bias = zeros(units)
        self.candidate = zeros(units, units)
        self.cross_norm = Norm(units)
        self.query = zeros(units, units)
        self.memory = zeros(units, 2 * units)
        """Projects the source to keys and values, side by side."""
        self.leave = zeros(units, units)
        self.feed = Feed(units, sizes.feed_forward)

    def cell(self) -> tuple[Tensor, Tensor]:
        """Weight and bias of the SSRU's two products in one: forget gate, then candidate."""
        bias = torch.cat([self.forget_bias, torch.zeros_like(self.forget_bias)])
        return torch.cat([self.forget, self.candidate], 1), bias

    def keys_values(self, source: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Keys and values of the encoded source (S, B, D), each (S, B, A, D / A)."""
        steps, batch, units = source.shape
        parts = Linear.apply(source.reshape(steps * batch, units), self.memory, None, dtype)
        keys, values = parts.view(steps, batch, 2, self.heads, units // self.heads).unbind(2)
        return keys, values

    def forward(
        self, y: Tensor, source: Tensor, padding: Tensor, dtype: torch.dtype, dropout: Dropout
    ) -> Tensor:
        """y: (T, B, D); source: (S, B, D); padding: (B, S)."""
        steps, batch, units = y.shape
        flat = y.reshape(steps * batch, units)
        sums = Linear.apply(self.norm(flat), *self.cell(), dtype)
        cells = Ssru.apply(sums.view(steps, batch, 2 * units)).view(steps * batch, units)
        flat = flat + dropout.each(cells)
        queries = Linear.apply(self.cross_norm(flat), self.query, None, dtype)
        queries = queries.view(steps, batch, self.heads, units // self.heads)
        contexts = attention(queries, *self.keys_values(source, dtype), padding, dropout)
        contexts = contexts.view(steps * batch, units)
        flat = flat + dropout.each(Linear.apply(contexts, self.leave, None, dtype))
        flat = flat + dropout.each(self.feed(flat, dtype, dropout))
        return flat.view(steps, batch, units)


class Transformer(nn.Module):
    """All parameters, the encoder, and the decoder over given targets. Products are `x @ matrix`."""

    source_end: ClassVar[bool] = True
    """Whether </s> ends the source."""

    def __init__(self, sizes: TransformerSizes) -> None:
        """Matrices are zero until `initialise` or `read`."""
        super().__init__()
        if sizes.units % (2 * sizes.heads):
            raise InputError(
                f"units = {sizes.units} cannot be shared among heads = {sizes.heads}",
                fix="the units must be a multiple of twice the heads",
            )
        self.sizes = sizes
        self.embedding = zeros(sizes.vocabulary, sizes.units)
        self.output_bias = zeros(sizes.vocabulary)
        self.encoder = nn.ModuleList(EncoderLayer(sizes) for _ in range(sizes.encoder_layers))
        self.encoder_norm = Norm(sizes.units)
        self.decoder = nn.ModuleList(DecoderLayer(sizes) for _ in range(sizes.decoder_layers))
        self.decoder_norm = Norm(sizes.units)

    @torch.no_grad()
    def initialise(self, generator: torch.Generator) -> None:
        """Set Xavier-uniform matrices, with adjacent matrices treated as one, and zero biases.

        As in Sockeye 3, the embedding matrix is initialised as the output layer: by its height and width.
        """
        for parameter in self.parameters():
            if parameter.dim() == 2:
                bound = (6 / sum(parameter.shape)) ** 0.5
                parameter.uniform_(-bound, bound, generator=generator)

    def embedded(self, ids: Tensor, dropout: Dropout) -> Tensor:
        """Embeddings plus the sinusoids of their steps; ids (T, B)."""
        words = nn.functional.embedding(ids, self.embedding) * self.sizes.units**0.5
        return dropout.each(words + positions(len(ids), self.sizes.units, ids.device).unsqueeze(1))

    def encode(
        self, source: Tensor, lengths: Tensor, dropout: Dropout, dtype: torch.dtype
    ) -> tuple[Tensor, Tensor]:
        """The encoded source, (S, B, D), and its padding, (B, S); source: (S, B) ids, lengths: (B)."""
        steps = torch.arange(len(source), device=source.device)
        padding = torch.zeros(len(lengths), len(source), device=source.device)
        padding.masked_fill_(steps >= lengths.unsqueeze(1), float("-inf"))
        x = self.embedded(source, dropout)
        for layer in self.encoder:
            x = layer(x, padding, dtype, dropout)
        return self.encoder_norm(x), padding

    def forward(self, batch: Batch, dtype: torch.dtype, dropout: Dropout) -> Tensor:
        """The inputs of the output layer at all steps of the target, (T, B, D)."""
        source, padding = self.encode(batch.source, batch.lengths, dropout, dtype)
        y = self.embedded(batch.target, dropout)
        for layer in self.decoder:
            y = layer(y, source, padding, dtype, dropout)
        return self.decoder_norm(y)

    def loss(self, batch: Batch, dtype: torch.dtype, dropout: Dropout, smoothing: float = 0.0) -> Tensor:
        """The mean negative log-probability of a target word (with </s>), in nats.

        smoothing: the share of the target probability that is spread evenly over all symbols.
        """
        vectors = self(batch, dtype, dropout)
        flat = vectors.reshape(-1, self.sizes.units).index_select(0, batch.real)
        return mean_cross_entropy(flat, self.embedding, self.output_bias, batch.wanted, dtype, smoothing)

    def write(self, path: Path, facts: dict[str, Any]) -> None:
        """Write parameters, sizes and `facts` (JSON values) to one file; equal models give equal bytes."""
        write_model(path, "transformer", self, {"sizes": asdict(self.sizes), **facts})

    @classmethod
    def read(cls, path: Path) -> tuple[Transformer, dict[str, Any]]:
        """Read a model and its facts; raises InputError if `write` did not write the file."""
        return read_model(
            path,
            "transformer",
            lambda facts: cls(TransformerSizes(**facts.pop("sizes"))),
            "translator's model",
        )


def read_translator(path: Path) -> tuple[Model | Transformer, dict[str, Any]]:
    """Read a model of either kind and its facts; raises InputError if the file is neither."""
    return (Transformer if "transformer" in kinds_of(path) else Model).read(path)
