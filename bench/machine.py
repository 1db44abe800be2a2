"""What the rows of several benches say about the machine, and how they are printed."""

from __future__ import annotations

import os
import platform
from typing import TYPE_CHECKING

from workflow_scripts.core.provenance import processor, versions

if TYPE_CHECKING:
    import torch


def print_row(cells: list[str] | tuple[str, ...]) -> None:
    """One row of a Markdown table, at once."""
    print(f"| {' | '.join(cells)} |", flush=True)


def name_of(device: torch.device) -> str:
    """What the device calls itself: the GPU, or the processor and the instructions it is limited to."""
    if device.type == "cuda":
        import torch

        return torch.cuda.get_device_name(device)
    limited = os.environ.get("ONEDNN_MAX_CPU_ISA")
    return f"CPU, {processor()}" + (f", {limited} only" if limited else "")


def versions_here() -> str:
    """Python and torch; torch's version names its CUDA."""
    return f"Python {platform.python_version()}, torch {versions('torch')['torch']}"


def wait_for(device: torch.device) -> None:
    """Until the device has done all that it was asked for."""
    if device.type == "cuda":
        import torch

        torch.cuda.synchronize()
