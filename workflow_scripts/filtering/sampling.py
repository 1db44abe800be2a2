"""Seeded samples of line numbers, disjoint as long as there are lines."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from workflow_scripts.core.errors import InputError


def choose(
    total: int, sizes: Mapping[str, int], seed: int, pool: Path, *, disjoint: bool = False
) -> dict[str, np.ndarray]:
    """Draw one sample of line numbers (from 0, ascending) for each name from a pool of `total` lines.

    The pool is shuffled once and dealt out in the order of the names, so that samples are disjoint while it
    lasts. Then the dealing starts again from the top: a sample never holds a line twice, and never more than
    the pool. With `disjoint` it ends there: a sample has what is left, and if that is nothing, InputError
    says so. Every shortage is reported on stderr.
    """
    order = np.random.default_rng(seed).permutation(total)
    start = 0
    samples = {}
    for name, size in sizes.items():
        there = total - start if disjoint else total
        taken = min(size, there)
        if disjoint and not there:
            fix = "ask for smaller samples before it"
            raise InputError(f"no line is left for the sample {name}", path=pool, fix=fix)
        if taken < size:
            print(f"{pool}: only {there} lines for the sample {name} of {size}", file=sys.stderr)
        shared = max(0, min(taken, start + taken - total))
        if shared:
            print(f"{pool}: the sample {name} shares {shared} lines with earlier ones", file=sys.stderr)
        samples[name] = np.sort(order[np.arange(start, start + taken) % max(total, 1)])
        start += taken
    return samples
