"""The updates of a translator: Adam, a learning rate that falls on plateaus, early stopping."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq import training_loop
from workflow_scripts.seq2seq.data import Pairs, Vocabulary
from workflow_scripts.seq2seq.model import Dropout, Model, Sizes
from workflow_scripts.seq2seq.seeds import DROPOUT, ORDER, WEIGHTS, seed_of
from workflow_scripts.seq2seq.training_loop import AdamLoop, summed


@dataclass(frozen=True, kw_only=True)
class Schedule(training_loop.Schedule):
    """The settings of a training that are not the model's; see the command `train`.

    An evaluation is what the paper calls a checkpoint.
    """

    dropout: float
    reduce_after: int
    stop_after: int


class TranslatorTraining(AdamLoop[Model, Tensor]):
    """A translator in training; it is judged by its dev perplexity."""

    measure = "perplexity"
    report = "perplexity {train_perplexity:.3f}, dev {dev_perplexity:.3f}"
    unit = "target tokens"
    diverged = "no checkpoint has a finite dev perplexity"
    schedule: Schedule

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
        super().__init__(model, pairs.target, schedule, device)
        self.pairs, self.dev, self.dtype = pairs, dev, dtype
        self.generator = torch.Generator(device)

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

    def step(self, which: NDArray[np.int64]) -> Tensor:
        """One update with the chosen pairs; the summed loss of their words, left on the device."""
        schedule = self.schedule
        batch = self.pairs.batch(which, self.device)
        self.generator.manual_seed(seed_of(schedule.seed, DROPOUT, self.update))
        self.adam.zero_grad(set_to_none=True)
        loss = self.model.loss(batch, self.dtype, Dropout(schedule.dropout, self.generator))
        loss.backward()
        torch.nn.utils.clip_grad_value_(self.model.parameters(), schedule.gradient_clip)
        self.adam.step()
        self.update += 1
        return loss.detach() * len(batch.wanted)

    def _batches(self, epoch: int) -> list[NDArray[np.int64]]:
        return self.pairs.batches(self.schedule.batch_size, [self.schedule.seed, ORDER, epoch])

    def _seen(self, losses: list[Tensor], words: int) -> dict[str, float]:
        return {"train_perplexity": _exp(summed(losses) / words)}

    def _evaluate(self) -> dict[str, float]:
        return {"dev_perplexity": self.perplexity(self.dev)}

    def _not_better(self) -> str:
        """On a plateau the rate is reduced."""
        note = f"not better {self.failures} of {self.schedule.stop_after}"
        if self.failures % self.schedule.reduce_after == 0:
            self.rate *= self.schedule.reduce_factor
            note += f", learning rate now {self.rate:.3g}"
        return note

    def _is_over(self) -> bool:
        return self.failures >= self.schedule.stop_after


def first_model(sizes: Sizes, vocabulary: Vocabulary, seed: int, initial: Path | None) -> Model:
    """A fresh model, or one that begins as `initial` does.

    The vocabulary of `initial` may be the beginning of this one: symbols that came later get fresh rows.
    InputError if it is not, or if the sizes differ.
    """
    model = Model(sizes)
    model.initialise(torch.Generator().manual_seed(seed_of(seed, WEIGHTS)))
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


def _exp(loss: float) -> float:
    return math.exp(loss) if loss < 700 else math.inf
