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
        counted: int | None = None,
    ) -> None:
        """`examples`: what is learnt; `seed`: of order and dropout; `loss`: in place of the cross-entropy,
        that of an update and the numbers of some examples; `counted`: see `plan`."""
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
        self.plan(counted)

    def plan(self, counted: int | None) -> None:
        """Count the updates of an epoch and of all.

        `counted`: how many of the examples, the first ones, the updates of all epochs are counted by; by
        default all. So a system learns from more data in as many updates as it makes without them.
        """
        per_epoch = [
            -(-len(self.order(0, some)) // self.course.accumulate) for some in (None, counted or None)
        ]
        self.per_epoch = per_epoch[0]
        self.total = min(per_epoch[1] * self.course.epochs, self.course.max_updates or sys.maxsize)

    def order(self, epoch: int, first: int | None = None) -> list[list[int]]:
        """The texts of each step of an epoch, of like length; `first`: of so many of the examples only.

        A step of two decoders has both texts of each turn: first what the one writes, then the other.
        """
        import numpy as np

        chance = np.random.default_rng(seed_of(self.seed, ORDER, epoch))
        size = self.course.batch_size
        steps: list[list[int]] = []
        turns = self._turns(first)
        mixed = [turns[at] for at in chance.permutation(len(turns))]
        for at in range(0, len(mixed), POOL * size):
            pool = sorted(mixed[at : at + POOL * size], key=self._length)
            batches = [pool[begin : begin + size] for begin in range(0, len(pool), size)]
            steps += [[place for side in zip(*batch, strict=True) for place in side] for batch in batches]
        return [steps[at] for at in chance.permutation(len(steps))]

    def _turns(self, first: int | None) -> list[tuple[int, ...]]:
        """What a step has as a whole: a text, or with two decoders both texts of a turn."""
        tasks = self.tasks[:first]
        if len(self.learner.models) == 1:
            return [(place,) for place in range(len(tasks))]
        sides = [[place for place, one in enumerate(tasks) if one == task] for task in sorted(set(tasks))]
        return list(zip(*sides, strict=True))

    def _length(self, turn: tuple[int, ...]) -> int:
        return sum(self.lengths[place] for place in turn)

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
        """The mean cross-entropy per token of some texts; of two decoders the sum of the means of each."""
        from workflow_scripts.encoders.model import arithmetic

        learner = self.learner
        sources, targets = ([side[place] for place in places] for side in (self.sources, self.targets))
        if learner.kind == "causal":
            rows = [[*source, *target] for source, target in zip(sources, targets, strict=True)]
            with arithmetic(learner.where):
                logits = learner.parts["response"](**self._read(rows)).logits[:, :-1]
            return _mean(logits, learner.batch(rows, IGNORED)[:, 1:])
        if len(learner.models) == 1:
            gold = learner.batch(targets, IGNORED)
            with arithmetic(learner.where):
                return _mean(learner.parts["response"](**self._read(sources), labels=gold).logits, gold)
        # Both decoders write about the same turns: what they read is encoded once.
        half = len(places) // 2
        read = self._read(sources[:half])
        losses = []
        with arithmetic(learner.where):
            encoded = learner.parts["belief"].get_encoder()(**read)
            for begin in (0, half):
                model = learner.parts[self.tasks[places[begin]]]
                gold = learner.batch(targets[begin : begin + half], IGNORED)
                given = {"encoder_outputs": encoded, "attention_mask": read["attention_mask"]}
                losses.append(_mean(model(**given, labels=gold).logits, gold))
        return losses[0] + losses[1]

    def _read(self, rows: Sequence[Sequence[int]]) -> dict[str, Tensor]:
        """Rows of tokens as a model reads them."""
        mask = self.learner.batch([[1] * len(row) for row in rows], 0)
        return {"input_ids": self.learner.batch(rows, self.learner.pad), "attention_mask": mask}

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


def _mean(logits: Tensor, gold: Tensor) -> Tensor:
    """The mean cross-entropy per token, in nats, where there is one."""
    import torch

    found: Tensor = torch.nn.functional.cross_entropy(
        logits.float().flatten(0, 1), gold.flatten(), ignore_index=IGNORED
    )
    return found
