"""The files of a model that is not a network: a recipe as JSON, and the weights of a linear model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.json_files import parse_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def read_json(path: Path) -> Any:
    """The contents of the file; InputError if it is missing or not JSON."""
    try:
        return parse_json(path.read_bytes(), path)
    except (FileNotFoundError, InputError):
        raise broken(path) from None


def read_weights(path: Path) -> dict[str, NDArray[np.float64]]:
    """The arrays of a safetensors file by name; InputError if it is not there, or is none."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(path.read_bytes())
    except (FileNotFoundError, SafetensorError, ValueError):
        raise broken(path) from None


def broken(path: Path) -> InputError:
    """The error for a missing or incomplete file."""
    return InputError("not written by encoders.train", path=path, fix="delete the folder and make it again")
