"""The loop of every training: updates, a look at what they have brought, and the state, until it is over."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from workflow_scripts.training.learnt import Learnt, alike

if TYPE_CHECKING:
    from torch import Tensor

    from workflow_scripts.training.learnt import Optimizer
    from workflow_scripts.training.state import TrainingState

Batch = TypeVar("Batch")
Loss = TypeVar("Loss")


class Training(ABC, Generic[Batch, Loss]):
    """A model in training; `judged` and `epochs` have the two kinds.

    All random numbers are functions of the seed, their use and the update (or the epoch), so that a state
    needs no states of random number generators: `update` and the decisions of earlier looks determine what
    comes next.
    """

    scalars: ClassVar[tuple[str, ...]] = ("update",)
    """The attributes that make the state, beside tensors."""

    def __init__(self, parameters: Mapping[str, Tensor], optimizer: Optimizer | None, per_epoch: int) -> None:
        """`optimizer`: fused Adam or AdamW, or None; `per_epoch`: updates of an epoch."""
        self.learnt, self.optimizer, self.per_epoch = Learnt(parameters, optimizer), optimizer, per_epoch
        self.update = 0

    def finish(self, kept: TrainingState) -> None:
        """Make all updates that are left, after those of the newest state; there is one after each look."""
        newest = kept.newest(self._fits)
        if newest is not None:
            self._restore(*newest)
            print(f"going on after {self._place()}", file=sys.stderr)
        while not self.is_over():
            self.to_next_look()
            kept.save(self.update, *self._state())

    def to_next_look(self) -> None:
        """Make the updates until the next look, over the ends of epochs, and look."""
        end = self._next_look()
        losses: list[Loss] = []
        while self.update < end:
            epoch, done = divmod(self.update, self.per_epoch)
            for batch in self._shown(self.batches(epoch)[done : done + end - self.update]):
                losses.append(self.step(batch))
        self._look(losses)

    @abstractmethod
    def is_over(self) -> bool:
        """Whether no update is left."""

    @abstractmethod
    def batches(self, epoch: int) -> Sequence[Batch]:
        """The batches of an epoch, one for each update."""

    @abstractmethod
    def step(self, batch: Batch) -> Loss:
        """One update, which `update` counts; its loss."""

    @abstractmethod
    def _next_look(self) -> int:
        """The number of updates after which the training is looked at next."""

    @abstractmethod
    def _shown(self, batches: Sequence[Batch]) -> Iterable[Batch]:
        """The same batches; while they are learnt, stderr is told how far training is."""

    @abstractmethod
    def _look(self, losses: list[Loss]) -> None:
        """Evaluate, and say what the updates since the last look have brought."""

    @abstractmethod
    def _place(self) -> str:
        """The progress of the training, in words."""

    def _state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """All that the next updates depend on: tensors, and JSON values."""
        return self.learnt.tensors(), {name: getattr(self, name) for name in self.scalars}

    def _fits(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> bool:
        """Whether `_state` can have made these: the names, and the tensors' shapes."""
        if not isinstance(scalars, dict) or scalars.keys() != {*self.scalars}:
            return False
        for name, value in scalars.items():
            if not isinstance(value, list if isinstance(getattr(self, name), list) else (int, float)):
                return False
        return alike(tensors, self._expected(tensors, scalars))

    def _expected(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> dict[str, Tensor]:
        """Tensors as a state with these names and scalars has to have them."""
        return self.learnt.expected(tensors.keys())

    def _restore(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        """Restore a state that `_state` returned."""
        self.learnt.restore(tensors)
        for name in self.scalars:
            setattr(self, name, scalars[name])
