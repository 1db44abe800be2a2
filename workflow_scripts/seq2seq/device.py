"""The device, the numerical precision, and all settings that must precede the first tensor."""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, NamedTuple

from workflow_scripts.core import gpu
from workflow_scripts.core.command import fix_threads
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.system_errors import BY_NUMBER

if TYPE_CHECKING:
    import torch

Device = Literal["auto", "cpu", "cuda"]
Precision = Literal["auto", "float32", "bf16"]
TYPES = {"float32": "float32", "bf16": "bfloat16"}
"""The names of the precisions in torch."""


class Resolved(NamedTuple):
    """The device, and the type of matrix products; parameters and everything else are float32."""

    device: torch.device
    dtype: torch.dtype

    def facts(self) -> dict[str, str]:
        """The names of both as in the options, for results that record how they were computed."""
        return {"device": self.device.type, "precision": _name(self.dtype)}


def prepare(device: Device, precision: Precision, threads: int) -> Resolved:
    """Set threads and determinism, load torch, and return the device and the type of matrix products.

    `auto` selects a CUDA device if torch can use one, else the CPU; and bf16 on a CUDA device with native
    bf16 arithmetic, else float32. Raises InputError if `cuda` is requested but not available.
    """
    fix_threads(threads)
    # cuBLAS is deterministic only with workspaces of a fixed size.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    where, how = resolve(device, precision)
    with loading():
        import torch
        import torch.utils.deterministic

    torch.set_num_threads(threads)
    if where == "cuda":
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    else:
        _keep_memory()
        if how == "bf16" and _emulates_bf16():
            print(
                "warning: precision = bf16, which this processor only emulates: it takes up to two hundred"
                " times as long as float32",
                file=sys.stderr,
            )
    return Resolved(torch.device(where), getattr(torch, TYPES[how]))


def resolve(device: Device, precision: Precision) -> tuple[str, str]:
    """The names of device and precision, without `auto`; see `prepare`.

    Torch is loaded only if necessary: not on a machine without a GPU, and not for the CPU.
    """
    usable = device != "cpu" and gpu.count() > 0
    if usable:
        with loading():
            import torch

        usable = torch.cuda.is_available()
    if device == "cuda" and not usable:
        raise InputError(
            "device = cuda, but this machine has no usable GPU",
            fix="set device to auto or cpu, or run on a machine with a GPU",
        )
    where = "cuda" if usable else "cpu"
    if precision != "auto":
        return where, precision
    # A GPU that only emulates bf16 is faster with float32.
    return where, "bf16" if usable and torch.cuda.is_bf16_supported(including_emulation=False) else "float32"


@contextmanager
def loading() -> Iterator[None]:
    """Import large libraries without garbage collection of objects that stay loaded until the end.

    Python collects repeatedly while modules are loaded, and once more when the process ends; for torch and
    transformers this takes a third of a short job's time.
    """
    known, enabled = len(sys.modules), gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if len(sys.modules) > known:
            gc.freeze()
        if enabled:
            gc.enable()


@contextmanager
def loading_checkpoint(name: str) -> Iterator[None]:
    """Like `loading`, but raises InputError for files that transformers cannot read.

    transformers raises various exceptions for an incomplete file, so any error here is attributed to the
    checkpoint. Operating system errors keep their number, for callers that handle them.
    """
    try:
        with loading():
            yield
    except (InputError, ImportError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in BY_NUMBER:
            raise
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = said[0] if said else type(error).__name__
        raise InputError(f"cannot load checkpoint '{name}' ({reason})") from None


def patience(device: torch.device) -> int:
    """The number of steps between two counts of unfinished sentences: each count waits for a GPU."""
    return 1 if device.type == "cpu" else 8


def _emulates_bf16() -> bool:
    """Whether the CPU has no instructions for products of bf16; assumed to have them if it is no x86."""
    import torch

    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    # Private: a release of torch without them says nothing.
    native = any(getattr(torch.cpu, name, lambda: True)() for name in names)
    return platform.machine().lower() in ("x86_64", "amd64") and not native


def _name(dtype: torch.dtype) -> str:
    return next(name for name, theirs in TYPES.items() if str(dtype) == f"torch.{theirs}")


def _keep_memory() -> None:
    """Tell glibc to keep freed memory: page faults cost a small model several per cent of its time."""
    if sys.platform == "linux":
        allocator = ctypes.CDLL(None)
        if hasattr(allocator, "mallopt"):
            trim_threshold, mmap_threshold = -1, -3
            allocator.mallopt(trim_threshold, 2**31 - 1)
            allocator.mallopt(mmap_threshold, 2**30)
