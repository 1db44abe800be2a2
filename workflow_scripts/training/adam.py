"""Adam, by torch's fused kernel."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch.optim.adam import adam

from workflow_scripts.training.learnt import MOMENTS


class Adam:
    """Adam (Kingma and Ba, 2015); a parameter without a gradient stays as it is.

    torch's class of this name loads torch's compiler first, which takes a second of every training. This one
    calls the same function with the same numbers.
    """

    def __init__(
        self,
        parameters: Iterable[Tensor],
        lr: float,
        betas: tuple[float, float] = (0.9, 0.999),
        weight_decay: float = 0.0,
    ) -> None:
        """The attributes are those of torch's optimisers: `lr` of the group may change between steps."""
        self.param_groups: list[dict[str, Any]] = [{"params": list(parameters), "lr": lr}]
        self.state: dict[Tensor, dict[str, Tensor]] = {}
        self.betas, self.weight_decay = betas, weight_decay

    def zero_grad(self) -> None:
        """Forget all gradients."""
        for parameter in self.param_groups[0]["params"]:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Update the parameters by their gradients, and their moments."""
        (group,) = self.param_groups
        learning = [parameter for parameter in group["params"] if parameter.grad is not None]
        for parameter in learning:
            if parameter not in self.state:
                step = torch.zeros((), device=parameter.device)
                first = (step, *(torch.zeros_like(parameter) for _ in range(2)))
                self.state[parameter] = dict(zip(MOMENTS, first, strict=True))
        steps, means, squares = ([self.state[parameter][name] for parameter in learning] for name in MOMENTS)
        adam(
            learning,
            [parameter.grad for parameter in learning],
            means,
            squares,
            [],
            steps,
            fused=True,
            lr=group["lr"],
            beta1=self.betas[0],
            beta2=self.betas[1],
            weight_decay=self.weight_decay,
            eps=1e-8,
            amsgrad=False,
            maximize=False,
        )
