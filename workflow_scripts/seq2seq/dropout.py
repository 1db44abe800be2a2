"""Dropout whose random numbers are a function of the seed and the update."""

import math

import torch
from torch import Tensor


class Dropout:
    """Dropout with separate random numbers, a function of seed and update; does nothing without a rate.

    An element takes 16 random bits, so that few calls of the generator are needed: the rate is rounded to a
    multiple of 1 / 65,536, and is less than 1.
    """

    def __init__(self, rate: float = 0.0, generator: torch.Generator | None = None) -> None:
        """`generator`: on the device of the tensors; needed only where `rate` > 0."""
        self.rate = rate
        self.generator = generator

    def mask(self, shape: tuple[int, ...], like: Tensor) -> Tensor | None:
        """A mask of zeros and 1 / (1 - rate), or None without dropout."""
        if not self.rate:
            return None
        count = math.prod(shape)
        words = torch.empty(-(-count // 4), dtype=torch.int64, device=like.device)
        bits = words.random_(-(2**63), None, generator=self.generator).view(torch.int16)[:count]
        least = min(round(self.rate * 2**16), 2**16 - 1) - 2**15
        return (bits >= least).view(shape).to(like.dtype).mul_(1 / (1 - self.rate))

    def each(self, x: Tensor) -> Tensor:
        """Drop individual elements."""
        mask = self.mask(tuple(x.shape), x)
        return x if mask is None else x * mask

    def same(self, x: Tensor, steps: int) -> Tensor:
        """Drop the same elements at every step; `steps` is the dimension of the steps."""
        shape = list(x.shape)
        shape[steps] = 1
        mask = self.mask(tuple(shape), x)
        return x if mask is None else x * mask
