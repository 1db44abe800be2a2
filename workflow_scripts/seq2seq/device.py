"""Where and how exactly to compute; everything that has to be fixed before the first tensor."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import TYPE_CHECKING

from workflow_scripts.command import fix_threads
from workflow_scripts.errors import InputError

if TYPE_CHECKING:
    import torch


def prepare(device: str, threads: int) -> torch.device:
    """Fix threads and determinism and return the device; InputError if there is none of that name."""
    fix_threads(threads)
    # cuBLAS gives the same sums each time only with workspaces of a fixed size.
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    import torch
    import torch.utils.deterministic

    torch.set_num_threads(threads)
    if device == "cuda":
        if not torch.cuda.is_available():
            raise InputError("device = cuda, but this machine has no usable GPU", fix="set device to cpu")
        torch.use_deterministic_algorithms(True, warn_only=True)
        torch.utils.deterministic.fill_uninitialized_memory = False  # type: ignore[attr-defined]
    else:
        _keep_memory()
    return torch.device(device)


def _keep_memory() -> None:
    """Tell glibc to keep freed memory: page faults cost a small model several per cent of its time."""
    if sys.platform == "linux":
        allocator = ctypes.CDLL(None)
        if hasattr(allocator, "mallopt"):
            trim_threshold, mmap_threshold = -1, -3
            allocator.mallopt(trim_threshold, 2**31 - 1)
            allocator.mallopt(mmap_threshold, 2**30)
