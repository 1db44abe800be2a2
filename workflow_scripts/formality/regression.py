"""What training and scoring share: loading a regressor and the arithmetic it runs in."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workflow_scripts.errors import InputError

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Device = Literal["cpu", "cuda"]
Precision = Literal["float32", "bf16"]


def load(folder: Path, device: Device) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return the encoder or regressor in `folder`, with one output, on a device, and its tokenizer.

    Raises InputError if the folder holds none or the device is missing.
    """
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer, logging

    if device == "cuda" and not torch.cuda.is_available():
        raise InputError("no CUDA device here", fix="set device: cpu, or run on a machine with a GPU")
    if not (folder / "config.json").is_file():
        raise InputError("no model in this folder", path=folder, fix="make it with the formality commands")
    # It lists the head's new weights at length, which is what is meant to happen.
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = AutoModelForSequenceClassification.from_pretrained(
        folder, num_labels=1, problem_type="regression", use_safetensors=True, local_files_only=True
    )
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return model.to(device), tokenizer


def arithmetic(device: Device, precision: Precision) -> AbstractContextManager[Any]:
    """The context in which the model runs: mixed precision for bf16, or nothing."""
    import torch

    return torch.autocast(device, dtype=torch.bfloat16) if precision == "bf16" else nullcontext()


def longest_input(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, max_length: int) -> int:
    """`max_length`, or less where the model has fewer positions."""
    positions = getattr(model.config, "max_position_embeddings", max_length)
    return min(max_length, positions, tokenizer.model_max_length)
