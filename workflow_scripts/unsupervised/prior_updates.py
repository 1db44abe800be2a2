"""The updates of a prior: SGD, a learning rate that falls on plateaus, an end after so many falls."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workflow_scripts.seq2seq.data import Sentences, alike
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.seeds import DROPOUT, ORDER, WEIGHTS, seed_of
from workflow_scripts.text.symbols import BEGIN, END, PADDING
from workflow_scripts.training import judged
from workflow_scripts.training.judged import JudgedTraining, summed
from workflow_scripts.unsupervised.prior import Prior


@dataclass(frozen=True, kw_only=True)
class PriorSchedule(judged.Schedule):
    """The settings of a training that are not the prior's; see the command `train_prior`."""

    dropout: float
    reduce_after: int
    decays: int


class PriorTraining(JudgedTraining[Prior, Tensor]):
    """A prior in training; plain SGD has no memory, so that its weights are all that a state needs."""

    report = "{train_loss:.4f} nats per word, dev {dev_loss:.4f}"
    unit = "words"
    scalars = (*JudgedTraining.scalars, "reductions")
    schedule: PriorSchedule

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
        super().__init__(prior, len(sentences.lengths), schedule, device)
        self.texts, self.dev, self.dtype = sentences, dev, dtype
        self.generator = torch.Generator(device)
        self.reductions = 0

    def loss(self, sentences: Sentences) -> float:
        """The mean negative log-probability per word (with </s>) in nats, without dropout."""
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        with torch.no_grad():
            for which in alike((sentences.lengths,), self.schedule.batch_size, None):
                ids = columns(sentences, which).to(self.device)
                total += self.model.loss(ids, self.dtype, Dropout()) * sentences.predictions(which)
        return total.item() / sentences.predictions(np.arange(len(sentences.lengths)))

    def step(self, which: NDArray[np.int64]) -> Tensor:
        """One update with the chosen sentences; the summed loss of their words, left on the device.

        The loss is per sentence, averaged over the batch, as a rate of 1 and a clip of 5 assume: the gradient
        of a loss per word would be smaller by the length of a sentence.
        """
        ids = columns(self.texts, which).to(self.device)
        self.generator.manual_seed(seed_of(self.schedule.seed, DROPOUT, self.update))
        parameters = list(self.model.parameters())
        for parameter in parameters:
            parameter.grad = None
        loss = self.model.loss(ids, self.dtype, Dropout(self.schedule.dropout, self.generator))
        total = loss * self.texts.predictions(which)
        (total / len(which)).backward()
        torch.nn.utils.clip_grad_norm_(parameters, self.schedule.gradient_clip)
        with torch.no_grad():
            for parameter in parameters:
                assert parameter.grad is not None
                parameter.add_(parameter.grad, alpha=-self.rate)
        self.update += 1
        return total.detach()

    def _batches(self, epoch: int) -> list[NDArray[np.int64]]:
        return alike((self.texts.lengths,), self.schedule.batch_size, [self.schedule.seed, ORDER, epoch])

    def _predictions(self, which: NDArray[np.int64]) -> int:
        return self.texts.predictions(which)

    def _seen(self, losses: list[Tensor], words: int) -> dict[str, float]:
        return {"train_loss": summed(losses) / words}

    def _evaluate(self) -> dict[str, float]:
        return {"dev_loss": self.loss(self.dev)}

    def _not_better(self) -> str:
        """On a plateau the rate is reduced, and the next one is waited for."""
        schedule = self.schedule
        note = f"not better {self.failures} of {schedule.reduce_after}"
        if self.failures >= schedule.reduce_after:
            self.failures = 0
            self.reductions += 1
            self.rate *= schedule.reduce_factor
            note += f", reduction {self.reductions} of {schedule.decays}: learning rate now {self.rate:.3g}"
        return note

    def _is_done(self) -> bool:
        return self.reductions >= self.schedule.decays


def first_weights(prior: Prior, seed: int) -> Prior:
    """The prior, with the first weights that belong to a seed."""
    prior.initialise(torch.Generator().manual_seed(seed_of(seed, WEIGHTS)))
    return prior


def columns(sentences: Sentences, which: NDArray[np.int64]) -> Tensor:
    """The chosen sentences as columns of <s>, words, </s> and padding, (T, B)."""
    ids = np.vstack([sentences.padded(which, begin=BEGIN), np.full((1, len(which)), PADDING)])
    ids[sentences.lengths[which] + 1, np.arange(len(which))] = END
    return torch.from_numpy(ids)
