"""The resources of a job besides files: memory, time, a GPU."""

import math
from collections.abc import Callable
from typing import Any

from workflow_scripts.core import gpu
from workflow_scripts.core import snakemake_internals as internals

# Minutes; many clusters allow no longer jobs. A longer job goes on in its next attempt.
DAY = 1440
# The priority of long jobs: they start before short ones, so that none runs alone at the end.
LONG = 10
# That of what most jobs wait for, long or short: translators, translations, the encoder, regressors.
# And that of tools, so that what cannot be installed or compiled is known at once.
FIRST = 20


def growing(amount: float, limit: float = math.inf) -> Callable[[Any, int], float]:
    """Megabytes or minutes that grow with the attempt of a job, up to a limit."""
    return lambda wildcards, attempt: min(amount * attempt, limit)


def computing(gpu: Any, mem_mb: int, runtime: int | None = None) -> dict[str, Any]:
    """The resources of a job that can use a GPU, in megabytes and minutes of its first attempt."""
    time = {} if runtime is None else {"runtime": growing(runtime, DAY)}
    return {"mem_mb": growing(mem_mb), **time, "gpu": gpu}


def asking(gpu: Callable[[Any], int], kind: str) -> dict[str, Any]:
    """The resources of a job that asks a language model of a kind; `gpu` as `gpus` returns it."""
    return computing(gpu if kind == "transformers" else 0, 16000, DAY)


def megabytes(memory: str) -> int:
    """A job's memory from a tool's own limit such as 512M or 16G; a share of the machine gives no number."""
    units = {"K": 1 / 1024, "M": 1, "G": 1024, "T": 1024**2}
    return 2000 + int(int(memory[:-1]) * units[memory[-1]]) if memory[-1] in units else 8000


def gpus(workflow: Any, device: str) -> Callable[[Any], int]:
    """1 if a job that can use a GPU requests one: with `cuda` always, with `auto` if there is one.

    On this machine the driver knows, on a cluster its profile (`resources: gpu`), since the machine from
    which jobs are submitted may have no GPU. A job on a node gets the resources it was submitted with and
    counts nothing again. A function, since only when a job is made it is known where jobs run.
    """

    def count(wildcards: Any) -> int:
        if device != "auto":
            return int(device == "cuda")
        if internals.is_first_process(workflow) and internals.runs_here(workflow):
            return min(gpu.count(), 1)
        return min(internals.limit(workflow, "gpu") or 0, 1)

    return count
