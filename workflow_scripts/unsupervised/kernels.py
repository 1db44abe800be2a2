"""The decoder's recurrence: its step, and all steps over given words with a backward pass of its own.

What a decoder reads of the source is a softmax-weighted sum of a few pooled states; and what becomes of that
sum is linear: a share of the next step's gates, and a share of the attentional vector. Both are projected
once per pooled state instead of once per step, so that a step sums projections. The attentional vectors are
no part of the recurrence, and are made for all steps at once.

As in `seq2seq.kernels`, products of matrices are computed in the type of the weights that are passed in, and
each weight's gradient is one large product at the end.

Symbols: T target steps, P pools of source steps, B sentences, E embedding units, H units of the decoder.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch import Tensor

from workflow_scripts.seq2seq.kernels import affine, cell, cell_backward, product


class Source(NamedTuple):
    """What a decoder reads of the encoded source, and its first states."""

    keys: Tensor
    """(B, P, H) what a hidden state is multiplied with: the score of a pool."""
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


def attend(keys: Tensor, padding: Tensor, hidden: Tensor) -> Tensor:
    """The distribution over the pools, (B, P), of dot-product attention."""
    scores = torch.bmm(keys, hidden.unsqueeze(2)).squeeze(2)
    return torch.softmax(scores.add_(padding), 1)


def attend_backward(above: Tensor, distribution: Tensor, keys: Tensor) -> tuple[Tensor, Tensor]:
    """The gradients of the scores and of the hidden state; `above` is that of the distribution."""
    scores = torch.ops.aten._softmax_backward_data(above, distribution, 1, distribution.dtype)
    return scores, weigh(scores, keys)


def weigh(distribution: Tensor, values: Tensor) -> Tensor:
    """The weighted sum of values: (B, P) and (B, P, N) give (B, N)."""
    return torch.bmm(distribution.unsqueeze(1), values).squeeze(1)


class Decoding(torch.autograd.Function):
    """Hidden states (T, B, H) and attention distributions (T, B, P) of the decoder over given words.

    sums: (T, B, 4H), the words' share of the gates. keys, feed, padding, hidden, memory: of a `Source`.
    recurrent: (H, 4H), from the last hidden state to the gates. dtype: of the products.
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
        dtype: torch.dtype,
    ) -> tuple[Tensor, Tensor]:
        """Loop over the steps and keep what `backward` needs."""
        matrix = recurrent.to(dtype)
        steps, batch, _ = sums.shape
        states = sums.new_empty(steps, batch, hidden.shape[1])
        distributions = sums.new_empty(steps, batch, keys.shape[1])
        first, kept = hidden, []
        for step in range(steps):
            gates = affine(hidden, matrix).to(sums.dtype).add_(sums[step])
            if step:
                gates += weigh(distributions[step - 1], feed)
            before = memory
            hidden, memory, squashed = cell(gates, before)
            states[step] = hidden
            distributions[step] = attend(keys, padding, hidden)
            kept.append((gates, before, squashed))
        ctx.save_for_backward(first, states, distributions, keys, feed, recurrent)
        ctx.kept, ctx.dtype = kept, dtype
        return states, distributions

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """Loop back; then one product for the weight and one for what was projected."""
        above, looked = gradients
        first, states, distributions, keys, feed, recurrent = ctx.saved_tensors
        steps, batch, units = states.shape
        back = recurrent.to(ctx.dtype).t()
        sums = states.new_empty(steps, batch, 4 * units)
        scores = torch.empty_like(distributions)
        memory, hidden = torch.zeros_like(first), torch.zeros_like(first)
        for step in reversed(range(steps)):
            gates, before, squashed = ctx.kept[step]
            attention = looked[step]
            if step < steps - 1:
                attention = attention + torch.bmm(feed, sums[step + 1].unsqueeze(2)).squeeze(2)
            scores[step], query = attend_backward(attention, distributions[step], keys)
            hidden = query.add_(hidden).add_(above[step])
            memory = cell_backward(hidden, memory, gates, before, squashed, sums[step])
            hidden = product(sums[step], back)
        inputs = torch.cat([first.unsqueeze(0), states[:-1]])
        of_recurrent = product(inputs.view(-1, units).t(), sums.view(-1, 4 * units).to(ctx.dtype))
        of_keys = torch.bmm(scores.permute(1, 2, 0), states.transpose(0, 1))
        of_feed = torch.bmm(distributions[:-1].permute(1, 2, 0), sums[1:].transpose(0, 1))
        return sums, of_keys, of_feed, None, hidden, memory, of_recurrent, None
