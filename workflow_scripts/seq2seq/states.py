"""The interface between a model and the search, and its implementation for the bi-LSTM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.kernels import Source, fixed, step
from workflow_scripts.seq2seq.model import Model
from workflow_scripts.seq2seq.products import Fixed, multiply

BLOCK = 64
"""Ids per block of a distribution: the output layer is padded to a multiple of it."""

LOWEST = float("-inf")


class State(Protocol):
    """The states of the open hypotheses in one model, one row each."""

    def step(self, words: Tensor, probabilities: Tensor) -> None:
        """Read one word per hypothesis; write the distribution of the next word to `probabilities` (R, V)."""

    def follow(self, parents: Tensor) -> None:
        """Continue with these rows only."""

    def spread(self, sentences: Tensor) -> None:
        """Assign each row the source of its sentence; rows of a sentence are adjacent and in order."""


class Member(Protocol):
    """One model of an ensemble, folded for search."""

    def begin(self, source: Tensor, lengths: Tensor) -> State:
        """Encode a batch, (S, N) ids; one hypothesis per sentence."""


def output_layer(embedding: Tensor, bias: Tensor, dtype: torch.dtype) -> tuple[Fixed, Tensor]:
    """The output layer's matrix (D, V) and bias; V is padded to whole blocks with impossible symbols."""
    spare = -len(bias) % BLOCK
    matrix = torch.nn.functional.pad(embedding.to(dtype), (0, 0, 0, spare)).t()
    return Fixed(matrix), torch.nn.functional.pad(bias, (0, spare), value=LOWEST).to(dtype)


class RecurrentMember:
    """A bi-LSTM translation model, folded for search."""

    def __init__(self, model: Model, device: torch.device, dtype: torch.dtype) -> None:
        """The model is moved to the device."""
        self.model, self.dtype = model.to(device), dtype
        sizes = model.sizes
        self.embedding, self.hidden = sizes.embedding, sizes.hidden
        with torch.no_grad():
            self.weights = fixed(model.weights(), dtype)
            self.words = model.words(model.embedding, dtype)
            self.output, self.bias = output_layer(model.embedding, model.output_bias, dtype)

    def begin(self, source: Tensor, lengths: Tensor) -> RecurrentState:
        """Encode a batch, (S, N) ids; one hypothesis per sentence."""
        embedded = torch.nn.functional.embedding(source, self.model.embedding)
        encoded, hidden, memory = self.model.encode(embedded, lengths, Dropout(), self.dtype)
        inputs = torch.cat([hidden.new_zeros(len(hidden), self.embedding), hidden], 1)
        return RecurrentState(self, encoded, encoded, inputs, memory)


@dataclass
class RecurrentState:
    """The states of the open hypotheses in one model; one row each, except in `encoded`."""

    member: RecurrentMember
    encoded: Source
    """One row per sentence of the batch."""
    source: Source
    inputs: Tensor
    """(R, E + H) attentional vector and hidden state."""
    memory: Tensor

    def step(self, words: Tensor, probabilities: Tensor) -> None:
        """Read one word per hypothesis; write the distribution of the next word to `probabilities` (R, V)."""
        member = self.member
        sums = member.words.index_select(0, words)
        done = step(member.weights, self.source, sums, self.inputs, self.memory)
        self.inputs = torch.cat([done.vector, done.joined[:, : member.hidden]], 1)
        self.memory = done.memory
        logits = multiply(done.vector.to(member.output.dtype), member.output, member.bias)
        torch.softmax(logits, 1, dtype=torch.float32, out=probabilities)

    def follow(self, parents: Tensor) -> None:
        """Continue with these rows only."""
        self.inputs = self.inputs.index_select(0, parents)
        self.memory = self.memory.index_select(0, parents)

    def spread(self, sentences: Tensor) -> None:
        """Assign each row the source of its sentence."""
        self.source = Source(*(part.index_select(0, sentences) for part in self.encoded))
