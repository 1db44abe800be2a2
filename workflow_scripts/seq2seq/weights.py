"""Model files: all parameters, with the kind of model and facts about it in the metadata."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import nn

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import reading, writing

M = TypeVar("M", bound=nn.Module)


def zeros(*shape: int) -> nn.Parameter:
    """A parameter that a model initialises or reads."""
    return nn.Parameter(torch.zeros(*shape))


def write_model(path: Path, kind: str, model: nn.Module, facts: dict[str, Any]) -> None:
    """Write parameters and `facts` (JSON values) to one file; equal models give equal bytes.

    The metadata is a single string, since safetensors does not preserve the order of several.
    """
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
    with writing(path, binary=True) as stream:
        stream.write(save(tensors, {kind: json.dumps(facts, sort_keys=True)}))


def kinds_of(path: Path) -> set[str]:
    """The kinds of model named in a file's metadata; empty if the file cannot be read."""
    try:
        with safe_open(path, "pt") as file:
            return set(file.metadata() or {})
    except (OSError, SafetensorError):
        return set()


def read_model(
    path: Path, kind: str, build: Callable[[dict[str, Any]], M], name: str
) -> tuple[M, dict[str, Any]]:
    """Read a model and its facts, except the facts that `build` consumes to create an empty model.

    `name`: the name of such a file in messages. Raises InputError if the file cannot be read, if
    `write_model` did not write it for a model of this kind, or if a parameter is not finite.
    """
    with reading(path):
        # safetensors reports any file that it cannot read as missing.
        pass
    try:
        with safe_open(path, "pt") as file:
            facts = json.loads((file.metadata() or {})[kind])
            model = build(facts)
            model.load_state_dict({key: file.get_tensor(key) for key in file.keys()})  # noqa: SIM118
    except (SafetensorError, KeyError, ValueError, RuntimeError, TypeError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"no {name} ({reason})", path=path, fix="train it again") from None
    check_finite(model, path)
    return model, facts


TRAIN_AGAIN = "delete it and train it again, with a smaller learning rate if its training has diverged"


def check_finite(model: nn.Module, path: Path | str, fix: str = TRAIN_AGAIN) -> None:
    """Raise InputError if a weight is NaN or infinite: such a model would decode without any error.

    :param path: the file or folder that the model was read from
    :param fix: the suggestion in the message
    """
    for name, tensor in model.state_dict().items():
        if tensor.is_floating_point() and not tensor.isfinite().all():
            raise InputError(
                f"weights that are not finite ('{name}')",
                path=path,
                fix=fix,
            )
