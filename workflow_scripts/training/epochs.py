"""Trainings of a fixed number of epochs, which keep the last weights."""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
from workflow_scripts.training.loop import Batch, Loss, Training

if TYPE_CHECKING:
    from torch.nn import Module

    from workflow_scripts.training.learnt import Optimizer
    from workflow_scripts.training.state import TrainingState


class EpochTraining(Training[Batch, Loss]):
    """A training that is looked at after each epoch."""

    optimizer: Optimizer

    def __init__(self, models: Sequence[Module], optimizer: Optimizer, per_epoch: int, total: int) -> None:
        """`optimizer`: of the models' parameters, each once; `per_epoch`, `total`: numbers of updates."""
        self.parameters = [weight for group in optimizer.param_groups for weight in group["params"]]
        numbered = {str(number): weight for number, weight in enumerate(self.parameters)}
        super().__init__(numbered, optimizer, per_epoch)
        self.models, self.total = models, total

    def run(self, kept: TrainingState) -> None:
        """Make all updates that are left."""
        for model in self.models:
            model.train()
        self.finish(kept)

    @abstractmethod
    def _seed(self) -> int:
        """The seed of the random numbers of the next update."""

    @abstractmethod
    def rate(self, update: int) -> float:
        """The learning rate of an update, counted from 0."""

    @abstractmethod
    def _learn(self, batch: Batch) -> Loss:
        """Compute gradients and let the optimiser make its step; the loss."""

    @abstractmethod
    def _told(self, losses: list[Loss]) -> str:
        """The text on stderr about the losses of an epoch."""

    def is_over(self) -> bool:
        """Whether no update is left."""
        return self.update >= self.total

    def _next_look(self) -> int:
        return min((self.update // self.per_epoch + 1) * self.per_epoch, self.total)

    def _shown(self, batches: Sequence[Batch]) -> Iterable[Batch]:
        return progress(batches, f"epoch {self.update // self.per_epoch + 1}", unit="update")

    def step(self, batch: Batch) -> Loss:
        """One update; its loss."""
        import torch

        torch.manual_seed(self._seed())
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(self.update)
        loss = self._learn(batch)
        self.update += 1
        return loss

    def _look(self, losses: list[Loss]) -> None:
        """Tell the losses; InputError where the weights are no numbers any more."""
        print(f"{self._place()}: {self._told(losses)}", file=sys.stderr)
        if not all(weight.isfinite().all() for weight in self.parameters):
            raise InputError(
                f"{self._place()}: the training has diverged, its weights are not finite",
                fix="lower the learning rate, or check the model from which it starts",
            )

    def _place(self) -> str:
        return f"epoch {-(-self.update // self.per_epoch)}"
