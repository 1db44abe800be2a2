"""Trainings that are judged by a dev set: the best model is kept, and they end when it no longer improves."""

import math
import sys
import time
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.training.adam import Adam
from workflow_scripts.training.loop import Loss, Training
from workflow_scripts.training.state import TrainingState

M = TypeVar("M", bound=nn.Module)


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The settings of every training that is judged; see the commands."""

    seed: int
    learning_rate: float
    batch_size: int
    evaluate_every: int
    reduce_factor: float
    max_updates: int
    gradient_clip: float

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Self:
        """From the options of a command, which have the same names; further ones do not matter."""
        names = [field.name for field in fields(cls) if field.name in options or field.default is MISSING]
        return cls(**{name: options[name] for name in names})


class JudgedTraining(Training[NDArray[np.int64], Loss], Generic[M, Loss]):
    """A training that is looked at after so many updates; a batch is the numbers of its examples."""

    measure: ClassVar[str] = "loss"
    """The measure that judges the model: the row's `dev_<measure>`, lower is better."""
    report: ClassVar[str]
    """The line of the log for a row; the braces have names of columns."""
    unit: ClassVar[str] = "tokens"
    """The unit of predictions, for the speed."""
    diverged: ClassVar[str] = "no evaluation has a finite loss"
    scalars: ClassVar[tuple[str, ...]] = ("update", "rate", "failures", "best_loss", "best_update", "rows")

    def __init__(
        self,
        model: M,
        examples: int,
        schedule: Schedule,
        device: torch.device,
        optimizer: Adam | None = None,
    ) -> None:
        """`examples`: how many there are; `optimizer`: Adam of the model on the device, if it is Adam."""
        self.model = model.to(device)
        per_epoch = math.ceil(examples / schedule.batch_size)
        super().__init__(dict(self.model.named_parameters()), optimizer, per_epoch)
        self.schedule, self.device = schedule, device
        self.rate = schedule.learning_rate
        self.failures = 0
        self.best: dict[str, Tensor] = {}
        self.best_update = 0
        self.best_loss = math.inf
        self.rows: list[dict[str, float]] = []
        self._order: tuple[int, list[NDArray[np.int64]]] | None = None
        self._words, self._begun, self._told = 0, 0.0, 0.0

    def run(self, kept: TrainingState) -> M:
        """Train to the end; the model as it was when it was best, on the CPU.

        Raises InputError if no evaluation had a finite loss.
        """
        self.finish(kept)
        if not self.best:
            raise InputError(f"training diverged: {self.diverged}", fix="lower the learning rate")
        self.model.load_state_dict(self._chosen())
        return self.model.cpu()

    def write_log(self, path: Path, columns: Sequence[str]) -> None:
        """Write the table of all evaluations."""
        rows = ("\t".join(f"{row[name]:.6g}" for name in columns) for row in self.rows)
        write_lines(path, ["\t".join(columns), *rows])

    @abstractmethod
    def _batches(self, epoch: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch."""

    @abstractmethod
    def _predictions(self, which: NDArray[np.int64]) -> int:
        """The number of predictions for the chosen examples, for the speed."""

    @abstractmethod
    def _seen(self, losses: list[Loss], words: int) -> dict[str, float]:
        """The row's columns about the batches since the last evaluation, which had so many words."""

    @abstractmethod
    def _evaluate(self) -> dict[str, float]:
        """The row's columns about the dev set."""

    @abstractmethod
    def _not_better(self) -> str:
        """React to an evaluation that is not the best, counted in `failures`; return a message about it."""

    def is_over(self) -> bool:
        """Whether no update is left."""
        return self.update >= self.schedule.max_updates or self._is_done()

    @abstractmethod
    def _is_done(self) -> bool:
        """Whether training ends before `max_updates`."""

    def _next_look(self) -> int:
        every = self.schedule.evaluate_every
        return min((self.update // every + 1) * every, self.schedule.max_updates)

    def batches(self, epoch: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch; those of the current one are kept."""
        if self._order is None or self._order[0] != epoch:
            self._order = epoch, self._batches(epoch)
        return self._order[1]

    def _shown(self, batches: Sequence[NDArray[np.int64]]) -> Iterator[NDArray[np.int64]]:
        """The batches; every ten seconds stderr is told the speed since the last evaluation."""
        if not self._words:
            self._begun = self._told = time.monotonic()
        for which in batches:
            yield which
            self._words += self._predictions(which)
            if time.monotonic() > self._told + 10:
                self._told = time.monotonic()
                speed = self._words / (self._told - self._begun)
                print(f"update {self.update}: {speed:,.0f} {self.unit}/s", file=sys.stderr)

    def _look(self, losses: list[Loss]) -> None:
        seen = self._seen(losses, self._words)
        speed = self._words / (time.monotonic() - self._begun)
        self._words = 0
        row = {
            "update": self.update,
            "epoch": self.update / self.per_epoch,
            "learning_rate": self._current_rate(),
            **seen,
            **self._evaluate(),
        }
        self.rows.append(row)
        note = self._judge(row[f"dev_{self.measure}"])
        print(
            f"update {self.update}: {self.report.format(**row)} ({note}), {speed:,.0f} {self.unit}/s",
            file=sys.stderr,
        )

    def _place(self) -> str:
        return f"update {self.update}"

    def _state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        tensors, scalars = super()._state()
        return {f"best.{name}": tensor for name, tensor in self.best.items()} | tensors, scalars

    def _expected(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> dict[str, Tensor]:
        # Until an evaluation has a finite loss there is no best model.
        kept = any(name.startswith("best.") for name in tensors)
        best = {f"best.{name}": tensor for name, tensor in self.model.state_dict().items()} if kept else {}
        return best | super()._expected(tensors, scalars)

    def _restore(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        super()._restore(tensors, scalars)
        self.best = {
            name.removeprefix("best."): tensor for name, tensor in tensors.items() if name.startswith("best.")
        }

    def _chosen(self) -> dict[str, Tensor]:
        """The parameters of the model that training ends with."""
        return self.best

    def _current_rate(self) -> float:
        """The learning rate of the last update."""
        return self.rate

    def _descend(self) -> None:
        """Let the optimiser make its step, at the current rate."""
        assert self.optimizer is not None
        for group in self.optimizer.param_groups:
            group["lr"] = self._current_rate()
        self.optimizer.step()

    def _judge(self, dev: float) -> str:
        """Keep the model if it is the best, else count; return a message about it."""
        better = dev < self.best_loss
        if self._is_kept(better):
            self._keep()
        if better:
            self.best_loss, self.failures = dev, 0
            return "best"
        self.failures += 1
        return self._not_better()

    def _keep(self) -> None:
        """Let the model as it is now take the place of the one that is kept."""
        self.best = self._copied()
        self.best_update = self.update

    def _copied(self) -> dict[str, Tensor]:
        """The model's parameters as they are now."""
        return {name: tensor.cpu().clone() for name, tensor in self.model.state_dict().items()}

    def _is_kept(self, better: bool) -> bool:
        """Whether the model as it is now takes the place of the one that is kept; `better`: by `measure`."""
        return better


def summed(losses: Sequence[Tensor]) -> float:
    """The sum of losses, in float64 and in their order."""
    total = torch.zeros((), dtype=torch.float64, device=losses[0].device)
    for loss in losses:
        total += loss
    return total.item()
