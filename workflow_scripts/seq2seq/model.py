"""The bi-LSTM translation model of Niu et al. (2018), which XFORMAL's NMT systems use (appendix D).

With x the source embeddings, y the target embeddings, and [a; b] for concatenation:

    h_j = [LSTM forward(x)_j; LSTM backward(x)_j]               encoder, hidden/2 units per direction
    s_0 = tanh(LN(W_s h_J)), c_0 = tanh(LN(W_c h_J))            first states of the decoder
    s_t = LSTM([y_t-1; v_t-1], s_t-1)                           decoder with input feeding, hidden units
    e_tj = w . tanh(LN(U h_j + V s_t))                          MLP attention, attention units
    v_t = tanh(LN(W [s_t; sum_j softmax(e_t)_j h_j]))           attentional vector, embedding units
    p(y_t) = softmax(E v_t + b)                                 E: the one embedding matrix of all three

The attentional vector has as many units as the embeddings, because the tied output layer multiplies the two;
in the paper both, and the decoder's hidden state, have 512 units. There are two kinds of dropout: on
individual elements of the embeddings, and one variational mask per sentence on every LSTM's inputs and
recurrent hidden state. `plain_model` implements the same model in plain autograd.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.directions import joined, mirror_of
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.kernels import Decoding, Recurrence, Source, Weights, normalise
from workflow_scripts.seq2seq.loss import mean_cross_entropy
from workflow_scripts.seq2seq.products import Linear, project
from workflow_scripts.seq2seq.weights import read_model, write_model, zeros

GAIN = 5 / 3
"""Xavier's gain for a layer whose input is the output of a tanh."""
SOCKEYE_MAGNITUDE, SOCKEYE_ORTHOGONAL = 2.34, 1.414
"""Defaults of Sockeye 1.16.6, and of MXNet's orthogonal matrices."""


@dataclass(frozen=True)
class Sizes:
    """The numbers of units; `hidden` is the decoder's, and each direction of the encoder has half of it."""

    vocabulary: int
    embedding: int
    hidden: int
    attention: int


class Model(nn.Module):
    """All parameters, the encoder, and the decoder over given targets. Products are `x @ matrix`."""

    source_end: ClassVar[bool] = False
    """Whether </s> ends the source."""
    architecture: ClassVar[str] = "seq2seq"
    """The name of this kind of model in its files."""

    def __init__(self, sizes: Sizes) -> None:
        """Parameters are zero until `initialise` or `read`."""
        super().__init__()
        if sizes.hidden % 2:
            raise InputError(f"hidden = {sizes.hidden} is odd", fix="each direction of the encoder gets half")
        self.sizes = sizes
        words, embedding, hidden, attention = asdict(sizes).values()
        half = hidden // 2

        self.embedding = zeros(words, embedding)
        self.output_bias = zeros(words)
        self.encoder_input = zeros(2, embedding, 4 * half)
        self.encoder_recurrent = zeros(2, half, 4 * half)
        self.encoder_bias = zeros(2, 1, 4 * half)
        self.first_hidden = zeros(hidden, hidden)
        self.first_hidden_gain = zeros(hidden)
        self.first_hidden_shift = zeros(hidden)
        self.first_memory = zeros(hidden, hidden)
        self.first_memory_gain = zeros(hidden)
        self.first_memory_shift = zeros(hidden)
        self.decoder_word = zeros(embedding, 4 * hidden)
        self.decoder_bias = zeros(4 * hidden)
        self.decoder_feed = zeros(embedding, 4 * hidden)
        self.decoder_recurrent = zeros(hidden, 4 * hidden)
        self.attention_key = zeros(hidden, attention)
        self.attention_query = zeros(hidden, attention)
        self.attention_gain = zeros(attention)
        self.attention_shift = zeros(attention)
        self.attention_score = zeros(attention)
        self.combine = zeros(2 * hidden, embedding)
        self.combine_gain = zeros(embedding)
        self.combine_shift = zeros(embedding)

    @torch.no_grad()
    def initialise(self, generator: torch.Generator, first_weights: str = "wide") -> None:
        """Xavier-uniform matrices, orthogonal recurrent ones, all biases (also of forget gates) zero.

        wide: the four gates of an LSTM are four matrices side by side and are initialised separately. The
        embedding matrix, which is also the output layer, is initialised by the width of its rows: by its
        height it would vanish. Its gain is that of tanh, 5/3, since the input of the output layer is a tanh.
        The initial logits then have a variance near one, and the inputs of the LSTMs are large enough to
        affect the gates.

        sockeye: the defaults of version 1.16.6. Uniform within sqrt(2.34 / inputs), where an embedding has as
        many inputs as its rows have units; the recurrent matrix of all four gates has orthogonal columns of
        length sqrt(2).
        """
        if first_weights == "sockeye":
            self._as_sockeye(generator)
            return
        for name, parameter in self.named_parameters():
            if name.endswith("gain"):
                parameter.fill_(1)
            elif name == "embedding":
                _uniform(parameter, self.sizes.embedding, self.sizes.embedding, generator, GAIN)
            elif name == "attention_score":
                _uniform(parameter, self.sizes.attention, 1, generator)
            elif name in ("encoder_recurrent", "decoder_recurrent"):
                for direction in parameter.view(-1, *parameter.shape[-2:]):
                    for gate in direction.chunk(4, 1):
                        nn.init.orthogonal_(gate, generator=generator)
            elif name in ("encoder_input", "decoder_word", "decoder_feed"):
                _uniform(parameter, parameter.shape[-2], parameter.shape[-1] // 4, generator)
            elif name.endswith(("bias", "shift")):
                parameter.zero_()
            else:
                _uniform(parameter, parameter.shape[0], parameter.shape[1], generator)

    def _as_sockeye(self, generator: torch.Generator) -> None:
        for name, parameter in self.named_parameters():
            if name.endswith("gain"):
                parameter.fill_(1)
            elif name.endswith(("bias", "shift")):
                parameter.zero_()
            elif name in ("encoder_recurrent", "decoder_recurrent"):
                for direction in parameter.view(-1, *parameter.shape[-2:]):
                    nn.init.orthogonal_(direction, SOCKEYE_ORTHOGONAL, generator=generator)
            else:
                width = self._inputs(name, parameter)
                bound = (SOCKEYE_MAGNITUDE / width) ** 0.5
                parameter.uniform_(-bound, bound, generator=generator)

    def _inputs(self, name: str, parameter: Tensor) -> int:
        """The fan-in of a matrix: the number of inputs of each of its outputs."""
        if name == "embedding":
            return self.sizes.embedding
        if name in ("decoder_word", "decoder_feed"):
            # Sockeye has a single matrix for both: the decoder reads them side by side.
            return 2 * self.sizes.embedding
        return parameter.shape[0] if parameter.dim() < 3 else parameter.shape[-2]

    def encode(
        self, embedded: Tensor, lengths: Tensor, dropout: Dropout, dtype: torch.dtype
    ) -> tuple[Source, Tensor, Tensor]:
        """The encoded source and the decoder's initial hidden and cell state, each (B, hidden).

        embedded: (S, B, embedding). lengths: (B). The backward direction starts at the last word of each
        sentence, so padding does not change the result.
        """
        steps, batch, _ = embedded.shape
        positions = torch.arange(steps, device=embedded.device).unsqueeze(1)
        mirror = mirror_of(steps, lengths)
        flat = embedded.reshape(steps * batch, -1)
        inputs = torch.stack([flat, flat.index_select(0, mirror)]).view(2, steps, batch, -1)
        inputs = dropout.same(inputs, 1)
        sums = Linear.apply(inputs.flatten(1, 2), self.encoder_input, None, dtype) + self.encoder_bias
        recurrent = dropout.mask((2, batch, self.sizes.hidden // 2), embedded)
        outputs = Recurrence.apply(sums.view(2, steps, batch, -1), self.encoder_recurrent, recurrent, dtype)
        states = joined(outputs, mirror).transpose(0, 1).contiguous()
        last = states[torch.arange(batch, device=states.device), lengths - 1]
        hidden, memory = (
            normalise(project(last, weight, dtype), gain, shift)[0].tanh()
            for weight, gain, shift in (
                (self.first_hidden, self.first_hidden_gain, self.first_hidden_shift),
                (self.first_memory, self.first_memory_gain, self.first_memory_shift),
            )
        )
        keys = project(states, self.attention_key, dtype)
        padding = torch.zeros(batch, steps, device=states.device)
        padding.masked_fill_(positions.t() >= lengths.unsqueeze(1), float("-inf"))
        return Source(states, keys, padding), hidden, memory

    def weights(self) -> Weights:
        """The decoder's weights, in float32, folded into the form that its steps use."""
        return Weights(
            recurrent=torch.cat([self.decoder_feed, self.decoder_recurrent]),
            query=self.attention_query,
            gain=2 * self.attention_gain,
            shift=2 * self.attention_shift,
            score=2 * self.attention_score,
            combine=self.combine,
            combine_gain=self.combine_gain,
            combine_shift=self.combine_shift,
        )

    def words(self, embedded: Tensor, dtype: torch.dtype) -> Tensor:
        """The target words' share of the decoder's gates, (..., 4 hidden), for all words at once."""
        return project(embedded, self.decoder_word, dtype) + self.decoder_bias

    def forward(self, batch: Batch, dtype: torch.dtype, dropout: Dropout) -> Tensor:
        """The attentional vectors of all steps of the target, (T, B, embedding)."""
        steps = len(batch.source)
        embedded = nn.functional.embedding(torch.cat([batch.source, batch.target]), self.embedding)
        embedded = dropout.each(embedded)
        source, hidden, memory = self.encode(embedded[:steps], batch.lengths, dropout, dtype)
        words = dropout.same(embedded[steps:], 0)
        rest = dropout.mask((words.shape[1], self.sizes.embedding + self.sizes.hidden), words)
        return Decoding.apply(self.words(words, dtype), hidden, memory, *source, rest, dtype, *self.weights())

    def loss(self, batch: Batch, dtype: torch.dtype, dropout: Dropout, smoothing: float = 0.0) -> Tensor:
        """The mean negative log-probability of a target word (with </s>), in nats.

        smoothing: the share of the target probability that is spread evenly over all symbols.
        """
        vectors = self(batch, dtype, dropout)
        flat = vectors.reshape(-1, self.sizes.embedding).index_select(0, batch.real)
        return mean_cross_entropy(flat, self.embedding, self.output_bias, batch.wanted, dtype, smoothing)

    def write(self, path: Path, facts: dict[str, Any]) -> None:
        """Write parameters, sizes and `facts` (JSON values) to one file; equal models give equal bytes."""
        write_model(path, self.architecture, self, {"sizes": asdict(self.sizes), **facts})

    @classmethod
    def read(cls, path: Path) -> tuple[Self, dict[str, Any]]:
        """Read a model and its facts; raises InputError if `write` did not write the file."""
        return read_model(
            path, cls.architecture, lambda facts: cls(Sizes(**facts.pop("sizes"))), "translator's model"
        )


@dataclass(frozen=True)
class Batch:
    """Padded sentence pairs as tensors of ids; steps first."""

    source: Tensor
    """(S, B)"""
    lengths: Tensor
    """(B) lengths of the sources."""
    target: Tensor
    """(T, B) the inputs of the decoder: <s> and the words."""
    real: Tensor
    """(N) positions in the flattened (T, B) that are not padding."""
    wanted: Tensor
    """(N) the target ids at these positions: the words and </s>."""


def _uniform(
    parameter: Tensor, fan_in: int, fan_out: int, generator: torch.Generator, gain: float = 1.0
) -> None:
    """Xavier's uniform distribution."""
    bound = gain * (6 / (fan_in + fan_out)) ** 0.5
    parameter.uniform_(-bound, bound, generator=generator)
