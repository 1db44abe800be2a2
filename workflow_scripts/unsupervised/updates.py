"""The updates of UNMT and DLSM: Adam, a rate that falls at every bad evaluation, early stopping."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workflow_scripts.seq2seq.data import Sentences, alike
from workflow_scripts.training import judged
from workflow_scripts.training.adam import Adam
from workflow_scripts.training.judged import JudgedTraining
from workflow_scripts.unsupervised import streams
from workflow_scripts.unsupervised.loss import Batch, Objective, Settings, Terms
from workflow_scripts.unsupervised.model import Model
from workflow_scripts.unsupervised.prior import Prior
from workflow_scripts.unsupervised.streams import Streams


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
        """All sentences, in batches of like length and of both styles; see `alike`.

        Without random numbers, sentences of one length are dealt out evenly.
        """
        # The styles are numbered separately, so that 1, 2, 3 of one style are next to 1, 2, 3 of the other.
        inside = np.concatenate([np.arange((self.style == 0).sum()), np.arange((self.style == 1).sum())])
        lengths = self.sentences.lengths
        return alike((inside, lengths) if random is None else (lengths,), size, random)


@dataclass(frozen=True, kw_only=True)
class Schedule(judged.Schedule):
    """The settings of a training that are neither the model's nor the loss's; see the command `train`."""

    stop_after: int
    anneal_epochs: float
    warmup_updates: int
    warmup_rate: float


class StyleTraining(JudgedTraining[Model, Terms]):
    """A model in training; it is judged by its validation loss."""

    report = (
        "back translation {back_translation:.3f}, auto encoding {auto_encoding:.3f},"
        " language model {language_model:.3f}, dev {dev_loss:.4f}"
    )
    schedule: Schedule

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
        adam = Adam(model.to(device).parameters(), schedule.learning_rate)
        super().__init__(model, len(train), schedule, device, adam)
        if schedule.warmup_updates:
            self.rate = schedule.warmup_rate
        self.train, self.dev = train, dev
        self.objective = Objective(model, [prior.to(device) for prior in priors], settings, dtype)

    def weight(self) -> float:
        """The auto-encoder's weight w_t in the next update: 1, after the warm-up falling linearly to 0."""
        done = max(0, self.update - self.schedule.warmup_updates)
        return max(0.0, 1 - done / (self.schedule.anneal_epochs * self.per_epoch))

    def evaluate(self) -> dict[str, float]:
        """The validation loss and its terms, without dropout and with the same random numbers each time.

        The auto-encoder's loss is not a part of it: with its falling weight the sum would fall by itself. In
        the released code it is a part, with its current weight.
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
        self.model.zero_grad(set_to_none=True)
        joint = self.update >= self.schedule.warmup_updates
        terms = self.objective(self.train.batch(which), self.weight(), random, training=True, joint=joint)
        terms.total.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.schedule.gradient_clip)
        self._descend()
        self.update += 1
        return Terms(*(None if term is None else term.detach() for term in terms))  # type: ignore[arg-type]

    def _batches(self, epoch: int) -> list[NDArray[np.int64]]:
        random = Streams(self.schedule.seed, epoch, self.device).numpy(streams.ORDER)
        return self.train.batches(self.schedule.batch_size, random)

    def _predictions(self, which: NDArray[np.int64]) -> int:
        return self.train.sentences.predictions(which)

    def _seen(self, losses: list[Terms], words: int) -> dict[str, float]:
        return {
            "weight": self.weight(),
            "back_translation": _mean([terms.back_translation for terms in losses]),
            "auto_encoding": _mean([terms.auto_encoding for terms in losses]),
            "language_model": _mean([terms.language_model for terms in losses]),
        }

    def _next_look(self) -> int:
        """The warm-up ends with an evaluation, too."""
        following, warmup = super()._next_look(), self.schedule.warmup_updates
        return min(following, warmup) if self.update < warmup else following

    def _evaluate(self) -> dict[str, float]:
        if self.update <= self.schedule.warmup_updates:
            return dict.fromkeys(("dev_back_translation", "dev_language_model", "dev_loss"), math.nan)
        dev = self.evaluate()
        return {
            "dev_back_translation": dev["back_translation"],
            "dev_language_model": dev["language_model"],
            "dev_loss": dev["total"],
        }

    def _judge(self, dev: float) -> str:
        """A model that was only warmed up is none to choose; one that is lost gives way to the best one.

        Lost is a validation loss of at least twice the best one, as in the released code.
        """
        if self.update <= self.schedule.warmup_updates:
            if self.update == self.schedule.warmup_updates:
                self.rate = self.schedule.learning_rate
            return "warm-up"
        note = super()._judge(dev)
        if self.best and 0 < 2 * self.best_loss <= dev:
            self.model.load_state_dict(self.best)
            note += f", back to the model of update {self.best_update}"
        return note

    def _not_better(self) -> str:
        """The rate is reduced at once."""
        self.rate *= self.schedule.reduce_factor
        return f"not better {self.failures} of {self.schedule.stop_after}, learning rate now {self.rate:.3g}"

    def _is_done(self) -> bool:
        return self.failures >= self.schedule.stop_after


def first_model(model: Model, seed: int) -> Model:
    """The model, with the first weights that belong to a seed."""
    model.initialise(Streams(seed, 0, torch.device("cpu")).torch(streams.WEIGHTS))
    return model


def _mean(terms: Sequence[Tensor | None]) -> float:
    """The mean of the computed values; nan if there is none."""
    there = [term for term in terms if term is not None]
    return torch.stack(there).double().mean().item() if there else math.nan


def _number(term: Tensor | None) -> float:
    return math.nan if term is None else term.item()
