"""Models as files: all parameters, with the kind of model and facts about it in the metadata."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import nn

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import reading, writing

M = TypeVar("M", bound=nn.Module)


def write_model(path: Path, kind: str, model: nn.Module, facts: dict[str, Any]) -> None:
    """Write parameters and `facts` (JSON values) as one file; the same model gives the same bytes.

    The metadata is one string, since safetensors writes several in any order.
    """
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
    with writing(path, binary=True) as stream:
        stream.write(save(tensors, {kind: json.dumps(facts, sort_keys=True)}))


def kinds_of(path: Path) -> set[str]:
    """The kinds of model that a file says it has; none if it cannot be read."""
    try:
        with safe_open(path, "pt") as file:
            return set(file.metadata() or {})
    except (OSError, SafetensorError):
        return set()


def read_model(
    path: Path, kind: str, build: Callable[[dict[str, Any]], M], name: str
) -> tuple[M, dict[str, Any]]:
    """A model and its facts, less those that `build` takes out of them to make an empty one.

    `name`: what such a file is called in messages. Raises InputError if the file cannot be read, if it is not
    one that `write_model` wrote of this kind, or if a parameter is not finite.
    """
    with reading(path):
        # safetensors calls missing whatever cannot be read.
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
    """Raise InputError if a weight is NaN or infinite: such a model would decode, and say nothing.

    :param path: where the model is from
    :param fix: what to do
    """
    for name, tensor in model.state_dict().items():
        if tensor.is_floating_point() and not tensor.isfinite().all():
            raise InputError(
                f"weights that are not finite ('{name}')",
                path=path,
                fix=fix,
            )
