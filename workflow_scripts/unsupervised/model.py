"""The sequence-to-sequence model of He et al. (2020), which UNMT and DLSM share.

With x the embeddings of <s>, the words and </s>, y the embeddings of the decoder's input, and [a; b] for
concatenation:

    h_j = [LSTM forward(x)_j; LSTM backward(x)_j]               encoder, hidden units per direction
    u_p = max over the steps j of pool p of h_j                 pools of so many steps, the first half empty
    c_0 = W_0 [h forward, last; h backward, last], s_0 = tanh(c_0)
    s_t = LSTM([y_t-1; k_t-1], s_t-1)                           decoder with input feeding, hidden units
    k_t = sum_p softmax(a . tanh(U u_p + Q s_t + b)) u_p        MLP attention over the pools
    v_t = tanh(W [s_t; k_t])                                    attentional vector, hidden units
    p(y_t) = softmax(O v_t)                                     output layer without bias, not tied

Encoder and decoder share the word embeddings. y_0 is the embedding of the target style, in the place
of <s>: the decoder has no other information about it. Dropout falls, element by element, on the encoder's
embeddings, on the attention's distributions, and on the attentional vectors of given words; not on the
decoder's input, and not on the attentional vectors of samples.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.directions import joined, mirror_of
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.kernels import Recurrence
from workflow_scripts.seq2seq.products import Linear, project
from workflow_scripts.seq2seq.weights import read_model, write_model, zeros
from workflow_scripts.unsupervised.kernels import Decoding, Source

STYLES = ("informal", "formal")
"""A style's number is its place here."""

SPREAD = 0.1, 512
"""Parameters begin uniform between minus and plus this, in a model of so many hidden units; in a smaller one
further from zero, by the root of the sizes' ratio. Else the sums over fewer units vanish layer by layer, and
hundreds of updates teach the model no more than the words' frequencies."""


@dataclass(frozen=True)
class Sizes:
    """The numbers of units; `pool` is the number of encoder steps that become one state."""

    vocabulary: int
    embedding: int
    hidden: int
    pool: int


class Model(nn.Module):
    """All parameters, the encoder, and the decoder over given words. Matrices multiply from the right.

    released: behave as the code that He et al. published, where that looks like an oversight:

    - the first style's embedding stays as it was drawn, because it is declared to be the padding's;
    - the decoder attends to pools behind a sentence's end, and the zeros there compete in the pool that
      straddles it, so that the output for a sentence depends on the longest one of its batch; and the batch's
      last steps have no pool if they fill half of one or less;
    - (in `loss`) the validation loss contains the falling weight of the auto-encoder;
    - (in `loss`) back-translations are sampled with dropout;
    - (in `sampling`) <pad>, <unk> and <s> may be generated.
    """

    def __init__(self, sizes: Sizes, released: bool = False) -> None:
        """Parameters are zero until `initialise` or `read`."""
        super().__init__()
        if sizes.pool < 1:
            raise InputError(f"pool = {sizes.pool}", fix="give at least 1")
        self.sizes, self.released = sizes, released
        words, embedding, hidden = sizes.vocabulary, sizes.embedding, sizes.hidden

        self.embedding = zeros(words, embedding)
        self.style = zeros(len(STYLES), embedding)
        self.encoder_input = zeros(2, embedding, 4 * hidden)
        self.encoder_recurrent = zeros(2, hidden, 4 * hidden)
        self.encoder_bias = zeros(2, 1, 4 * hidden)
        self.first_memory = zeros(2 * hidden, hidden)
        self.decoder_word = zeros(embedding, 4 * hidden)
        self.decoder_bias = zeros(4 * hidden)
        self.decoder_recurrent = zeros(hidden, 4 * hidden)
        self.attention_bias = zeros(hidden)
        self.attention_query = zeros(hidden, hidden)
        self.attention_score = zeros(hidden)
        # From a pooled state to a key of the attention, to the next step's gates, and to the attentional
        # vector, side by side: one product projects a sentence's pools for all of its steps.
        self.pooled = zeros(2 * hidden, 6 * hidden)
        self.combine = zeros(hidden, hidden)
        self.output = zeros(words, hidden)

    @torch.no_grad()
    def initialise(self, generator: torch.Generator) -> None:
        """Everything uniform."""
        most, units = SPREAD
        most *= (units / self.sizes.hidden) ** 0.5
        for parameter in self.parameters():
            parameter.uniform_(-most, most, generator=generator)

    def encode(self, ids: Tensor, lengths: Tensor, dropout: Dropout, dtype: torch.dtype) -> Source:
        """The encoded sentences.

        ids: (S, B), <s>, words, </s>, padding. lengths: (B). dtype: of the products. The backward direction
        reads each sentence from its own </s>, so padding changes nothing.
        """
        steps, batch = ids.shape
        units = self.sizes.hidden
        every = torch.arange(batch, device=ids.device)
        positions = torch.arange(steps, device=ids.device).unsqueeze(1)
        behind = positions >= lengths
        mirror = mirror_of(steps, lengths)
        flat = dropout.each(nn.functional.embedding(ids.view(-1), self.embedding))
        inputs = torch.stack([flat, flat.index_select(0, mirror)])
        sums = Linear.apply(inputs, self.encoder_input, None, dtype) + self.encoder_bias
        outputs = Recurrence.apply(sums.view(2, steps, batch, -1), self.encoder_recurrent, None, dtype)
        pools, padding = self._pools(joined(outputs, mirror), behind)
        last = outputs[:, lengths - 1, every].transpose(0, 1).reshape(batch, 2 * units)
        memory = project(last, self.first_memory, dtype)
        projected = project(pools, self.pooled, dtype).transpose(0, 1)
        keys, feed, read = projected.split((units, 4 * units, units), 2)
        keys = keys + self.attention_bias
        return Source(keys, feed.contiguous(), read.contiguous(), padding, memory.tanh(), memory)

    def _pools(self, states: Tensor, behind: Tensor) -> tuple[Tensor, Tensor]:
        """The maxima of side-by-side pools of steps, (P, B, 2H), and the attention's mask, (B, P).

        states: (S, B, 2H). behind: (S, B), whether a step is behind the sentence's end. The first pool begins
        half of its size before the first step.
        """
        size = self.sizes.pool
        before = size // 2
        steps = len(states) + before
        count = (steps + before) // size if self.released else -(-steps // size)
        states = states.masked_fill(behind.unsqueeze(2), 0 if self.released else float("-inf"))
        after = max(0, count * size - steps)
        states = nn.functional.pad(states, (0, 0, 0, 0, before, after), value=float("-inf"))
        pools = states[: count * size].view(count, size, *states.shape[1:])
        pools = pools.amax(1) if size > 1 else pools.squeeze(1)
        empty = behind[(torch.arange(count, device=behind.device) * size - before).clamp_(min=0)]
        padding = states.new_zeros(empty.shape)
        if not self.released:
            padding.masked_fill_(empty, float("-inf"))
            pools = pools.masked_fill(empty.unsqueeze(2), 0)
        return pools, padding.t()

    def styles(self, style: Tensor) -> Tensor:
        """The first input of the decoder, (B, E); style: (B), numbers of the target styles."""
        return nn.functional.embedding(style, self.style, padding_idx=0 if self.released else None)

    def forward(
        self, source: Source, style: Tensor, words: Tensor, dropout: Dropout, dtype: torch.dtype
    ) -> Tensor:
        """The attentional vectors that predict each word and </s>, (T, B, H); words: (T - 1, B)."""
        embedded = nn.functional.embedding(words, self.embedding)
        embedded = torch.cat([self.styles(style).unsqueeze(0), embedded])
        sums = project(embedded, self.decoder_word, dtype) + self.decoder_bias
        states, distributions = Decoding.apply(
            sums,
            source.keys,
            source.feed,
            source.padding,
            source.hidden,
            source.memory,
            self.decoder_recurrent,
            self.attention_query,
            self.attention_score,
            dropout.mask((len(sums), *source.padding.shape), sums),
            dtype,
        )
        read = torch.bmm(distributions.transpose(0, 1), source.read).transpose(0, 1)
        return dropout.each((project(states, self.combine, dtype) + read).tanh())

    def write(self, path: Path, facts: dict[str, Any]) -> None:
        """Write parameters, sizes and `facts` (JSON values) as one file; the same model, the same bytes."""
        write_model(
            path, "unsupervised", self, {"sizes": asdict(self.sizes), "released": self.released, **facts}
        )

    @classmethod
    def read(cls, path: Path) -> tuple[Model, dict[str, Any]]:
        """A model and its facts; InputError if the file is not one that `write` wrote."""
        return read_model(
            path,
            "unsupervised",
            lambda facts: cls(Sizes(**facts.pop("sizes")), facts.pop("released")),
            "unsupervised model",
        )
