"""Random numbers: each use, and each update, has a separate stream."""

import numpy as np
import torch

from workflow_scripts.seq2seq.seeds import seed_of

WEIGHTS, ORDER, DROPOUT, SAMPLE, NOISE, GUMBEL, GUMBEL_DROPOUT, SAMPLE_DROPOUT = range(8)
"""The uses of random numbers. A further use never shifts the numbers of another."""


class Streams:
    """The streams of one update: functions of the seed, the use and the update, without a state."""

    def __init__(self, seed: int, update: int, device: torch.device, *, dev: bool = False) -> None:
        """`dev`: for the validation loss; there `update` is the number of the batch, the same each time."""
        self.seed, self.update, self.device, self.dev = seed, update, device, dev

    def numpy(self, use: int) -> np.random.Generator:
        """A generator of numpy."""
        return np.random.default_rng(self._parts(use))

    def torch(self, use: int) -> torch.Generator:
        """A generator of torch, on the device."""
        return torch.Generator(self.device).manual_seed(seed_of(*self._parts(use)))

    def _parts(self, use: int) -> list[int]:
        return [self.seed, use, self.update, int(self.dev)]
