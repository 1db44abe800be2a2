"""Matrix products, computed by the fastest library for their size.

Large float32 products on a CPU call oneDNN directly: torch would call MKL, which takes twice as long on AMD's
processors since Zen 5. On older ones MKL is faster up to a larger size, and on Intel's always, so that there
oneDNN is called only for matrices that are laid out for it. So it is in bf16, where torch itself calls oneDNN
for the others. The choice depends on the processor's maker and family, not on measured times, so that the
same processor always computes the same digits.
"""

import math
from functools import cache
from typing import Any

import torch
from torch import Tensor, nn

from workflow_scripts.core.provenance import family, maker

SMALL = 2**20
"""The number of multiply-adds up to which the overhead of a oneDNN call exceeds its gain."""
LARGE = 2**23
"""The same on older processors of AMD's, where MKL is as fast (measured on Zen 4)."""
ZEN_5 = 26
"""The first family of AMD's processors that compute 512 bits in one step, which MKL does not make use of."""
COPYING = 2**7
"""The number of multiply-adds that take as long as copying one element of the left operand."""


class Fixed:
    """A matrix (K, M) that is the right operand of many products, stored once in oneDNN's layout.

    oneDNN converts any other matrix for each product, which takes an eighth of its time; in bf16, for a few
    rows, about half.
    """

    def __init__(self, weight: Tensor) -> None:
        """Both layouts are kept, since torch computes the small products of float32."""
        self.weight, self.dtype = weight, weight.dtype
        self.laid_out: Tensor | None = None
        if _is_for_onednn(weight) or _has_layout_in_bf16(weight):
            self.laid_out = torch.ops.mkldnn._reorder_linear_weight(weight.detach().t().contiguous())


@cache
def _least() -> float:
    """The number of multiply-adds up to which a product of float32 is left to torch."""
    if not torch.backends.mkl.is_available():
        return SMALL
    if maker() == "GenuineIntel":
        return math.inf
    return LARGE if maker() == "AuthenticAMD" and 0 < family() < ZEN_5 else SMALL


def _has_onednn(x: Tensor) -> bool:
    return x.device.type == "cpu" and torch.backends.mkldnn.is_available()


def _is_for_onednn(x: Tensor) -> bool:
    return x.dtype == torch.float32 and _has_onednn(x)


def _has_layout_in_bf16(x: Tensor) -> bool:
    return x.dtype == torch.bfloat16 and _has_onednn(x) and torch.ops.mkldnn._is_mkldnn_bf16_supported()


def _is_left_to_onednn(x: Tensor, weight: Tensor, laid_out: Tensor | None = None) -> bool:
    """Whether a product of float32 is large enough to call oneDNN, and not torch."""
    rows, inner = x.shape[-2:]
    least = _least() if laid_out is None else SMALL
    if not x.is_contiguous():
        least += COPYING * rows * inner
    return rows * inner * weight.shape[-1] > least and _is_for_onednn(x)


def multiply(x: Tensor, weight: Tensor | Fixed, bias: Tensor | None = None) -> Tensor:
    """Compute `x @ weight + bias` without gradient, for matrices of one type, contiguous or not.

    x: (N, K), weight: (K, M), bias: (M). Or a batch of products: (D, N, K) and (D, K, M), without bias.
    """
    laid_out = None
    if isinstance(weight, Fixed):
        laid_out = weight.laid_out
        weight = weight.weight
    if x.dtype == torch.bfloat16 and laid_out is not None:
        return _by_onednn(x, laid_out, bias)
    if not _is_left_to_onednn(x, weight, laid_out):
        return x @ weight if bias is None else torch.addmm(bias, x, weight)
    if x.dim() > 2:
        return torch.stack([_by_onednn(left, right.t()) for left, right in zip(x, weight, strict=True)])
    return _by_onednn(x, weight.t() if laid_out is None else laid_out, bias)


def add_product(total: Tensor, x: Tensor, weight: Tensor) -> None:
    """Add `x @ weight` to `total`, without gradient, and in the product itself where that is torch's.

    total: (N, M), x: (N, K), weight: (K, M); x and weight are of one type, which may be another than total's.
    """
    if x.dtype != total.dtype or _is_left_to_onednn(x, weight):
        total += multiply(x, weight)
    else:
        total.addmm_(x, weight)


def _by_onednn(x: Tensor, transposed: Tensor, bias: Tensor | None = None) -> Tensor:
    return torch.ops.mkldnn._linear_pointwise(x, transposed, bias, "none", [], "")


def product(x: Tensor, weight: Tensor | Fixed, bias: Tensor | None = None) -> Tensor:
    """Like `multiply`, but computed in the type of `weight` and `bias`, and returned in the type of `x`."""
    if x.dtype == weight.dtype:
        return multiply(x, weight, bias)
    return multiply(x.to(weight.dtype), weight, bias).to(x.dtype)


class Linear(torch.autograd.Function):
    """Compute `x @ weight + bias` with gradients; x, weight and bias as in `multiply`.

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
    """Compute `x @ weight` with gradients, in `dtype`; x: (..., K), weight: (K, M)."""
    return Linear.apply(x.reshape(-1, x.shape[-1]), weight, None, dtype).view(*x.shape[:-1], weight.shape[1])


class FastLinear(nn.Linear):
    """torch's linear layer computed by `Linear`; if its input is not float32, computed by torch."""

    def forward(self, x: Tensor) -> Tensor:
        """Compute `x @ weight.T + bias`; x: (..., in_features)."""
        if x.dtype != torch.float32 or torch.is_autocast_enabled(x.device.type):
            return super().forward(x)
        flat = x.reshape(-1, self.in_features)
        outputs = Linear.apply(flat, self.weight.t(), self.bias, torch.float32)
        return outputs.view(*x.shape[:-1], self.out_features)


def use_fast_products(model: nn.Module) -> None:
    """Unless MKL is fast, replace all torch linear layers of a model by `FastLinear`; parameters stay.

    Where it is, they would make a training of a small model longer by a sixth, and that of a large one hardly
    shorter.
    """
    if _least() > SMALL:
        return
    for layer in model.modules():
        if type(layer) is nn.Linear:
            layer.__class__ = FastLinear
