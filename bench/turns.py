"""Another toolkit takes turns with ours at the same work: what both sides of such a bench share.

The other side is a script that runs in the toolkit's own environment (`elsewhere`, `answer`): here only the
standard library is imported for all.
"""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Clock = Callable[[], float]
Work = Callable[[Path, dict[str, Any], Clock], float]
"""Measures the work that a folder describes, with options, by a clock; the result is work per second."""

RATIOS = ("ratio at the limit", "ratio", "ratios")


def clock_for(threads: int, *, cuda: bool) -> Clock:
    """With one thread on a CPU processor time, so that what else the machine does counts little."""
    return time.process_time if threads == 1 and not cuda else time.perf_counter


def seconds_of(clock: Clock) -> str:
    """Which seconds a clock counts: a cell that keeps rows of different clocks apart."""
    return "processor" if clock is time.process_time else "wall"


def turns(
    name: str, ours: Callable[[], float], theirs: Callable[[], float] | None, repeats: int
) -> list[tuple[float, float]]:
    """Work per second of both, in each turn; that of the other side is NaN without it."""
    found = []
    for _ in range(repeats):
        mine = ours()
        found.append((mine, theirs() if theirs else float("nan")))
        print(f"{name}: {found[-1]}", file=sys.stderr, flush=True)
    return found


def beside(found: list[tuple[float, float]], limit: float) -> list[str]:
    """Cells: the other side's median, the ratio at our limit, the median of the turns' ratios, these."""
    ratios = [mine / theirs for mine, theirs in found]
    median = statistics.median(theirs for _, theirs in found)
    return [
        f"{median:,.1f}",
        f"{limit / median:.2f}",
        f"{statistics.median(ratios):.2f}",
        " ".join(f"{ratio:.2f}" for ratio in ratios),
    ]


def elsewhere(
    environment: Path, script: Path, folder: Path, work: str, options: Mapping[str, Any]
) -> Callable[[], float]:
    """A turn of the other side: `script`, which calls `answer`, in `environment`."""
    from workflow_scripts.core.errors import InputError

    threads = str(options["threads"])

    def turn() -> float:
        done = subprocess.run(
            [environment / "bin/python", script, folder, work, json.dumps(dict(options))],
            check=False,
            text=True,
            capture_output=True,
            env={**os.environ, "OMP_NUM_THREADS": threads, "MKL_NUM_THREADS": threads},
        )
        if done.returncode:
            raise InputError(f"the turn of {script.name} failed: {done.stderr.strip()[-2000:]}")
        return float(done.stdout.splitlines()[-1])

    return turn


def answer(works: Mapping[str, Work]) -> None:
    """The other side: measure what the command line asks for, FOLDER WORK OPTIONS, and say the result.

    OPTIONS are JSON; of them `threads` and `cuda` are used here.
    """
    import torch

    folder, work, options = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    torch.set_num_threads(options["threads"])
    print(works[work](folder, options, clock_for(options["threads"], cuda=options["cuda"])))
