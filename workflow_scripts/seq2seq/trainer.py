"""The training loop: Adam, checkpoints, a learning rate that falls on plateaus, early stopping, going on."""

from __future__ import annotations

import hashlib
import math
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from workflow_scripts.errors import InputError
from workflow_scripts.seq2seq.checkpoints import Checkpoints
from workflow_scripts.seq2seq.data import Pairs, Vocabulary
from workflow_scripts.seq2seq.model import Dropout, Model, Sizes

WEIGHTS, DROPOUT, ORDER = range(3)
"""What random numbers are drawn for; each use, update and epoch has a seed of its own."""


SCALARS = ("update", "rate", "failures", "best_update", "best_perplexity", "rows")
"""The attributes of a trainer that make its state, beside tensors."""


@dataclass(frozen=True)
class Schedule:
    """The settings of a training that are not the model's; see the command `train`."""

    seed: int
    dropout: float
    learning_rate: float
    batch_size: int
    checkpoint_every: int
    reduce_after: int
    reduce_factor: float
    stop_after: int
    max_updates: int
    gradient_clip: float


class Trainer:
    """A model in training.

    All random numbers are functions of the seed, the update and the epoch, so that a state needs no states of
    random number generators, and `update` alone says which batch is next.
    """

    def __init__(
        self,
        model: Model,
        pairs: Pairs,
        dev: Pairs,
        schedule: Schedule,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        """`dtype`: of the matrix products."""
        self.model = model.to(device)
        self.pairs, self.dev, self.schedule = pairs, dev, schedule
        self.device, self.dtype = device, dtype
        self.adam = torch.optim.Adam(self.model.parameters(), lr=schedule.learning_rate, fused=True)
        self.generator = torch.Generator(device)
        self.update = 0
        self.rate = schedule.learning_rate
        self.failures = 0
        self.best: dict[str, Tensor] = {}
        self.best_update = 0
        self.best_perplexity = math.inf
        self.rows: list[dict[str, float]] = []
        self.order: tuple[int, list[np.ndarray]] | None = None

    def run(self, states: Checkpoints) -> Model:
        """Train to the end; the model with the best dev perplexity.

        Raises InputError if no checkpoint had a finite dev perplexity.
        """
        state = states.newest()
        if state is not None:
            self._restore(*state)
            print(f"going on after update {self.update}", file=sys.stderr)
        while self.update < self.schedule.max_updates and self.failures < self.schedule.stop_after:
            self._to_next_checkpoint()
            states.save(self.update, *self._state())
        if not self.best:
            raise InputError(
                "training diverged: no checkpoint has a finite dev perplexity", fix="lower the learning rate"
            )
        best = Model(self.model.sizes)
        best.load_state_dict(self.best)
        return best

    def perplexity(self, pairs: Pairs) -> float:
        """exp of the mean negative log-probability per target word (with </s>), without dropout."""
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        words = 0
        with torch.no_grad():
            for which in pairs.batches(self.schedule.batch_size, None):
                batch = pairs.batch(which, self.device)
                total += self.model.loss(batch, self.dtype, Dropout()) * len(batch.wanted)
                words += len(batch.wanted)
        return _exp(total.item() / words)

    def step(self, which: np.ndarray) -> Tensor:
        """One update with the chosen pairs; the summed loss of their words, left on the device."""
        schedule = self.schedule
        batch = self.pairs.batch(which, self.device)
        self.generator.manual_seed(_seed(schedule.seed, DROPOUT, self.update))
        self.adam.zero_grad(set_to_none=True)
        loss = self.model.loss(batch, self.dtype, Dropout(schedule.dropout, self.generator))
        loss.backward()
        torch.nn.utils.clip_grad_value_(self.model.parameters(), schedule.gradient_clip)
        self.adam.step()
        self.update += 1
        return loss.detach() * len(batch.wanted)

    def _to_next_checkpoint(self) -> None:
        schedule, begun = self.schedule, time.monotonic()
        per_epoch = math.ceil(len(self.pairs) / schedule.batch_size)
        last = min(
            (self.update // schedule.checkpoint_every + 1) * schedule.checkpoint_every, schedule.max_updates
        )
        for group in self.adam.param_groups:
            group["lr"] = self.rate
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        words, told = 0, begun
        while self.update < last:
            epoch, place = divmod(self.update, per_epoch)
            for which in self._order(epoch)[place : place + last - self.update]:
                total += self.step(which)
                words += int(self.pairs.target.lengths[which].sum()) + len(which)
                if time.monotonic() > told + 10:
                    told = time.monotonic()
                    print(
                        f"update {self.update}: {words / (told - begun):,.0f} target tokens/s",
                        file=sys.stderr,
                    )
        seen = _exp(total.item() / words)
        speed = words / (time.monotonic() - begun)
        dev = self.perplexity(self.dev)
        rate, note = self.rate, self._judge(dev)
        self.rows.append(
            {
                "update": self.update,
                "epoch": self.update / per_epoch,
                "learning_rate": rate,
                "train_perplexity": seen,
                "dev_perplexity": dev,
            }
        )
        print(
            f"update {self.update}: perplexity {seen:.3f}, dev {dev:.3f} ({note}),"
            f" {speed:,.0f} target tokens/s",
            file=sys.stderr,
        )

    def _order(self, epoch: int) -> list[np.ndarray]:
        """The batches of an epoch; those of the current one are kept."""
        if self.order is None or self.order[0] != epoch:
            seed = [self.schedule.seed, ORDER, epoch]
            self.order = epoch, self.pairs.batches(self.schedule.batch_size, seed)
        return self.order[1]

    def _judge(self, dev: float) -> str:
        """Keep the model if it is the best, else count and, on a plateau, reduce the rate; say which."""
        schedule = self.schedule
        if dev < self.best_perplexity:
            self.best = {name: tensor.cpu().clone() for name, tensor in self.model.state_dict().items()}
            self.best_update, self.best_perplexity, self.failures = self.update, dev, 0
            return "best"
        self.failures += 1
        note = f"not better {self.failures} of {schedule.stop_after}"
        if self.failures % schedule.reduce_after == 0:
            self.rate *= schedule.reduce_factor
            note += f", learning rate now {self.rate:.3g}"
        return note

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


def first_model(sizes: Sizes, vocabulary: Vocabulary, seed: int, initial: Path | None) -> Model:
    """A fresh model, or one that begins as `initial` does.

    The vocabulary of `initial` may be the beginning of this one: symbols that came later get fresh rows.
    InputError if it is not, or if the sizes differ.
    """
    model = Model(sizes)
    model.initialise(torch.Generator().manual_seed(_seed(seed, WEIGHTS)))
    if initial is None:
        return model
    old, facts = Model.read(initial)
    known = old.sizes.vocabulary
    if old.sizes != replace(sizes, vocabulary=known):
        raise InputError(f"has other sizes ({old.sizes}) than asked for ({sizes})", path=initial)
    first = "".join(f"{symbol}\n" for symbol in vocabulary.symbols[:known])
    if hashlib.sha256(first.encode()).hexdigest() != facts["vocabulary"]:
        raise InputError(
            "was trained with another vocabulary",
            path=initial,
            fix=f"it must be {vocabulary.path} or the first lines of it",
        )
    with torch.no_grad():
        for name, parameter in old.named_parameters():
            model.get_parameter(name)[: len(parameter)].copy_(parameter)
    return model


def _seed(*parts: int) -> int:
    return int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0] >> np.uint64(1))


def _exp(loss: float) -> float:
    return math.exp(loss) if loss < 700 else math.inf
