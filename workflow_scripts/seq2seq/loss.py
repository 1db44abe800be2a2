"""The output layer and its loss in one function that never stores the probabilities of all tokens."""

from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from workflow_scripts.seq2seq.products import multiply

ROWS = 256
"""Tokens per product: few enough for the cache, enough for the matrix kernels."""


@lru_cache(maxsize=4)
def _room(use: str, words: int, dtype: torch.dtype, device: torch.device) -> Tensor:
    """The memory for one chunk, reused between calls: fresh memory costs as much as a small product."""
    return torch.empty(ROWS, words, dtype=dtype, device=device)


class CrossEntropy(torch.autograd.Function):
    """The mean negative log-probability of target tokens, in nats, with label smoothing.

    vectors: (N, E) of the decoder. weight: (V, E) the output layer. bias: (V). targets: (N) ids. The target
    symbol has the probability 1 - smoothing, and smoothing is spread evenly over all V symbols, including the
    target (as in Sockeye). The forward pass also computes the gradients, chunk by chunk, as soon as the
    probabilities of a chunk are known.
    """

    @staticmethod
    def forward(
        ctx: Any,
        vectors: Tensor,
        weight: Tensor,
        bias: Tensor,
        targets: Tensor,
        dtype: torch.dtype,
        smoothing: float,
    ) -> Tensor:
        """Loss, and gradients if any are needed."""
        training = any(ctx.needs_input_grad)
        matrix = weight.to(dtype)
        room = _room("probabilities", len(weight), vectors.dtype, weight.device)
        every = torch.arange(ROWS, device=weight.device)
        share = 1 / len(targets)
        loss = vectors.new_zeros(())
        of_vectors, of_bias = torch.zeros_like(vectors), torch.zeros_like(bias)
        # Transposed, so that the smaller operand of the product is the one that is copied to another layout.
        of_weight = weight.new_zeros(weight.shape[1], len(weight))
        for start in range(0, len(targets), ROWS):
            rows = vectors[start : start + ROWS].to(dtype)
            wanted = targets[start : start + ROWS].unsqueeze(1)
            logits = multiply(rows, matrix.t(), bias.to(dtype)).to(vectors.dtype)
            probabilities = torch.softmax(logits, 1, out=room[: len(rows)])
            total = logits.amax(1) - probabilities.amax(1).log()
            right = logits.gather(1, wanted).squeeze(1)
            losses = total - (1 - smoothing) * right
            if smoothing:
                losses -= smoothing * logits.mean(1)
            loss += losses.sum() * share
            if training:
                gradient = probabilities.sub_(smoothing / len(weight)) if smoothing else probabilities
                gradient[every[: len(rows)], wanted.squeeze(1)] -= 1 - smoothing
                of_bias.add_(gradient.sum(0), alpha=share)
                inner = gradient.to(dtype)
                of_vectors[start : start + ROWS] = multiply(inner, matrix)
                of_weight.add_(multiply(rows.t(), inner), alpha=share)
        if training:
            ctx.save_for_backward(of_vectors.mul_(share), of_weight.t().contiguous(), of_bias)
        return loss

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients from `forward`, multiplied by the gradient of the loss."""
        (scale,) = gradients
        return (*(gradient * scale for gradient in ctx.saved_tensors), None, None, None)
