"""Seeds of random numbers: a separate one for each use, and for each update or epoch."""

import numpy as np

WEIGHTS, DROPOUT, ORDER, CORRUPTION = range(4)
"""The uses of random numbers."""


def seed_of(*parts: int) -> int:
    """A seed for torch, below 2^63, that depends on all parts; different parts give unrelated numbers."""
    return int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0] >> np.uint64(1))
