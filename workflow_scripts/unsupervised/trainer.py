"""The training loop of UNMT and DLSM: Adam, a rate that falls at bad evaluations, going on after a kill."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workflow_scripts.errors import InputError
from workflow_scripts.seq2seq.checkpoints import Checkpoints
from workflow_scripts.seq2seq.data import Sentences
from workflow_scripts.unsupervised import streams
from workflow_scripts.unsupervised.loss import Batch, Objective, Settings, Terms
from workflow_scripts.unsupervised.model import Model
from workflow_scripts.unsupervised.prior import Prior
from workflow_scripts.unsupervised.streams import Streams

SCALARS = ("update", "rate", "failures", "best_update", "best_loss", "rows")
"""The attributes of a trainer that make its state, beside tensors."""


class Styles:
    """The sentences of both styles, numbered through."""

    def __init__(self, informal: Sentences, formal: Sentences) -> None:
        """Numbers begin with the informal ones."""
        self.sentences = Sentences(
            np.concatenate([informal.ids, formal.ids]),
            np.concatenate([informal.starts, informal.starts[-1] + formal.starts[1:]]),
        )
        self.style = np.repeat([0, 1], [len(informal.lengths), len(formal.lengths)])

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.style)

    def batch(self, which: NDArray[np.int64]) -> Batch:
        """The chosen sentences."""
        return Batch.of(self.sentences, self.style, which)

    def batches(self, size: int, random: np.random.Generator | None) -> list[NDArray[np.int64]]:
        """All sentences, in batches of like length and of both styles; the last one may be smaller.

        With random numbers, sentences of one length are shuffled among each other, and then the batches;
        without, sentences of one length are dealt out evenly.
        """
        count = len(self)
        # The styles have their own numbers, so that 1, 2, 3 of one stand beside 1, 2, 3 of the other.
        inside = np.concatenate([np.arange((self.style == 0).sum()), np.arange((self.style == 1).sum())])
        ties = inside if random is None else random.permutation(count)
        order = np.lexsort((ties, self.sentences.lengths))
        cut = [order[start : start + size] for start in range(0, count, size)]
        return cut if random is None else [cut[i] for i in random.permutation(len(cut))]


@dataclass(frozen=True)
class Schedule:
    """The settings of a training that are neither the model's nor the loss's; see the command `train`."""

    seed: int
    learning_rate: float
    batch_size: int
    evaluate_every: int
    reduce_factor: float
    stop_after: int
    max_updates: int
    gradient_clip: float
    anneal_epochs: float


class Trainer:
    """A model in training.

    All random numbers are functions of the seed, their use and the update (or the epoch, or the dev batch),
    so that `update` alone says what comes next.
    """

    def __init__(
        self,
        model: Model,
        priors: Sequence[Prior],
        train: Styles,
        dev: Styles,
        schedule: Schedule,
        settings: Settings,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        """`priors`: of both styles, or none. `dtype`: of the matrix products."""
        self.model = model.to(device)
        self.train, self.dev, self.schedule = train, dev, schedule
        self.device = device
        self.objective = Objective(model, [prior.to(device) for prior in priors], settings, dtype)
        self.adam = torch.optim.Adam(self.model.parameters(), lr=schedule.learning_rate, fused=True)
        self.per_epoch = math.ceil(len(train) / schedule.batch_size)
        self.update = 0
        self.rate = schedule.learning_rate
        self.failures = 0
        self.best: dict[str, Tensor] = {}
        self.best_update = 0
        self.best_loss = math.inf
        self.rows: list[dict[str, float]] = []
        self.order: tuple[int, list[NDArray[np.int64]]] | None = None

    def run(self, states: Checkpoints) -> Model:
        """Train to the end; the model with the best validation loss.

        Raises InputError if no evaluation had a finite loss.
        """
        state = states.newest()
        if state is not None:
            self._restore(*state)
            print(f"going on after update {self.update}", file=sys.stderr)
        while self.update < self.schedule.max_updates and self.failures < self.schedule.stop_after:
            self._to_next_evaluation()
            states.save(self.update, *self._state())
        if not self.best:
            raise InputError(
                "training diverged: no evaluation has a finite loss", fix="lower the learning rate"
            )
        best = Model(self.model.sizes, self.model.released)
        best.load_state_dict(self.best)
        return best

    def weight(self) -> float:
        """The auto-encoder's weight w_t in the next update: falls linearly from 1 to 0."""
        return max(0.0, 1 - self.update / (self.schedule.anneal_epochs * self.per_epoch))

    def evaluate(self) -> dict[str, float]:
        """The validation loss and its terms, without dropout and with the same random numbers each time.

        The auto-encoder is no part of it: it gets easier with its weight, and the loss would fall by itself.
        In the released code it is, with the weight that it has at the time.
        """
        weight = self.weight() if self.model.released else 0.0
        names = ("total", "back_translation", "auto_encoding", "language_model")
        sums = dict.fromkeys(names, 0.0)
        with torch.no_grad():
            for number, which in enumerate(self.dev.batches(self.schedule.batch_size, None)):
                random = Streams(self.schedule.seed, number, self.device, dev=True)
                terms = self.objective(self.dev.batch(which), weight, random, training=False)
                for name in names:
                    sums[name] += _number(getattr(terms, name)) * len(which) / len(self.dev)
        return sums

    def step(self, which: NDArray[np.int64]) -> Terms:
        """One update with the chosen sentences; the terms of their loss, left on the device."""
        random = Streams(self.schedule.seed, self.update, self.device)
        self.adam.zero_grad(set_to_none=True)
        terms = self.objective(self.train.batch(which), self.weight(), random, training=True)
        terms.total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.schedule.gradient_clip)
        self.adam.step()
        self.update += 1
        return Terms(*(None if term is None else term.detach() for term in terms))  # type: ignore[arg-type]

    def _to_next_evaluation(self) -> None:
        schedule, begun = self.schedule, time.monotonic()
        last = min(
            (self.update // schedule.evaluate_every + 1) * schedule.evaluate_every, schedule.max_updates
        )
        for group in self.adam.param_groups:
            group["lr"] = self.rate
        seen: list[Terms] = []
        words, told = 0, begun
        while self.update < last:
            epoch, place = divmod(self.update, self.per_epoch)
            for which in self._order(epoch)[place : place + last - self.update]:
                seen.append(self.step(which))
                words += int(self.train.sentences.lengths[which].sum()) + len(which)
                if time.monotonic() > told + 10:
                    told = time.monotonic()
                    print(f"update {self.update}: {words / (told - begun):,.0f} tokens/s", file=sys.stderr)
        speed = words / (time.monotonic() - begun)
        dev = self.evaluate()
        row = {
            "update": self.update,
            "epoch": self.update / self.per_epoch,
            "learning_rate": self.rate,
            "weight": self.weight(),
            "back_translation": _mean([terms.back_translation for terms in seen]),
            "auto_encoding": _mean([terms.auto_encoding for terms in seen]),
            "language_model": _mean([terms.language_model for terms in seen]),
            "dev_back_translation": dev["back_translation"],
            "dev_language_model": dev["language_model"],
            "dev_loss": dev["total"],
        }
        note = self._judge(dev["total"])
        self.rows.append(row)
        parts = ("back_translation", "auto_encoding", "language_model")
        print(
            f"update {self.update}: "
            + ", ".join(f"{name.replace('_', ' ')} {row[name]:.3f}" for name in parts)
            + f", dev {row['dev_loss']:.4f} ({note}), {speed:,.0f} tokens/s",
            file=sys.stderr,
        )

    def _order(self, epoch: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch; those of the current one are kept."""
        if self.order is None or self.order[0] != epoch:
            random = Streams(self.schedule.seed, epoch, self.device).numpy(streams.ORDER)
            self.order = epoch, self.train.batches(self.schedule.batch_size, random)
        return self.order[1]

    def _judge(self, dev: float) -> str:
        """Keep the model if it is the best, else count and reduce the rate; say which."""
        schedule = self.schedule
        if dev < self.best_loss:
            self.best = {name: tensor.cpu().clone() for name, tensor in self.model.state_dict().items()}
            self.best_update, self.best_loss, self.failures = self.update, dev, 0
            return "best"
        self.failures += 1
        self.rate *= schedule.reduce_factor
        return f"not better {self.failures} of {schedule.stop_after}, learning rate now {self.rate:.3g}"

    def _state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        tensors = {f"best.{name}": tensor for name, tensor in self.best.items()}
        for name, parameter in self.model.named_parameters():
            tensors[f"model.{name}"] = parameter
            for key, tensor in self.adam.state[parameter].items():
                tensors[f"adam.{key}.{name}"] = tensor
        return tensors, {name: getattr(self, name) for name in SCALARS}

    def _restore(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        for name, value in scalars.items():
            setattr(self, name, value)
        with torch.no_grad():
            for name, parameter in self.model.named_parameters():
                parameter.copy_(tensors[f"model.{name}"])
                self.adam.state[parameter] = {
                    key: tensors[f"adam.{key}.{name}"].to(self.device)
                    for key in ("step", "exp_avg", "exp_avg_sq")
                }
        self.best = {
            name.removeprefix("best."): tensor for name, tensor in tensors.items() if name.startswith("best.")
        }


def first_model(model: Model, seed: int) -> Model:
    """The model, with the first weights that belong to a seed."""
    model.initialise(Streams(seed, 0, torch.device("cpu")).torch(streams.WEIGHTS))
    return model


def _mean(terms: Sequence[Tensor | None]) -> float:
    """The mean of those that were computed; nan if none was."""
    there = [term for term in terms if term is not None]
    return torch.stack(there).double().mean().item() if there else math.nan


def _number(term: Tensor | None) -> float:
    return math.nan if term is None else term.item()
