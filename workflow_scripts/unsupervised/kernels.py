"""The decoder's recurrence: its step, and all steps over given words with a backward pass of its own.

A decoder reads a weighted sum of a few pooled source states, by MLP attention. That sum enters the next
step's gates and the attentional vector linearly, so both are projected once per pooled state instead of once
per step, and a step sums projections. The attentional vectors are not part of the recurrence, and are
computed for all steps at once.

As in `seq2seq.kernels`, products of matrices are computed in the type of the weights that are passed in, and
each weight's gradient is one large product at the end.

The step's query is one small product; the tanh of the attention falls on a few pools only.

Symbols: T target steps, P pools of source steps, B sentences, E embedding units, H units of the decoder.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from workflow_scripts.seq2seq.kernels import cell, cell_backward, tanh
from workflow_scripts.seq2seq.products import product


class Source(NamedTuple):
    """The parts of the encoded source that a decoder reads, and its first states."""

    keys: Tensor
    """(B, P, H) the pools' share of the attention's layer, with its bias."""
    feed: Tensor
    """(B, P, 4H) the pools' share of the next step's gates: input feeding."""
    read: Tensor
    """(B, P, H) the pools' share of the attentional vector."""
    padding: Tensor
    """(B, P) zero, and minus infinity for a pool behind a sentence's end."""
    hidden: Tensor
    """(B, H)"""
    memory: Tensor
    """(B, H)"""

    def of(self, sentences: slice | Tensor) -> Source:
        """The same of some of the sentences."""
        return Source(*(part[sentences] for part in self))


def attend(keys: Tensor, padding: Tensor, query: Tensor, score: Tensor) -> tuple[Tensor, Tensor]:
    """The distribution over the pools, (B, P), and the attention's layer, (B, P, H).

    query: (B, H), the hidden state's share of the layer. score: (H), from the layer to a pool's score.
    """
    layer = tanh(keys + query.unsqueeze(1))
    return torch.softmax((layer @ score).add_(padding), 1), layer


class Attended(NamedTuple):
    """The gradients of one step of the attention."""

    keys: Tensor
    """(B, P, H)"""
    query: Tensor
    """(B, H)"""
    score: Tensor
    """(H)"""


def attend_backward(above: Tensor, distribution: Tensor, layer: Tensor, score: Tensor) -> Attended:
    """The gradients of the inputs of `attend`; `above` is that of the distribution."""
    scores = torch.ops.aten._softmax_backward_data(above, distribution, 1, distribution.dtype)
    inner = torch.ops.aten.tanh_backward(scores.unsqueeze(2) * score, layer)
    return Attended(inner, inner.sum(1), torch.mv(layer.flatten(0, 1).t(), scores.flatten()))


def weigh(distribution: Tensor, values: Tensor) -> Tensor:
    """The weighted sum of values: (B, P) and (B, P, N) give (B, N)."""
    return torch.bmm(distribution.unsqueeze(1), values).squeeze(1)


def weigh_backward(above: Tensor, values: Tensor) -> Tensor:
    """The gradient of the distribution of `weigh`; `above` is that of the sum.

    A row times a matrix: a matrix times a column takes eight times as long on a CPU.
    """
    return weigh(above, values.mT)


class Decoding(torch.autograd.Function):
    """Hidden states (T, B, H) and attention distributions (T, B, P) of the decoder over given words.

    sums: (T, B, 4H), the words' share of the gates. keys, feed, padding, hidden, memory: of a `Source`.
    recurrent: (H, 4H), from the last hidden state to the gates. query: (H, H) and score: (H), of the
    attention. mask: (T, B, P), the dropout of the distributions, or None. dtype: of the products.
    """

    @staticmethod
    def forward(
        ctx: Any,
        sums: Tensor,
        keys: Tensor,
        feed: Tensor,
        padding: Tensor,
        hidden: Tensor,
        memory: Tensor,
        recurrent: Tensor,
        query: Tensor,
        score: Tensor,
        mask: Tensor | None,
        dtype: torch.dtype,
    ) -> tuple[Tensor, Tensor]:
        """Loop over the steps and keep the tensors that `backward` needs."""
        matrix, asking = recurrent.to(dtype), query.to(dtype)
        steps, batch, _ = sums.shape
        states = sums.new_empty(steps, batch, hidden.shape[1])
        distributions = sums.new_empty(steps, batch, keys.shape[1])
        first, kept = hidden, []
        for step in range(steps):
            gates = product(hidden, matrix).add_(sums[step])
            if step:
                gates += weigh(distributions[step - 1], feed)
            before = memory
            hidden, memory, squashed = cell(gates, before)
            states[step] = hidden
            whole, layer = attend(keys, padding, product(hidden, asking), score)
            distributions[step] = whole if mask is None else whole * mask[step]
            kept.append((gates, before, squashed, whole, layer))
        ctx.save_for_backward(first, states, distributions, feed, recurrent, query, score, mask)
        ctx.kept, ctx.dtype = kept, dtype
        return states, distributions

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Loop back; then one product for the weight and one for the projection."""
        above, looked = gradients
        first, states, distributions, feed, recurrent, query, score, mask = ctx.saved_tensors
        steps, batch, units = states.shape
        back, asking = (matrix.to(ctx.dtype).t().contiguous() for matrix in (recurrent, query))
        sums, queries = states.new_empty(steps, batch, 4 * units), torch.empty_like(states)
        of_keys, of_score = None, torch.zeros_like(score)
        memory, hidden = torch.zeros_like(first), torch.zeros_like(first)
        for step in reversed(range(steps)):
            gates, before, squashed, whole, layer = ctx.kept[step]
            attention = looked[step]
            if step < steps - 1:
                attention = attention + weigh_backward(sums[step + 1], feed)
            if mask is not None:
                attention = attention * mask[step]
            attended = attend_backward(attention, whole, layer, score)
            of_keys = attended.keys if of_keys is None else of_keys.add_(attended.keys)
            of_score += attended.score
            queries[step] = attended.query
            hidden = product(attended.query, asking).add_(hidden).add_(above[step])
            memory = cell_backward(hidden, memory, gates, before, squashed, sums[step])
            hidden = product(sums[step], back)
        inputs = torch.cat([first.unsqueeze(0), states[:-1]])
        of_recurrent = product(inputs.view(-1, units).t(), sums.view(-1, 4 * units).to(ctx.dtype))
        of_query = product(states.view(-1, units).t(), queries.view(-1, units).to(ctx.dtype))
        of_feed = torch.bmm(distributions[:-1].permute(1, 2, 0), sums[1:].transpose(0, 1))
        return sums, of_keys, of_feed, None, hidden, memory, of_recurrent, of_query, of_score, None, None
