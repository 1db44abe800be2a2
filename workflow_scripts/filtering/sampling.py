"""Seeded samples of line numbers from one pool, disjoint or independent."""

import sys
from collections.abc import Collection, Mapping
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np

from workflow_scripts.core.errors import InputError

# How samples of one pool share it; see `choose`.
Draws = Literal["disjoint", "strict", "independent"]


def choose(
    total: int,
    sizes: Mapping[str, int],
    seed: int,
    pool: Path,
    *,
    draws: Draws = "disjoint",
    apart: Collection[str] = (),
) -> dict[str, np.ndarray]:
    """Draw one sample of line numbers (from 0, ascending) for each name from a pool of `total` lines.

    disjoint: the pool is shuffled once and dealt out in the order of the names, so that samples are disjoint
    while it lasts; then dealing restarts at the top. strict: dealing stops there, and a sample has only the
    lines that are left. independent: each sample is drawn from the whole pool, regardless of the others; only
    those in `apart` are drawn first, and share no line with another sample. No sample holds a line twice, or
    more lines than the pool. Stderr reports every shortage, and the lines that disjoint samples share.
    Raises InputError if no line is left for a sample.
    """
    if draws == "independent":
        return _independent(total, sizes, seed, pool, apart)
    order = np.random.default_rng(seed).permutation(total)
    start = 0
    samples = {}
    for name, size in sizes.items():
        taken = _taken(name, size, total - start if draws == "strict" else total, pool, draws == "strict")
        shared = max(0, min(taken, start + taken - total))
        if shared:
            print(f"{pool}: the sample {name} shares {shared} lines with earlier ones", file=sys.stderr)
        samples[name] = np.sort(order[np.arange(start, start + taken) % max(total, 1)])
        start += taken
    return samples


def _independent(
    total: int, sizes: Mapping[str, int], seed: int, pool: Path, apart: Collection[str]
) -> dict[str, np.ndarray]:
    """Samples that each have their own random numbers, seeded by name."""
    left = np.arange(total)
    samples = {}
    for name in sorted(sizes, key=lambda name: name not in apart):
        taken = _taken(name, sizes[name], len(left), pool, bool(apart))
        random = np.random.default_rng([seed, *name.encode()])
        samples[name] = np.sort(left[random.permutation(len(left))[:taken]])
        if name in apart:
            left = np.setdiff1d(left, samples[name], assume_unique=True)
    return {name: samples[name] for name in sizes}


def _taken(name: str, size: int, available: int, pool: Path, required: bool) -> int:
    """The number of lines a sample takes; with `required`, InputError if none is available."""
    if required and not available:
        fix = "ask for smaller samples before it"
        raise InputError(f"no line is left for the sample {name}", path=pool, fix=fix)
    if available < size:
        print(f"{pool}: only {available} lines for the sample {name} of {size}", file=sys.stderr)
    return min(size, available)


def common(first: str, second: str) -> str:
    """The name, in a table of counts, of the lines that two samples share."""
    return f"{first} and {second}"


def counted(samples: Mapping[str, np.ndarray], total: int) -> dict[str, int]:
    """The sizes of the pool and of its samples, and the number of lines each two samples share."""
    sizes = {name: len(numbers) for name, numbers in samples.items()}
    shared = {
        common(first, second): len(np.intersect1d(samples[first], samples[second], assume_unique=True))
        for first, second in combinations(samples, 2)
    }
    return {"pool": total, **sizes, **shared}
