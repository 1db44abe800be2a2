"""The training loop of a prior: SGD, a learning rate that falls on plateaus, going on after a kill."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workflow_scripts.errors import InputError
from workflow_scripts.seq2seq.checkpoints import Checkpoints
from workflow_scripts.seq2seq.data import BEGIN, END, PADDING, Sentences
from workflow_scripts.seq2seq.model import Dropout
from workflow_scripts.unsupervised.prior import Prior

WEIGHTS, DROPOUT, ORDER = range(3)
"""What random numbers are drawn for; each use, update and epoch has a seed of its own."""

SCALARS = ("update", "rate", "failures", "reductions", "best_update", "best_loss", "rows")
"""The attributes of a trainer that make its state, beside tensors."""


@dataclass(frozen=True)
class PriorSchedule:
    """The settings of a training that are not the prior's; see the command `train_prior`."""

    seed: int
    dropout: float
    learning_rate: float
    batch_size: int
    evaluate_every: int
    reduce_after: int
    reduce_factor: float
    decays: int
    max_updates: int
    gradient_clip: float


class PriorTrainer:
    """A prior in training.

    All random numbers are functions of the seed, the update and the epoch, and plain SGD has no memory, so
    that a state is the weights, the best ones, and SCALARS.
    """

    def __init__(
        self,
        prior: Prior,
        sentences: Sentences,
        dev: Sentences,
        schedule: PriorSchedule,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        """`dtype`: of the matrix products."""
        self.prior = prior.to(device)
        self.sentences, self.dev, self.schedule = sentences, dev, schedule
        self.device, self.dtype = device, dtype
        self.generator = torch.Generator(device)
        self.update = 0
        self.rate = schedule.learning_rate
        self.failures = 0
        self.reductions = 0
        self.best: dict[str, Tensor] = {}
        self.best_update = 0
        self.best_loss = math.inf
        self.rows: list[dict[str, float]] = []
        self.order: tuple[int, list[NDArray[np.int64]]] | None = None

    def run(self, states: Checkpoints) -> Prior:
        """Train to the end; the prior with the best dev loss.

        Raises InputError if no evaluation had a finite loss.
        """
        state = states.newest()
        if state is not None:
            self._restore(*state)
            print(f"going on after update {self.update}", file=sys.stderr)
        while self.update < self.schedule.max_updates and self.reductions < self.schedule.decays:
            self._to_next_evaluation()
            states.save(self.update, *self._state())
        if not self.best:
            raise InputError(
                "training diverged: no evaluation has a finite loss", fix="lower the learning rate"
            )
        best = Prior(self.prior.sizes)
        best.load_state_dict(self.best)
        return best

    def loss(self, sentences: Sentences) -> float:
        """The mean negative log-probability per word (with </s>) in nats, without dropout."""
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        with torch.no_grad():
            for which in batches(sentences, self.schedule.batch_size, None):
                ids = columns(sentences, which).to(self.device)
                total += self.prior.loss(ids, self.dtype, Dropout()) * _words(sentences, which)
        return total.item() / _words(sentences, np.arange(len(sentences.lengths)))

    def step(self, which: NDArray[np.int64]) -> Tensor:
        """One update with the chosen sentences; the summed loss of their words, left on the device.

        What falls is the loss of a sentence, averaged over the batch, as a rate of 1 and a clip of 5 suppose:
        the gradient of the loss of a word would be smaller by a sentence's length.
        """
        ids = columns(self.sentences, which).to(self.device)
        self.generator.manual_seed(_seed(self.schedule.seed, DROPOUT, self.update))
        parameters = list(self.prior.parameters())
        for parameter in parameters:
            parameter.grad = None
        loss = self.prior.loss(ids, self.dtype, Dropout(self.schedule.dropout, self.generator))
        total = loss * _words(self.sentences, which)
        (total / len(which)).backward()
        torch.nn.utils.clip_grad_norm_(parameters, self.schedule.gradient_clip)
        with torch.no_grad():
            for parameter in parameters:
                assert parameter.grad is not None
                parameter.add_(parameter.grad, alpha=-self.rate)
        self.update += 1
        return total.detach()

    def _to_next_evaluation(self) -> None:
        schedule, begun = self.schedule, time.monotonic()
        per_epoch = math.ceil(len(self.sentences.lengths) / schedule.batch_size)
        last = min(
            (self.update // schedule.evaluate_every + 1) * schedule.evaluate_every, schedule.max_updates
        )
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        words, told = 0, begun
        while self.update < last:
            epoch, place = divmod(self.update, per_epoch)
            for which in self._order(epoch)[place : place + last - self.update]:
                total += self.step(which)
                words += _words(self.sentences, which)
                if time.monotonic() > told + 10:
                    told = time.monotonic()
                    print(f"update {self.update}: {words / (told - begun):,.0f} words/s", file=sys.stderr)
        seen, dev = total.item() / words, self.loss(self.dev)
        rate, note = self.rate, self._judge(dev)
        self.rows.append(
            {
                "update": self.update,
                "epoch": self.update / per_epoch,
                "learning_rate": rate,
                "train_loss": seen,
                "dev_loss": dev,
            }
        )
        print(
            f"update {self.update}: {seen:.4f} nats per word, dev {dev:.4f} ({note}),"
            f" {words / (time.monotonic() - begun):,.0f} words/s",
            file=sys.stderr,
        )

    def _order(self, epoch: int) -> list[NDArray[np.int64]]:
        """The batches of an epoch; those of the current one are kept."""
        if self.order is None or self.order[0] != epoch:
            seed = [self.schedule.seed, ORDER, epoch]
            self.order = epoch, batches(self.sentences, self.schedule.batch_size, seed)
        return self.order[1]

    def _judge(self, dev: float) -> str:
        """Keep the prior if it is the best, else count and, on a plateau, reduce the rate; say which."""
        schedule = self.schedule
        if dev < self.best_loss:
            self.best = {name: tensor.cpu().clone() for name, tensor in self.prior.state_dict().items()}
            self.best_update, self.best_loss, self.failures = self.update, dev, 0
            return "best"
        self.failures += 1
        note = f"not better {self.failures} of {schedule.reduce_after}"
        if self.failures >= schedule.reduce_after:
            self.failures = 0
            self.reductions += 1
            self.rate *= schedule.reduce_factor
            note += f", reduction {self.reductions} of {schedule.decays}: learning rate now {self.rate:.3g}"
        return note

    def _state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        tensors = {f"best.{name}": tensor for name, tensor in self.best.items()}
        tensors |= {f"prior.{name}": tensor for name, tensor in self.prior.state_dict().items()}
        return tensors, {name: getattr(self, name) for name in SCALARS}

    def _restore(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        for name, value in scalars.items():
            setattr(self, name, value)
        self.prior.load_state_dict(
            {name.removeprefix("prior."): t for name, t in tensors.items() if name.startswith("prior.")}
        )
        self.best = {name.removeprefix("best."): t for name, t in tensors.items() if name.startswith("best.")}


def first_weights(prior: Prior, seed: int) -> Prior:
    """The prior, with the first weights that belong to a seed."""
    prior.initialise(torch.Generator().manual_seed(_seed(seed, WEIGHTS)))
    return prior


def batches(sentences: Sentences, size: int, seed: list[int] | None) -> list[NDArray[np.int64]]:
    """All sentences, cut into batches of `size` sentences of like length; the last batch may be smaller.

    With a seed, sentences of one length are shuffled among each other and then the batches; without, the
    order of the file decides.
    """
    count = len(sentences.lengths)
    random = np.random.default_rng(seed)
    ties = np.arange(count) if seed is None else random.permutation(count)
    order = np.lexsort((ties, sentences.lengths))
    cut = [order[start : start + size] for start in range(0, count, size)]
    return cut if seed is None else [cut[i] for i in random.permutation(len(cut))]


def columns(sentences: Sentences, which: NDArray[np.int64]) -> Tensor:
    """The chosen sentences as columns of <s>, words, </s> and padding, (T, B)."""
    ids = np.vstack([sentences.padded(which, begin=BEGIN), np.full((1, len(which)), PADDING)])
    ids[sentences.lengths[which] + 1, np.arange(len(which))] = END
    return torch.from_numpy(ids)


def _words(sentences: Sentences, which: NDArray[np.int64]) -> int:
    """The number of predictions in the chosen sentences: their words, and </s>."""
    return int(sentences.lengths[which].sum()) + len(which)


def _seed(*parts: int) -> int:
    return int(np.random.SeedSequence(parts).generate_state(1, np.uint64)[0] >> np.uint64(1))
