"""The parts of the Transformer: the SSRU's loop over steps, attention, and positions.

Symbols: T target steps, S source steps, B sentences, D units, A heads. Steps come first: row t * B + b of a
flattened (T * B, D) is step t of sentence b.
"""

from functools import lru_cache
from typing import Any

import torch
from torch import Tensor

from workflow_scripts.seq2seq.dropout import Dropout

EPSILON = 1e-6
"""Added to the variance in layer normalisation."""
TABLE = 128
"""The number of steps whose sinusoids are computed together."""


class Ssru(torch.autograd.Function):
    """The simpler simple recurrent unit over all steps of given targets (Kim et al., 2019); (T, B, D).

        f_t = sigmoid(W_f x_t + b),  c_t = f_t * c_t-1 + (1 - f_t) * W x_t,  output ReLU(c_t);  c_0 = 0

    sums: (T, B, 2D), W_f x + b followed by W x. Only the weighted sum depends on the previous step.
    """

    @staticmethod
    def forward(ctx: Any, sums: Tensor) -> Tensor:
        """Loop over the steps."""
        forget, inner = sums.chunk(2, -1)
        forget = forget.sigmoid()
        cells = inner - forget * inner
        for step in range(1, len(cells)):
            cells[step].addcmul_(forget[step], cells[step - 1])
        ctx.save_for_backward(sums, forget, cells)
        return cells.relu()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor]:
        """Loop backwards over the steps."""
        (above,) = gradients
        sums, forget, cells = ctx.saved_tensors
        inner = sums.chunk(2, -1)[1]
        of_cells = above.masked_fill(cells <= 0, 0.0)
        for step in range(len(cells) - 1, 0, -1):
            of_cells[step - 1].addcmul_(forget[step], of_cells[step])
        result = torch.empty_like(sums)
        of_forget, of_inner = result.chunk(2, -1)
        torch.sub(of_cells, of_cells * forget, out=of_inner)
        torch.neg(inner, out=of_forget)
        of_forget[1:] += cells[:-1]
        of_forget.mul_(of_cells)
        torch.ops.aten.sigmoid_backward.grad_input(of_forget, forget, grad_input=of_forget)
        return (result,)


def attention(
    queries: Tensor, keys: Tensor, values: Tensor, padding: Tensor, dropout: Dropout | None = None
) -> Tensor:
    """Scaled dot-product attention of several heads; (T, B, D).

    queries: (T, B, A, D / A). keys, values: (S, B, A, D / A). padding: (B, S), zero, and minus infinity
    after the end of a sentence. dropout: applied to the distributions.
    """
    heads, width = queries.shape[2:]
    steps, batch = queries.shape[:2]

    def matrices(part: Tensor) -> Tensor:
        return part.permute(1, 2, 0, 3).reshape(batch * heads, len(part), width)

    mask = padding.repeat_interleave(heads, 0).unsqueeze(1)
    scores = torch.baddbmm(mask, matrices(queries), matrices(keys).transpose(1, 2), alpha=width**-0.5)
    distributions = torch.softmax(scores, -1)
    if dropout is not None:
        distributions = dropout.each(distributions)
    contexts = torch.bmm(distributions, matrices(values))
    return contexts.view(batch, heads, steps, width).permute(2, 0, 1, 3).reshape(steps, batch, heads * width)


def positions(steps: int, units: int, device: torch.device) -> Tensor:
    """The sinusoids that are added to embeddings, (steps, units): all sines, then all cosines."""
    return _sinusoids(-(-steps // TABLE) * TABLE, units, device)[:steps]


@lru_cache(maxsize=8)
def _sinusoids(steps: int, units: int, device: torch.device) -> Tensor:
    # Not an inference tensor: it is kept between calls, and training may use it after a search computed it.
    with torch.inference_mode(False):
        rates = 10000 ** (-2 * torch.arange(units // 2, device=device) / units)
        angles = torch.arange(steps, device=device).unsqueeze(1) * rates
        return torch.cat([angles.sin(), angles.cos()], 1)
