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
from workflow_scripts.seq2seq.search import Search
from workflow_scripts.seq2seq.seeds import DROPOUT, ORDER, WEIGHTS, seed_of
from workflow_scripts.seq2seq.training_loop import AdamLoop, summed

DECODED = 2000
"""Dev pairs that are decoded for BLEU, at most."""


@dataclass(frozen=True, kw_only=True)
class Schedule(training_loop.Schedule):
    """The settings of a training that are not the model's; see the command `train`.

    An evaluation is what the paper calls a checkpoint.
    """

    dropout: float
    reduce_after: int
    stop_after: int
    select: str = "perplexity"


class TranslatorTraining(AdamLoop[Model, Tensor]):
    """A translator in training; it is judged by its dev perplexity, and kept by it or by its dev BLEU."""

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

    def bleu(self) -> float:
        """BLEU of the model's outputs for dev sentences, in pieces, as Sockeye watches it.

        Of more than `DECODED` dev pairs so many are taken, evenly spread. One reference each, beam 5.
        """
        from sacrebleu import corpus_bleu

        count = len(self.dev)
        chosen = [count * place // DECODED for place in range(DECODED)] if count > DECODED else range(count)
        sources, targets = (
            [[*map(int, side.ids[side.starts[i] : side.starts[i + 1]])] for i in chosen]
            for side in (self.dev.source, self.dev.target)
        )
        mean, deviation = self.pairs.ratio()
        search = Search(
            [self.model],
            beam_size=5,
            length_penalty=1.0,
            max_ratio=mean + 2 * deviation,
            device=self.device,
            dtype=self.dtype,
        )
        # A source stands there once for each of its references.
        different = list(dict.fromkeys(map(tuple, sources)))
        found = dict(zip(different, search(different, self.schedule.batch_size), strict=True))
        outputs = [" ".join(map(str, found[tuple(source)].ids)) for source in sources]
        references = [" ".join(map(str, target)) for target in targets]
        return float(corpus_bleu(outputs, [references], tokenize="none", force=True).score)

    def _evaluate(self) -> dict[str, float]:
        seen = {"dev_perplexity": self.perplexity(self.dev)}
        return seen | ({"dev_bleu": self.bleu()} if self.schedule.select == "bleu" else {})

    def _is_kept(self, better: bool) -> bool:
        if self.schedule.select == "perplexity":
            return better
        *earlier, now = self.rows
        known = [row["dev_bleu"] for row in earlier if math.isfinite(row["dev_perplexity"])]
        return math.isfinite(now["dev_perplexity"]) and now["dev_bleu"] > max(known, default=-1.0)

    def _not_better(self) -> str:
        """On a plateau the rate is reduced."""
        note = f"not better {self.failures} of {self.schedule.stop_after}"
        if self.failures % self.schedule.reduce_after == 0:
            self.rate *= self.schedule.reduce_factor
            note += f", learning rate now {self.rate:.3g}"
        return note

    def _is_over(self) -> bool:
        return self.failures >= self.schedule.stop_after


def first_model(
    sizes: Sizes,
    vocabulary: Vocabulary,
    seed: int,
    initial: Path | None,
    known: Vocabulary | None = None,
    first_weights: str = "wide",
) -> Model:
    """A fresh model, or one that begins as `initial` does, whose vocabulary is `known`.

    Symbols keep their rows of the embeddings and the output bias (Niu et al., 2018); those that `known` lacks
    get fresh ones, with Sockeye's `first_weights` zeros, as its tool does. Without `known`, the vocabulary of
    `initial` is this one or the beginning of this one.
    InputError if it is not, or if the sizes differ.
    """
    model = Model(sizes)
    model.initialise(torch.Generator().manual_seed(seed_of(seed, WEIGHTS)), first_weights)
    if initial is None:
        return model
    old, facts = Model.read(initial)
    size = old.sizes.vocabulary
    if old.sizes != replace(sizes, vocabulary=size):
        raise InputError(f"has other sizes ({old.sizes}) than asked for ({sizes})", path=initial)
    symbols = (known or vocabulary).symbols[: None if known else size]
    listed = "".join(f"{symbol}\n" for symbol in symbols)
    if hashlib.sha256(listed.encode()).hexdigest() != facts["vocabulary"]:
        raise InputError(
            "was trained with another vocabulary",
            path=initial,
            fix=f"it must be that of {known.path}"
            if known
            else f"it must be {vocabulary.path} or the first lines of it",
        )
    shared = [(vocabulary.ids[symbol], row) for row, symbol in enumerate(symbols) if symbol in vocabulary.ids]
    new, there = (torch.tensor(side) for side in zip(*shared, strict=True))
    with torch.no_grad():
        if known and first_weights == "sockeye":
            model.embedding.zero_()
        for name, parameter in old.named_parameters():
            mine = model.get_parameter(name)
            if name in ("embedding", "output_bias"):
                mine[new] = parameter[there]
            else:
                mine.copy_(parameter)
    return model


def _exp(loss: float) -> float:
    return math.exp(loss) if loss < 700 else math.inf
