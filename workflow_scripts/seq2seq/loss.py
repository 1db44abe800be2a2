"""The output layer and its loss in one function that never stores the probabilities of all tokens."""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from workflow_scripts.seq2seq.products import add_product, multiply

ROWS = 256
"""Tokens per product: few enough for the cache, enough for the matrix kernels."""


class CrossEntropy(torch.autograd.Function):
    """The weighted sum of the negative log-probabilities of target tokens, and each of them, in nats.

    vectors: (N, E) of the decoder. weight: (V, E) the output layer. bias: (V) or None. targets: (N) ids.
    shares: (N) the weights in the sum. dtype: of the products. The target symbol has the probability
    1 - smoothing, and smoothing is spread evenly over all V symbols, including the target (as in Sockeye).
    The forward pass also computes the gradients, chunk by chunk, as soon as the probabilities of a chunk are
    known. The shares and the single values, (N), have no gradient.
    """

    @staticmethod
    def forward(
        ctx: Any,
        vectors: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        shares: Tensor,
        dtype: torch.dtype,
        smoothing: float,
    ) -> tuple[Tensor, Tensor]:
        """Loss, and gradients if any input requires them."""
        training = any(ctx.needs_input_grad)
        matrix, constant = weight.to(dtype), None if bias is None else bias.to(dtype)

        def logits_of(rows: Tensor) -> Tensor:
            return multiply(rows.to(dtype), matrix.t(), constant).to(vectors.dtype)

        each, smoothed = vectors.new_empty(len(targets)), vectors.new_zeros(len(targets))
        every = torch.arange(ROWS, device=vectors.device)
        on_cpu = vectors.device.type == "cpu"
        if training:
            of_vectors = torch.empty_like(vectors)
            # Transposed, so that the smaller operand of its product is the one that is laid out anew.
            of_weight = weight.new_zeros(weight.shape[1], len(weight))
            of_bias = None if bias is None else torch.zeros_like(bias)
        for start in range(0, len(targets), ROWS):
            part = slice(start, start + ROWS)
            rows, wanted = vectors[part], targets[part].unsqueeze(1)
            logits = logits_of(rows)
            right = logits.gather(1, wanted).squeeze(1)
            if smoothing:
                smoothed[part] = smoothing * (right - logits.mean(1))
            if on_cpu:
                # In place, as fresh memory costs as much as a small product. torch's kernel for a CPU reads
                # all that it needs of a number before it overwrites it.
                probabilities = torch.softmax(logits, 1, out=logits)
                each[part] = -probabilities.gather(1, wanted).squeeze(1).log()
            else:
                probabilities = torch.softmax(logits, 1)
                each[part] = logits.logsumexp(1) - right
            if training:
                gradient = probabilities.sub_(smoothing / len(weight)) if smoothing else probabilities
                gradient[every[: len(rows)], wanted.squeeze(1)] -= 1 - smoothing
                inner, share = gradient.to(dtype), shares[part].unsqueeze(1)
                of_vectors[part] = multiply(inner, matrix) * share
                add_product(of_weight, (rows * share).to(dtype).t(), inner)
                if of_bias is not None:
                    of_bias += (share.t() @ gradient).squeeze(0)
        if on_cpu:
            _replace_unlikely(each, vectors, targets, logits_of)
        each += smoothed
        ctx.mark_non_differentiable(each)
        if training:
            ctx.save_for_backward(of_vectors, of_weight.t().contiguous(), of_bias)
        return each @ shares, each

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients from `forward`, multiplied by the gradient of the sum."""
        scale = gradients[0]
        return (*(None if one is None else one * scale for one in ctx.saved_tensors), None, None, None, None)


def _replace_unlikely(
    each: Tensor, vectors: Tensor, targets: Tensor, logits_of: Callable[[Tensor], Tensor]
) -> None:
    """Compute values from logits where the probability is too small for a number of its type."""
    unlikely = (each > -math.log(torch.finfo(each.dtype).tiny)).nonzero().squeeze(1)
    for start in range(0, len(unlikely), ROWS):
        some = unlikely[start : start + ROWS]
        logits = logits_of(vectors[some])
        each[some] = logits.logsumexp(1) - logits.gather(1, targets[some].unsqueeze(1)).squeeze(1)


def weighted_cross_entropy(
    vectors: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    targets: Tensor,
    shares: Tensor,
    dtype: torch.dtype,
    smoothing: float = 0.0,
) -> tuple[Tensor, Tensor]:
    """`CrossEntropy`; without its gradients where torch records none, which takes a third of the time."""
    if not torch.is_grad_enabled():
        # The function itself sees only whether its inputs require gradients.
        vectors, weight = vectors.detach(), weight.detach()
        bias = None if bias is None else bias.detach()
    return CrossEntropy.apply(vectors, weight, bias, targets, shares, dtype, smoothing)


def mean_cross_entropy(
    vectors: Tensor, weight: Tensor, bias: Tensor, targets: Tensor, dtype: torch.dtype, smoothing: float = 0.0
) -> Tensor:
    """The mean of the values of `CrossEntropy`."""
    shares = vectors.new_full((len(targets),), 1 / len(targets))
    return weighted_cross_entropy(vectors, weight, bias, targets, shares, dtype, smoothing)[0]
