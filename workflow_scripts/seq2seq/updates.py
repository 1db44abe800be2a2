"""The training of a translation model: Adam, a learning rate that is reduced on plateaus, early stopping."""

import hashlib
import math
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.data import By, Pairs, Vocabulary
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.model import Batch, Model, Sizes
from workflow_scripts.seq2seq.search import Search
from workflow_scripts.seq2seq.seeds import DROPOUT, ORDER, WEIGHTS, seed_of
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes
from workflow_scripts.training import judged
from workflow_scripts.training.adam import Adam
from workflow_scripts.training.judged import JudgedTraining, summed

DECODED = 2000
"""The maximum number of dev pairs that are decoded for BLEU."""


@dataclass(frozen=True, kw_only=True)
class Schedule(judged.Schedule):
    """The settings of training, without those of the model; see the command `train`.

    An evaluation is called a checkpoint in the papers.
    """

    dropout: float
    reduce_after: int
    stop_after: int
    select: str = "perplexity"
    batch_by: By = "pairs"
    """The unit of `batch_size`: pairs, or target tokens including </s> and padding."""
    accumulate: int = 1
    """The number of batches whose gradients are accumulated for an update; all words have equal weight."""
    label_smoothing: float = 0.0
    warmup_updates: int = 0
    """The number of updates in which the rate rises linearly to `learning_rate`."""
    average: int = 1
    """The number of best evaluations whose parameters are averaged for the final model."""
    reload: bool = False
    """Whether parameters and optimiser are reset to the best evaluation when the rate is reduced."""
    stop_gain: float = 0.0
    """Training also stops if perplexity has decreased by at most this much in `stop_after` evaluations."""
    epochs: int = 0
    """The maximum number of epochs; 0: no limit."""


class TranslatorTraining(JudgedTraining[Model | Transformer, Tensor]):
    """The training of a translation model; dev perplexity or dev BLEU selects the model that is kept.

    Without dev pairs there is no selection, and the model after the last update is kept.
    """

    measure = "perplexity"
    report = "perplexity {train_perplexity:.3f}, dev {dev_perplexity:.3f}"
    unit = "target tokens"
    diverged = "no checkpoint has a finite dev perplexity"
    schedule: Schedule

    def __init__(
        self,
        model: Model | Transformer,
        pairs: Pairs,
        dev: Pairs | None,
        schedule: Schedule,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        """`dtype`: the type of the matrix products."""
        adam = Adam(model.to(device).parameters(), schedule.learning_rate)
        super().__init__(model, len(pairs), schedule, device, adam)
        if model.source_end:
            pairs, dev = pairs.ended(), None if dev is None else dev.ended()
        self.pairs, self.dev, self.dtype = pairs, dev, dtype
        self.generator = torch.Generator(device)
        self.kept: dict[int, dict[str, Tensor]] = {}
        """Update -> the parameters after it, for the best evaluations."""
        self.best_adam: dict[str, Tensor] = {}
        """The optimiser's tensors at the best evaluation."""
        # The pairs of an update change from epoch to epoch; the number of updates does not.
        self.per_epoch = len(self.batches(0))
        if schedule.epochs:
            last = min(schedule.max_updates, schedule.epochs * self.per_epoch)
            self.schedule = replace(schedule, max_updates=last)

    def perplexity(self, pairs: Pairs) -> float:
        """exp of the mean label-smoothed loss per target word (with </s>) without dropout, as in Sockeye."""
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        words = 0
        with torch.no_grad():
            for which in pairs.batches(self.schedule.batch_size, None, self.schedule.batch_by):
                batch = pairs.batch(which, self.device)
                total += self._loss(batch, Dropout()) * len(batch.wanted)
                words += len(batch.wanted)
        return _exp(total.item() / words)

    def step(self, which: NDArray[np.int64]) -> Tensor:
        """Make one update with the chosen pairs; returns their summed loss, left on the device."""
        schedule = self.schedule
        self.generator.manual_seed(seed_of(schedule.seed, DROPOUT, self.update))
        dropout = Dropout(schedule.dropout, self.generator)
        self.model.zero_grad(set_to_none=True)
        words = self.pairs.target.predictions(which)
        losses = [self._gradients(part, words, dropout) for part in self._parts(which)]
        if schedule.gradient_clip:
            torch.nn.utils.clip_grad_value_(self.model.parameters(), schedule.gradient_clip)
        self.update += 1
        self._descend()
        return losses[0] if len(losses) == 1 else torch.stack(losses).sum()

    def _gradients(self, part: NDArray[np.int64], words: int, dropout: Dropout) -> Tensor:
        """Add the gradients of some pairs of an update with `words` words; returns their summed loss."""
        batch = self.pairs.batch(part, self.device)
        loss = self._loss(batch, dropout)
        here = len(batch.wanted)
        (loss if here == words else loss * (here / words)).backward()
        return loss.detach() * here

    def _loss(self, batch: Batch, dropout: Dropout) -> Tensor:
        return self.model.loss(batch, self.dtype, dropout, self.schedule.label_smoothing)

    def _parts(self, which: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The pairs of an update as batches that are computed one at a time."""
        schedule = self.schedule
        if schedule.accumulate == 1:
            return [which]
        return self.pairs.batches(schedule.batch_size, None, schedule.batch_by, which)

    def _batches(self, epoch: int) -> list[NDArray[np.int64]]:
        schedule = self.schedule
        order = [schedule.seed, ORDER, epoch]
        batches = self.pairs.batches(schedule.batch_size, order, schedule.batch_by)
        several = schedule.accumulate
        if several == 1:
            return batches
        return [np.concatenate(batches[i : i + several]) for i in range(0, len(batches), several)]

    def _predictions(self, which: NDArray[np.int64]) -> int:
        return self.pairs.target.predictions(which)

    def _current_rate(self) -> float:
        """The learning rate; a fraction of it during warm-up."""
        warmup = self.schedule.warmup_updates
        return self.rate * min(1.0, self.update / warmup) if warmup else self.rate

    def _seen(self, losses: list[Tensor], words: int) -> dict[str, float]:
        return {"train_perplexity": _exp(summed(losses) / words)}

    def bleu(self) -> float:
        """BLEU of the model's outputs for the dev sentences, in pieces, as Sockeye monitors it.

        Of more than `DECODED` dev pairs, an evenly spaced subset of that size is used. One reference each,
        beam 5.
        """
        from sacrebleu import corpus_bleu

        assert self.dev is not None
        count = len(self.dev)
        chosen = [count * place // DECODED for place in range(DECODED)] if count > DECODED else range(count)
        sources, targets = (
            [[*map(int, side.ids[side.starts[i] : side.starts[i + 1] - end])] for i in chosen]
            for side, end in ((self.dev.source, self.dev.source_end), (self.dev.target, False))
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
        # A source with several references is repeated for each of them.
        different = list(dict.fromkeys(map(tuple, sources)))
        results = dict(zip(different, search(different, self.schedule.batch_size), strict=True))
        outputs = [" ".join(map(str, results[tuple(source)].ids)) for source in sources]
        references = [" ".join(map(str, target)) for target in targets]
        return float(corpus_bleu(outputs, [references], tokenize="none", force=True).score)

    def _evaluate(self) -> dict[str, float]:
        if self.dev is None:
            return {"dev_perplexity": math.nan}
        seen = {"dev_perplexity": self.perplexity(self.dev)}
        return seen | ({"dev_bleu": self.bleu()} if self.schedule.select == "bleu" else {})

    def _judge(self, dev: float) -> str:
        """Store what the schedule needs of this evaluation; without dev pairs, keep the current model."""
        if self.dev is None:
            self._keep()
            if not math.isfinite(self.rows[-1]["train_perplexity"]):
                self.best = {}
            return "no dev set"
        best = self._best_updates(self.rows)
        if self.schedule.average > 1 and self.update in best:
            self.kept[self.update] = self._copied()
        self.kept = {update: self.kept[update] for update in sorted(best) if update in self.kept}
        return super()._judge(dev)

    def _best_updates(self, rows: list[dict[str, float]]) -> list[int]:
        """The updates of the best evaluations, as many as are averaged; ties go to the earlier one."""
        schedule = self.schedule
        finite = [row for row in rows if math.isfinite(row["dev_perplexity"])]
        worst = {
            int(row["update"]): -row["dev_bleu"] if schedule.select == "bleu" else row["dev_perplexity"]
            for row in finite
        }
        return sorted(worst, key=lambda update: (worst[update], update))[: schedule.average]

    def _keep(self) -> None:
        super()._keep()
        if self.schedule.reload:
            self.best_adam = {
                name: tensor.cpu().clone()
                for name, tensor in self.learnt.tensors().items()
                if name.startswith("adam.")
            }

    def _chosen(self) -> dict[str, Tensor]:
        if self.schedule.average == 1 or self.dev is None:
            return self.best
        return {
            name: torch.stack([parameters[name] for parameters in self.kept.values()]).mean(0)
            for name in self.model.state_dict()
        }

    def _is_kept(self, better: bool) -> bool:
        if self.schedule.select == "perplexity":
            return better
        *earlier, now = self.rows
        known = [row["dev_bleu"] for row in earlier if math.isfinite(row["dev_perplexity"])]
        return math.isfinite(now["dev_perplexity"]) and now["dev_bleu"] > max(known, default=-1.0)

    def _not_better(self) -> str:
        """On a plateau the rate is reduced, except during warm-up."""
        schedule = self.schedule
        note = f"not better {self.failures} of {schedule.stop_after}"
        if self.failures % schedule.reduce_after == 0 and self.update >= schedule.warmup_updates:
            self.rate *= schedule.reduce_factor
            note += f", learning rate now {self.rate:.3g}"
            if schedule.reload and self.best:
                best = {f"model.{name}": tensor for name, tensor in self.best.items()} | self.best_adam
                self.learnt.restore({name: tensor.clone() for name, tensor in best.items()})
                note += f", back to update {self.best_update}"
        return note

    def _is_done(self) -> bool:
        schedule = self.schedule
        if self.failures >= schedule.stop_after:
            return True
        if not schedule.stop_gain or len(self.rows) <= schedule.stop_after or self.dev is None:
            return False
        perplexities = [row["dev_perplexity"] for row in self.rows]
        return min(perplexities[: -schedule.stop_after]) - min(perplexities) <= schedule.stop_gain

    def _state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        tensors, scalars = super()._state()
        further = {
            f"kept.{update}.{name}": tensor
            for update, parameters in self.kept.items()
            for name, tensor in parameters.items()
        }
        return tensors | further | {
            f"best_{name}": tensor for name, tensor in self.best_adam.items()
        }, scalars

    def _expected(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> dict[str, Tensor]:
        expected = super()._expected(tensors, scalars)
        if self.schedule.average > 1 and self.dev is not None:
            for update in self._best_updates(scalars["rows"]):
                expected |= {
                    f"kept.{update}.{name}": tensor for name, tensor in self.model.state_dict().items()
                }
        if self.schedule.reload and any(name.startswith("best.") for name in expected):
            expected |= {
                f"best_{name}": tensor for name, tensor in expected.items() if name.startswith("adam.")
            }
        return expected

    def _restore(self, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        super()._restore(tensors, scalars)
        self.best_adam = {
            name.removeprefix("best_"): tensor
            for name, tensor in tensors.items()
            if name.startswith("best_adam.")
        }
        self.kept = {update: {} for update in sorted(self._best_updates(self.rows))}
        for name, tensor in tensors.items():
            if name.startswith("kept."):
                _, update, parameter = name.split(".", 2)
                self.kept[int(update)][parameter] = tensor


def first_model(
    sizes: Sizes | TransformerSizes,
    vocabulary: Vocabulary,
    seed: int,
    initial: Path | None,
    known: Vocabulary | None = None,
    first_weights: str = "wide",
) -> Model | Transformer:
    """Create a new model, or one initialised from `initial`, whose vocabulary is `known`.

    Shared symbols keep their rows of the embeddings and the output bias (Niu et al., 2018). Symbols that are
    not in `known` get new rows: zeros if `first_weights` is `sockeye`, as in Sockeye's tool. Without `known`,
    the vocabulary of `initial` must equal this one or be its beginning; otherwise, or if the sizes differ,
    InputError is raised.
    """
    generator = torch.Generator().manual_seed(seed_of(seed, WEIGHTS))
    model: Model | Transformer
    if isinstance(sizes, TransformerSizes):
        model = Transformer(sizes)
        model.initialise(generator)
    else:
        model = Model(sizes)
        model.initialise(generator, first_weights)
    if initial is None:
        return model
    old, facts = type(model).read(initial)
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
