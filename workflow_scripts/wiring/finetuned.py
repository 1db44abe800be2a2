"""Pretrained encoder-decoders that are fine-tuned: their checkpoints and options."""

from __future__ import annotations

from typing import Any

from workflow_scripts.config.pretrained import FineTuned


def checkpoint(system: FineTuned, folder: str) -> list[str]:
    """The folder of the checkpoint from which a system starts; none from scratch."""
    return [] if system.model.kind == "scratch" else [folder]


def training(system: FineTuned, initial: list[str]) -> dict[str, Any]:
    """The options of the training, apart from its texts."""
    given = {"family": system.family, "start": system.model, "course": system.training, "lora": system.lora}
    return given | {"initial": initial[0] if initial else None}


def decoding(system: FineTuned) -> dict[str, Any]:
    """The options of decoding, apart from its texts."""
    model = system.model
    start = f"{model.checkpoint}@{model.revision[:12]}" if model.kind == "hub" else model.kind
    return {
        "start": start,
        **{key: getattr(system, key) for key in ("max_length", "beam_size", "batch_size")},
    }
