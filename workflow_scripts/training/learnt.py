"""The tensors that a training changes: its parameters, and the optimiser's moments of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from torch import Tensor, optim

    from workflow_scripts.training.adam import Adam

    Optimizer: TypeAlias = Adam | optim.Optimizer

# The moments of a parameter, as Adam and AdamW name them; a parameter without a gradient so far has none.
MOMENTS = ("step", "exp_avg", "exp_avg_sq")


class Learnt:
    """Parameters as `model.<name>`, and moments as `adam.<moment>.<name>`."""

    def __init__(self, parameters: Mapping[str, Tensor], optimizer: Optimizer | None = None) -> None:
        """`optimizer`: Adam or AdamW of these parameters; None for an optimiser without moments."""
        self.parameters, self.optimizer = dict(parameters), optimizer

    def tensors(self) -> dict[str, Tensor]:
        """All of them as they are now, not copied."""
        tensors = {f"model.{name}": parameter for name, parameter in self.parameters.items()}
        if self.optimizer is not None:
            for name, parameter in self.parameters.items():
                moments = self.optimizer.state.get(parameter, {})
                tensors |= {f"adam.{moment}.{name}": tensor for moment, tensor in moments.items()}
        return tensors

    def expected(self, names: Collection[str]) -> dict[str, Tensor]:
        """Tensors of the names, shapes and types that a state with these names has to have.

        A parameter has all of its moments or none.
        """
        tensors = {f"model.{name}": parameter for name, parameter in self.parameters.items()}
        for name, parameter in self.parameters.items():
            moments = {f"adam.{moment}.{name}": parameter for moment in MOMENTS}
            if self.optimizer is not None and not moments.keys().isdisjoint(names):
                tensors |= {**moments, f"adam.step.{name}": parameter.new_zeros(())}
        return tensors

    def restore(self, tensors: Mapping[str, Tensor]) -> None:
        """Restore tensors that `tensors` returned; further tensors are ignored."""
        import torch

        with torch.no_grad():
            for name, parameter in self.parameters.items():
                parameter.copy_(tensors[f"model.{name}"])
                if self.optimizer is not None and f"adam.step.{name}" in tensors:
                    self.optimizer.state[parameter] = {
                        moment: tensors[f"adam.{moment}.{name}"].to(parameter.device) for moment in MOMENTS
                    }


def alike(found: Mapping[str, Tensor], expected: Mapping[str, Tensor]) -> bool:
    """Whether the same names have the same shapes and types."""
    return {name: (tensor.shape, tensor.dtype) for name, tensor in found.items()} == {
        name: (tensor.shape, tensor.dtype) for name, tensor in expected.items()
    }
