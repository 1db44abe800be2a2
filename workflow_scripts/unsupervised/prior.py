"""The prior of one style: an LSTM language model over words, frozen once it is trained (He et al., 2020).

With y the embeddings of <s>, z_1, ..., z_T:

    h_t = LSTM(y_t-1, h_t-1)           one layer, first states zero
    p(z_t) = softmax(W h_t + b)        W is not tied to the embeddings

It scores real sentences (`loss`), and relaxed ones, whose tokens are distributions over the words, so that a
generator can be trained through it (`score`).
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.loss import mean_cross_entropy
from workflow_scripts.seq2seq.products import project
from workflow_scripts.seq2seq.weights import read_model, write_model, zeros
from workflow_scripts.text.symbols import BEGIN, PADDING

SPREAD, WORD_SPREAD, UNITS = 0.01, 0.1, 512
"""Weights begin uniform between minus and plus 0.01 in a model of 512 units, and embeddings between minus
and plus 0.1, as in the released code of He et al.; in a smaller model weights begin further from zero, by the
root of the ratio of the sizes."""


@dataclass(frozen=True)
class PriorSizes:
    """The numbers of words and units."""

    vocabulary: int
    embedding: int
    hidden: int


class Prior(nn.Module):
    """All parameters, and the two ways to score."""

    def __init__(self, sizes: PriorSizes) -> None:
        """Parameters are arbitrary until `initialise` or `read`."""
        super().__init__()
        self.sizes = sizes
        self.embedding = zeros(sizes.vocabulary, sizes.embedding)
        self.lstm = nn.LSTM(sizes.embedding, sizes.hidden)
        self.output = zeros(sizes.vocabulary, sizes.hidden)
        self.output_bias = zeros(sizes.vocabulary)

    def train(self, mode: bool = True) -> Prior:
        """Stay as it is: nothing here depends on the mode, and cuDNN differentiates in training mode only."""
        return super().train(True)

    @torch.no_grad()
    def initialise(self, generator: torch.Generator) -> None:
        """Everything uniform, but for the output's bias, which is zero."""
        most = SPREAD * (UNITS / self.sizes.hidden) ** 0.5
        for parameter in self.parameters():
            spread = WORD_SPREAD if parameter is self.embedding else most
            parameter.uniform_(-spread, spread, generator=generator)
        self.output_bias.zero_()

    def loss(self, ids: Tensor, dtype: torch.dtype, dropout: Dropout) -> Tensor:
        """The mean negative log-probability of a word (with </s>), in nats.

        ids: (T, B) columns of <s>, words, </s> and padding. dtype: of the matrix products. Dropout falls on
        the embeddings and on the LSTM's outputs, element by element.
        """
        embedded = dropout.each(nn.functional.embedding(ids[:-1], self.embedding))
        states = dropout.each(self._states(embedded, dtype))
        wanted = ids[1:].reshape(-1)
        real = (wanted != PADDING).nonzero().squeeze(1)
        flat = states.reshape(-1, self.sizes.hidden).index_select(0, real)
        return mean_cross_entropy(flat, self.output, self.output_bias, wanted.index_select(0, real), dtype)

    def score(self, samples: Tensor, real: Tensor, dtype: torch.dtype | None = None) -> Tensor:
        """The log-probability of each sentence z_1 ... z_T, in nats, (B).

        samples: (T, B, V), one-hot or relaxed. real: (T, B), zero behind a sentence's end. Differentiable in
        the samples, both as input of the next step and as targets of the model; without
        dropout. dtype: of the matrix products, by default the samples' dtype.
        """
        dtype = dtype or samples.dtype
        begin = self.embedding[BEGIN].expand(1, samples.shape[1], -1)
        states = self._states(torch.cat([begin, project(samples[:-1], self.embedding, dtype)]), dtype)
        logs = (project(states, self.output.t(), dtype) + self.output_bias).log_softmax(2)
        return ((samples * logs).sum(2) * real).sum(0)

    def _states(self, embedded: Tensor, dtype: torch.dtype) -> Tensor:
        """The LSTM's outputs; on a CPU in float32, since without AVX-512 torch has no LSTM in bf16 there."""
        where = embedded.device.type
        with torch.autocast(where, dtype, enabled=where != "cpu" and dtype == torch.bfloat16):
            return self.lstm(embedded)[0].to(embedded.dtype)

    def write(self, path: Path, facts: dict[str, Any]) -> None:
        """Write parameters, sizes and `facts` (JSON values) as one file; the same model, the same bytes."""
        write_model(path, "prior", self, {"sizes": asdict(self.sizes), **facts})

    @classmethod
    def read(cls, path: Path) -> tuple[Prior, dict[str, Any]]:
        """A prior and its facts; InputError if the file is not one that `write` wrote."""
        return read_model(
            path, "prior", lambda facts: cls(PriorSizes(**facts.pop("sizes"))), "language-model prior"
        )
