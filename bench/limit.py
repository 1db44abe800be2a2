"""How fast a piece of work is, and could be if it were nothing but matrix products at full rate."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from machine import wait_for
from turns import Clock

if TYPE_CHECKING:
    import torch

COLUMNS = ("limit", "share")
SIDE = 2048
"""Rows and columns of the product that measures the peak."""


class Work(NamedTuple):
    """What is measured, after a part of it that does not count."""

    warm_up: Callable[[], object]
    run: Callable[[], object]
    amount: int
    """Tokens or sentences of `run`."""

    def speed(self, clock: Clock, where: torch.device) -> float:
        """The amount per second of the clock."""
        self.warm_up()
        return self.amount / _seconds(self.run, clock, where)

    def limit(self, peak: float) -> float:
        """The amount per second if the matrix products took all the time, at `peak` operations a second."""
        return self.amount * peak / operations(self.run)


def operations(work: Callable[[], object]) -> int:
    """Multiplications and additions of all products of matrices; those with vectors are left out."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    def linear(x: Sequence[int], weight: Sequence[int], *_: Any, **__: Any) -> int:
        return 2 * math.prod(x) * weight[0]

    def adding(_: Sequence[int], x: Sequence[int], weight: Sequence[int], **__: Any) -> int:
        return 2 * math.prod(x) * weight[1]

    # torch does not know the one of oneDNN, nor the one that adds in place.
    known: dict[Any, Any] = {torch.ops.mkldnn._linear_pointwise: linear, torch.ops.aten.addmm_: adding}
    with FlopCounterMode(display=False, custom_mapping=known) as counter:
        work()
    return counter.get_total_flops()


def peak(where: torch.device, dtype: torch.dtype, clock: Clock) -> float:
    """Operations a second of a large product, by the fastest library: the best of several."""
    import torch

    from workflow_scripts.seq2seq.products import multiply

    left, right = (torch.randn(SIDE, SIDE, device=where).to(dtype) for _ in range(2))
    ways = (lambda: left @ right, lambda: multiply(left, right))
    with torch.inference_mode():
        best = min(_seconds(way, clock, where) for _ in range(5) for way in ways)
    return 2 * SIDE**3 / best


def cells(limit: float, speed: float) -> list[str]:
    """The limit of some work, and the share of it that `speed` reaches."""
    return [f"{limit:,.1f}", f"{speed / limit:.0%}"]


def _seconds(function: Callable[[], object], clock: Clock, where: torch.device) -> float:
    wait_for(where)
    begun = clock()
    function()
    wait_for(where)
    return clock() - begun
