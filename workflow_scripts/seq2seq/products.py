"""Products of matrices, by the library that is fastest for their size.

In float32 on a CPU oneDNN is asked directly for large ones: torch would ask MKL, which on some processors
takes a fifth longer, or twice as long.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

SMALL = 2**20
"""Multiplications and additions of a product up to which oneDNN's own calls cost more than they save."""
COPYING = 2**7
"""As many of them take as long as laying out an element of the left side anew, where it has to be."""


class Fixed:
    """A matrix (K, M) that is on the right of many products, laid out once as oneDNN reads it.

    oneDNN lays out any other anew for each product, which takes an eighth of its time.
    """

    def __init__(self, weight: Tensor) -> None:
        """Both layouts are kept, since small products are torch's."""
        self.weight, self.dtype = weight, weight.dtype
        self.laid_out: Tensor | None = None
        if _is_for_onednn(weight):
            self.laid_out = torch.ops.mkldnn._reorder_linear_weight(weight.detach().t().contiguous())


def _is_for_onednn(x: Tensor) -> bool:
    return x.dtype == torch.float32 and x.device.type == "cpu" and torch.backends.mkldnn.is_available()


def multiply(x: Tensor, weight: Tensor | Fixed, bias: Tensor | None = None) -> Tensor:
    """`x @ weight + bias` without gradient, for matrices of one type, whether contiguous or not.

    x: (N, K), weight: (K, M), bias: (M). Or several products side by side: (D, N, K) and (D, K, M), no bias.
    """
    laid_out = None
    if isinstance(weight, Fixed):
        laid_out = weight.laid_out
        weight = weight.weight
    rows, inner = x.shape[-2:]
    least = SMALL + (0 if x.is_contiguous() else COPYING * rows * inner)
    if rows * inner * weight.shape[-1] <= least or not _is_for_onednn(x):
        return x @ weight if bias is None else torch.addmm(bias, x, weight)
    if x.dim() > 2:
        return torch.stack([_by_onednn(left, right.t()) for left, right in zip(x, weight, strict=True)])
    return _by_onednn(x, weight.t() if laid_out is None else laid_out, bias)


def _by_onednn(x: Tensor, transposed: Tensor, bias: Tensor | None = None) -> Tensor:
    return torch.ops.mkldnn._linear_pointwise(x, transposed, bias, "none", [], "")


def product(x: Tensor, weight: Tensor | Fixed, bias: Tensor | None = None) -> Tensor:
    """As `multiply`, in the type of `weight` and `bias`, returned in the type of `x`."""
    return multiply(x.to(weight.dtype), weight, bias).to(x.dtype)


class Linear(torch.autograd.Function):
    """`x @ weight + bias` with gradients; x, weight and bias as in `multiply`.

    The products are computed in `dtype`, inputs and outputs are float32.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, dtype: torch.dtype) -> Tensor:
        """Keep the tensors that `backward` needs."""
        rows, matrix = x.to(dtype), weight.to(dtype)
        ctx.save_for_backward(rows, matrix)
        ctx.types = x.dtype, weight.dtype
        return multiply(rows, matrix, None if bias is None else bias.to(dtype)).to(x.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        """The gradients of x, weight and bias."""
        (above,) = gradients
        rows, matrix = ctx.saved_tensors
        of_x, of_weight = ctx.types
        inner = above.to(rows.dtype)
        return (
            multiply(inner, matrix.mT).to(of_x) if ctx.needs_input_grad[0] else None,
            multiply(rows.mT, inner).to(of_weight) if ctx.needs_input_grad[1] else None,
            above.sum(0) if ctx.needs_input_grad[2] else None,
            None,
        )


def project(x: Tensor, weight: Tensor, dtype: torch.dtype) -> Tensor:
    """`x @ weight` with gradients, computed in `dtype`; x: (..., K), weight: (K, M)."""
    return Linear.apply(x.reshape(-1, x.shape[-1]), weight, None, dtype).view(*x.shape[:-1], weight.shape[1])


class FastLinear(nn.Linear):
    """torch's linear layer, its products by `Linear`; where its input is not float32, as torch has it."""

    def forward(self, x: Tensor) -> Tensor:
        """`x @ weight.T + bias`; x: (..., in_features)."""
        if x.dtype != torch.float32 or torch.is_autocast_enabled(x.device.type):
            return super().forward(x)
        flat = x.reshape(-1, self.in_features)
        outputs = Linear.apply(flat, self.weight.t(), self.bias, torch.float32)
        return outputs.view(*x.shape[:-1], self.out_features)


def use_fast_products(model: nn.Module) -> None:
    """Let all of torch's linear layers in a model be `FastLinear`: parameters and names stay."""
    for layer in model.modules():
        if type(layer) is nn.Linear:
            layer.__class__ = FastLinear
