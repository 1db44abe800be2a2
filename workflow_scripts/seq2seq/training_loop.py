"""The loop of every training, whatever it trains: evaluate, keep the best model, go on after a kill, end."""

from __future__ import annotations

import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, Generic, Self, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.seq2seq.data import Sentences
from workflow_scripts.seq2seq.training_state import TrainingState, alike

M = TypeVar("M", bound=nn.Module)
Loss = TypeVar("Loss")


@dataclass(frozen=True, kw_only=True)
class Schedule:
    """The settings of every training; see the commands."""

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


class TrainingLoop(ABC, Generic[M, Loss]):
    """A model in training.

    All random numbers are functions of the seed, their use and the update (or the epoch), so that a state
    needs no states of random number generators, and `update` alone says what comes next.
    """

    measure: ClassVar[str] = "loss"
    """What the model is judged by: the row's `dev_<measure>`, the less the better."""
    report: ClassVar[str]
    """The line of the log for a row; the braces have names of columns."""
    unit: ClassVar[str] = "tokens"
    """What is predicted, for the speed."""
    diverged: ClassVar[str] = "no evaluation has a finite loss"
    scalars: ClassVar[tuple[str, ...]] = ("update", "rate", "failures", "best_update", "rows")
    """The attributes that make the state, beside tensors and the best loss."""

    def __init__(self, model: M, texts: Sentences, schedule: Schedule, device: torch.device) -> None:
        """`texts`: what the model learns to predict, a sentence per example."""
        self.model = model.to(device)
        self.texts, self.schedule, self.device = texts, schedule, device
        self.per_epoch = math.ceil(len(texts.lengths) / schedule.batch_size)
        self.update = 0
        self.rate = schedule.learning_rate
        self.failures = 0
        self.best: dict[str, Tensor] = {}
        self.best_update = 0
        self.best_loss = math.inf
        self.rows: list[dict[str, float]] = []
        self.order: tuple[int, list[NDArray[np.int64]]] | None = None

    def run(self, kept: TrainingState) -> M:
        """Train to the end; the model as it was when it was best, on the CPU.

        Raises InputError if no evaluation had a finite loss.
        """
        state = kept.newest(self._fits)
        if state is not None:
            self._restore(*state)
            print(f"going on after update {self.update}", file=sys.stderr)
        while self.update < self.schedule.max_updates and not self._is_over():
            self._to_next_evaluation()
            kept.save(self.update, *self._state())
        if not self.best:
            raise InputError(f"training diverged: {self.diverged}", fix="lower the learning rate")
        self.model.load_state_dict(self._chosen())
        return self.model.cpu()

    def write_log(self, path: Path, columns: Sequence[str]) -> None:
        """Write the table of all evaluations."""
        rows = ("\t".join(f"{row[name]:.6g}" for name in columns) for row in self.rows)
        write_lines(path, ["\t".join(columns), *rows])

    @abstractmethod
    def step(self, which: NDArray[np.int64]) -> Loss:
        """One update with the chosen examples; their loss, left on the device."""

    @abstractmethod
    def _batches(self, epoch: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch."""

    @abstractmethod
    def _seen(self, losses: list[Loss], words: int) -> dict[str, float]:
        """The row's columns about the batches since the last evaluation, which had so many words."""

    @abstractmethod
    def _evaluate(self) -> dict[str, float]:
        """The row's columns about the dev set."""

    @abstractmethod
    def _not_better(self) -> str:
        """What follows from an evaluation that is not the best, which `failures` has counted; say it."""

    @abstractmethod
    def _is_over(self) -> bool:
        """Whether training ends before `max_updates`."""

    @abstractmethod
    def _weights(self) -> dict[str, Tensor]:
        """The tensors of the state: parameters, and the optimiser's."""

    @abstractmethod
    def _set_weights(self, tensors: dict[str, Tensor]) -> None:
        """Take back what `_weights` gave."""

    def _to_next_evaluation(self) -> None:
        begun, last = time.monotonic(), self._next_evaluation()
        losses: list[Loss] = []
        words, told = 0, begun
        while self.update < last:
            epoch, place = divmod(self.update, self.per_epoch)
            for which in self._order(epoch)[place : place + last - self.update]:
                losses.append(self.step(which))
                words += self.texts.predictions(which)
                if time.monotonic() > told + 10:
                    told = time.monotonic()
                    speed = words / (told - begun)
                    print(f"update {self.update}: {speed:,.0f} {self.unit}/s", file=sys.stderr)
        seen = self._seen(losses, words)
        speed = words / (time.monotonic() - begun)
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

    def _chosen(self) -> dict[str, Tensor]:
        """The parameters of the model that training ends with."""
        return self.best

    def _current_rate(self) -> float:
        """The learning rate of the last update."""
        return self.rate

    def _next_evaluation(self) -> int:
        """The number of updates after which the model is looked at next."""
        every = self.schedule.evaluate_every
        return min((self.update // every + 1) * every, self.schedule.max_updates)

    def _order(self, epoch: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch; those of the current one are kept."""
        if self.order is None or self.order[0] != epoch:
            self.order = epoch, self._batches(epoch)
        return self.order[1]

    def _judge(self, dev: float) -> str:
        """Keep the model if it is the best, else count; say which, and what follows."""
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

    def _state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        best = {f"best.{name}": tensor for name, tensor in self.best.items()}
        scalars = {name: getattr(self, name) for name in self.scalars}
        return best | self._weights(), scalars | {f"best_{self.measure}": self.best_loss}

    def _fits(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> bool:
        """Whether `_state` can have made these: the names, and the tensors' shapes."""
        names = {*self.scalars, f"best_{self.measure}"}
        if not isinstance(scalars, dict) or scalars.keys() != names or not isinstance(scalars["rows"], list):
            return False
        if not all(isinstance(scalars[name], (int, float)) for name in names - {"rows"}):
            return False
        best = {f"best.{name}": tensor for name, tensor in self.model.state_dict().items()}
        # Until an evaluation has a finite loss there is no best model.
        kept = best if any(name.startswith("best.") for name in tensors) else {}
        return alike(tensors, kept | self._expected() | self._expected_further(scalars["rows"], bool(kept)))

    def _expected(self) -> dict[str, Tensor]:
        """The tensors that `_weights` gives after an update; only names, shapes and types matter."""
        return self._weights()

    def _expected_further(self, rows: list[dict[str, float]], kept: bool) -> dict[str, Tensor]:
        """The tensors of the state that depend on its evaluations; kept: whether one of them had a best."""
        return {}

    def _restore(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        for name in self.scalars:
            setattr(self, name, scalars[name])
        self.best_loss = scalars[f"best_{self.measure}"]
        self.best = {
            name.removeprefix("best."): tensor for name, tensor in tensors.items() if name.startswith("best.")
        }
        self._set_weights(tensors)


class AdamLoop(TrainingLoop[M, Loss]):
    """A training by Adam, whose moments are part of the state."""

    def __init__(self, model: M, texts: Sentences, schedule: Schedule, device: torch.device) -> None:
        """`texts`: what the model learns to predict, a sentence per example."""
        super().__init__(model, texts, schedule, device)
        self.adam = torch.optim.Adam(self.model.parameters(), lr=schedule.learning_rate, fused=True)

    def _to_next_evaluation(self) -> None:
        for group in self.adam.param_groups:
            group["lr"] = self.rate
        super()._to_next_evaluation()

    def _weights(self) -> dict[str, Tensor]:
        tensors: dict[str, Tensor] = {}
        for name, parameter in self.model.named_parameters():
            tensors[f"model.{name}"] = parameter
            for key, tensor in self.adam.state[parameter].items():
                tensors[f"adam.{key}.{name}"] = tensor
        return tensors

    def _expected(self) -> dict[str, Tensor]:
        named = dict(self.model.named_parameters())
        return {
            **{f"model.{name}": parameter for name, parameter in named.items()},
            **{f"adam.step.{name}": torch.zeros(()) for name in named},
            **{f"adam.{key}.{name}": named[name] for name in named for key in ("exp_avg", "exp_avg_sq")},
        }

    @torch.no_grad()
    def _set_weights(self, tensors: dict[str, Tensor]) -> None:
        for name, parameter in self.model.named_parameters():
            parameter.copy_(tensors[f"model.{name}"])
            self.adam.state[parameter] = {
                key: tensors[f"adam.{key}.{name}"].to(self.device)
                for key in ("step", "exp_avg", "exp_avg_sq")
            }


def summed(losses: Sequence[Tensor]) -> float:
    """The sum of losses, in float64 and in their order."""
    total = torch.zeros((), dtype=torch.float64, device=losses[0].device)
    for loss in losses:
        total += loss
    return total.item()
