"""Training of a language model on examples: its first weights, updates, order, rate and state."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.config.dialogue import Course, Pretrained
from workflow_scripts.config.values import Section
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, writing_folder
from workflow_scripts.dialogue import language_model
from workflow_scripts.dialogue.consistency import IGNORED
from workflow_scripts.dialogue.language_model import Kind, LanguageModel
from workflow_scripts.dialogue.templates import Example
from workflow_scripts.seq2seq.device import Resolved
from workflow_scripts.seq2seq.seeds import DROPOUT, ORDER, WEIGHTS, seed_of

if TYPE_CHECKING:
    from torch import Tensor

    from workflow_scripts.seq2seq.training_state import TrainingState

# Batches that are cut from texts sorted by length, before they are shuffled.
POOL = 16


def options_of(seed: int, threads: int, where: Resolved, **sections: Section) -> dict[str, object]:
    """What a training's weights depend on beside its texts; `sections`: of the configuration."""
    settings = {name: section.model_dump(mode="json") for name, section in sections.items()}
    return {"seed": seed, "threads": threads, **settings, **where.facts()}


def files_of(initial: Path | None) -> list[Path]:
    """The files of the checkpoint that a training begins with; none from scratch."""
    return sorted(path for path in initial.iterdir() if path.is_file()) if initial else []


def first_model(
    kind: Kind,
    pieces_of: Callable[[Iterable[str]], list[str]],
    examples: Sequence[Example],
    start: Pretrained,
    where: Resolved,
    seed: int,
    initial: Path | None,
    bart: bool = False,
) -> LanguageModel:
    """The model before its training.

    `pieces_of`: what its vocabulary has as one piece, of the texts; `bart`: an encoder-decoder from scratch
    is BART's, not T5's. Raises InputError for bad checkpoints, and without `initial` where one is needed.
    """
    texts = [f"{one.source} {one.target}".strip() for one in examples]
    first, pieces = seed_of(seed, WEIGHTS), pieces_of(texts)
    if start.kind == "scratch":
        sizes = start.model_dump(include={"vocabulary_size", "layers", "hidden", "heads", "dropout"})
        return language_model.from_scratch(kind, texts, pieces, where, **sizes, seed=first, bart=bart)
    if initial is None:
        raise InputError("a model that is not from scratch needs --initial")
    return language_model.extended(language_model.load(initial, kind, where), pieces, seed=first)


class Training:
    """Updates of a language model, and its state."""

    def __init__(
        self,
        learner: LanguageModel,
        examples: Sequence[Example],
        course: Course,
        seed: int,
        loss: Callable[[int, Sequence[int]], Tensor] | None = None,
    ) -> None:
        """`examples`: what is learnt; `seed`: of order and dropout; `loss`: in place of the cross-entropy,
        that of an update and the numbers of some examples."""
        import torch

        self.learner, self.course, self.seed = learner, course, seed
        self.loss = loss or self._cross_entropy
        self.tasks = [one.task for one in examples]
        self.sources = learner.ids([one.source for one in examples])
        self.targets = learner.ids([one.target for one in examples])
        if (room := learner.positions) is not None:
            self.targets = [row[-room:] for row in self.targets]
        self.lengths = [len(s) + len(t) for s, t in zip(self.sources, self.targets, strict=True)]
        self.optimizer = torch.optim.AdamW(learner.parameters(), lr=course.learning_rate, fused=True)
        steps = len(self.order(0))
        self.per_epoch = -(-steps // course.accumulate)
        self.total = min(self.per_epoch * course.epochs, course.max_updates or sys.maxsize)

    def order(self, epoch: int) -> list[list[int]]:
        """The texts of each step of an epoch: of one decoder, and of like length."""
        import numpy as np

        chance = np.random.default_rng(seed_of(self.seed, ORDER, epoch))
        size, steps = self.course.batch_size, []
        separate = len(self.learner.models) > 1
        for task in sorted(set(self.tasks)) if separate else [""]:
            places = [place for place, one in enumerate(self.tasks) if task in ("", one)]
            mixed = [places[at] for at in chance.permutation(len(places))]
            for at in range(0, len(mixed), POOL * size):
                pool = sorted(mixed[at : at + POOL * size], key=lambda place: self.lengths[place])
                steps += [pool[begin : begin + size] for begin in range(0, len(pool), size)]
        return [steps[at] for at in chance.permutation(len(steps))]

    def rate(self, update: int) -> float:
        """The learning rate of an update, counted from 0."""
        warm = self.course.warmup_updates
        if update < warm:
            return self.course.learning_rate * (update + 1) / warm
        if self.course.decay == "none":
            return self.course.learning_rate
        return self.course.learning_rate * (self.total - update) / max(1, self.total - warm)

    def write(self, model: Path, state: TrainingState) -> None:
        """Run the training, write the folder of its model, and remove its state."""
        self.run(state)
        with writing_folder(model) as part:
            self.learner.save(part)
        state.remove()

    def run(self, state: TrainingState) -> int:
        """Make all updates that are left; returns how many tokens they have seen."""
        first = self._resume(state)
        for model in self.learner.models:
            model.train()
        update, begin, tokens = first * self.per_epoch, time.perf_counter(), 0
        for epoch in range(first, self.course.epochs):
            steps = self.order(epoch)
            parts = [
                steps[at : at + self.course.accumulate] for at in range(0, len(steps), self.course.accumulate)
            ][: self.total - update]
            total = 0.0
            for part in progress(parts, f"epoch {epoch + 1}", unit="update"):
                total += self._update(update, part)
                tokens += sum(self.lengths[place] for step in part for place in step)
                update += 1
            print(f"epoch {epoch + 1}: loss {total / len(parts):.4f}", file=sys.stderr)
            if update >= self.total:
                break
            state.save(epoch + 1, self._state(), {"epochs": epoch + 1})
        seconds = time.perf_counter() - begin
        print(f"{tokens} tokens in {seconds:.1f} s, {tokens / seconds:.0f} per second", file=sys.stderr)
        return tokens

    def _update(self, update: int, steps: Sequence[Sequence[int]]) -> float:
        """One update; the mean loss of its steps, in nats per token for a cross-entropy."""
        import torch

        torch.manual_seed(seed_of(self.seed, DROPOUT, update))
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate(update)
        self.optimizer.zero_grad()
        losses = []
        for places in steps:
            loss = self.loss(update, places) / len(steps)
            loss.backward()  # type: ignore[no-untyped-call]
            losses.append(loss.item())
        torch.nn.utils.clip_grad_norm_(self.learner.parameters(), self.course.gradient_clip)
        self.optimizer.step()
        return sum(losses)

    def _cross_entropy(self, _: int, places: Sequence[int]) -> Tensor:
        """The mean cross-entropy per token of some texts."""
        import torch

        from workflow_scripts.encoders.model import arithmetic

        learner = self.learner
        sources, targets = ([side[place] for place in places] for side in (self.sources, self.targets))
        model = learner.parts[self.tasks[places[0]]]
        if learner.kind == "causal":
            rows = [[*source, *target] for source, target in zip(sources, targets, strict=True)]
            gold, given = learner.batch(rows, IGNORED)[:, 1:], {}
        else:
            rows, gold = sources, learner.batch(targets, IGNORED)
            given = {"labels": gold}
        mask = learner.batch([[1] * len(row) for row in rows], 0)
        with arithmetic(learner.where):
            logits = model(input_ids=learner.batch(rows, learner.pad), attention_mask=mask, **given).logits
        if learner.kind == "causal":
            logits = logits[:, :-1]
        found: Tensor = torch.nn.functional.cross_entropy(
            logits.float().flatten(0, 1), gold.flatten(), ignore_index=IGNORED
        )
        return found

    def _state(self) -> dict[str, Tensor]:
        """The weights and Adam's moments, by name."""
        tensors = self.learner.weights()
        for number, moments in self.optimizer.state_dict()["state"].items():
            tensors |= {f"adam.{number}.{name}": value for name, value in moments.items()}
        return tensors

    def _resume(self, kept: TrainingState) -> int:
        """Load the newest `_state` of this very training and return its number of epochs, or 0."""
        import torch

        from workflow_scripts.seq2seq.training_state import alike

        weights = self.learner.weights()

        def fits(tensors: dict[str, Tensor], scalars: dict[str, Any]) -> bool:
            expected = dict(weights)
            for name in tensors:
                kind, _, rest = name.partition(".")
                number, _, moment = rest.partition(".")
                if kind == "adam" and f"model.{number}" in weights:
                    one = weights[f"model.{number}"]
                    expected[name] = one.new_zeros(()) if moment == "step" else one
            counted = isinstance(scalars, dict) and isinstance(scalars.get("epochs"), int)
            return counted and alike(tensors, expected)

        newest = kept.newest(fits)
        if newest is None:
            return 0
        tensors, scalars = newest
        moments: dict[int, dict[str, Tensor]] = {}
        with torch.no_grad():
            for name, value in tensors.items():
                kind, _, rest = name.partition(".")
                if kind == "model":
                    weights[name].copy_(value)
                else:
                    number, _, moment = rest.partition(".")
                    moments.setdefault(int(number), {})[moment] = value
        self.optimizer.load_state_dict({**self.optimizer.state_dict(), "state": moments})
        print(f"going on after epoch {scalars['epochs']} from {kept.folder}", file=sys.stderr)
        return int(scalars["epochs"])
