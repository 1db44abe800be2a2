"""Training by a course, and of language models: first weights, updates, order and rate."""

from __future__ import annotations

import sys
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.config.values import Section
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import chunks, writing_folder
from workflow_scripts.language_models.model import Kind, LanguageModel, extended, load
from workflow_scripts.language_models.scratch import from_scratch
from workflow_scripts.language_models.texts import Example, Task
from workflow_scripts.seq2seq.device import Resolved
from workflow_scripts.seq2seq.seeds import DROPOUT, ORDER, WEIGHTS, seed_of
from workflow_scripts.training.epochs import EpochTraining

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from workflow_scripts.training.learnt import Optimizer
    from workflow_scripts.training.state import TrainingState

# The target of tokens that have no loss.
IGNORED = -100
# Batches that are cut from texts sorted by length, before they are shuffled.
POOL = 16


def options_of(seed: int, threads: int, where: Resolved, **sections: Section) -> dict[str, object]:
    """The settings that a training's weights depend on; `sections`: of the configuration."""
    settings = {name: section.model_dump(mode="json") for name, section in sections.items()}
    return {"seed": seed, "threads": threads, **settings, **where.facts()}


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

    `pieces_of`: the strings in the texts that are single pieces of the vocabulary; `bart`: an encoder-decoder
    from scratch is like BART, not T5. Raises InputError for bad checkpoints, and for a missing `initial`.
    """
    texts = [f"{example.source} {example.target}".strip() for example in examples]
    first, pieces = seed_of(seed, WEIGHTS), pieces_of(texts)
    if start.kind == "scratch":
        sizes = start.model_dump(include={"vocabulary_size", "layers", "hidden", "heads", "dropout"})
        return from_scratch(kind, texts, pieces, where, **sizes, seed=first, bart=bart)
    if initial is None:
        raise InputError("a model that is not from scratch needs --initial")
    return extended(load(initial, kind, where), pieces, seed=first)


class CourseTraining(EpochTraining[list[list[int]], float]):
    """Updates by a course; a batch is the steps of an update, and a step the numbers of its texts."""

    def __init__(
        self,
        models: Sequence[Module],
        optimizer: Optimizer,
        course: Course,
        seed: int,
        lengths: Sequence[int],
        steps: int,
        counted: int | None = None,
    ) -> None:
        """Set up the updates, as all kinds of models share them.

        :param seed: of order, dropout and draws
        :param lengths: tokens of each text
        :param steps: of an epoch
        :param counted: of these, those by which the updates of all epochs are counted, by default all: so a
            system learns from more data in as many updates as it makes without them
        """
        per_epoch = -(-steps // course.accumulate)
        known = -(-(counted or steps) // course.accumulate)
        total = min(known * course.epochs, course.max_updates or sys.maxsize)
        super().__init__(models, optimizer, per_epoch, total)
        self.course, self.seed, self.lengths = course, seed, lengths
        self.tokens = 0

    @abstractmethod
    def order(self, epoch: int) -> list[list[int]]:
        """The texts of each step of an epoch."""

    @abstractmethod
    def losses(self, places: Sequence[int]) -> Iterable[Tensor]:
        """The losses of a step, whose gradients add up; the next is asked for when one has its gradients."""

    def batches(self, epoch: int) -> list[list[list[int]]]:
        """The steps of each update of an epoch."""
        return list(chunks(self.order(epoch), self.course.accumulate))

    def _seed(self) -> int:
        return seed_of(self.seed, DROPOUT, self.update)

    def rate(self, update: int) -> float:
        """The learning rate of an update, counted from 0."""
        warm = self.course.warmup_updates
        if update < warm:
            return self.course.learning_rate * (update + 1) / warm
        if self.course.decay == "none":
            return self.course.learning_rate
        return self.course.learning_rate * (self.total - update) / max(1, self.total - warm)

    def run(self, kept: TrainingState) -> None:
        """Make all updates that are left, and say how fast that was."""
        begin = time.perf_counter()
        super().run(kept)
        seconds = time.perf_counter() - begin
        speed = self.tokens / seconds
        print(f"{self.tokens} tokens in {seconds:.1f} s, {speed:.0f} per second", file=sys.stderr)

    def step(self, batch: list[list[int]]) -> float:
        """One update; the mean loss of its steps."""
        loss = super().step(batch)
        self.tokens += sum(self.lengths[place] for places in batch for place in places)
        return loss

    def _learn(self, batch: list[list[int]]) -> float:
        """One step of the optimiser, by the mean of the steps' losses."""
        self.optimizer.zero_grad()
        losses = []
        for places in batch:
            for loss in self.losses(places):
                share = loss / len(batch)
                share.backward()  # type: ignore[no-untyped-call]
                losses.append(share.item())
        self._descend()
        return sum(losses)

    def _descend(self) -> None:
        """Clip the gradients, and let the optimiser make its step."""
        import torch

        torch.nn.utils.clip_grad_norm_(self.parameters, self.course.gradient_clip)
        self.optimizer.step()

    def _told(self, losses: list[float]) -> str:
        return f"loss {sum(losses) / len(losses):.4f}"


def in_batches(
    turns: Sequence[tuple[int, ...]], lengths: Sequence[int], size: int, seed: Sequence[int]
) -> list[list[int]]:
    """All turns in batches of similar length, in random order: the numbers of their texts.

    A turn is its texts, as many in each turn: a batch lists the first text of all its turns, then the second.
    """
    import numpy as np

    chance = np.random.default_rng(seed_of(*seed))
    mixed = [turns[at] for at in chance.permutation(len(turns))]
    steps: list[list[int]] = []
    for pool in chunks(mixed, POOL * size):
        pool.sort(key=lambda turn: sum(lengths[place] for place in turn))
        steps += [
            [place for side in zip(*batch, strict=True) for place in side] for batch in chunks(pool, size)
        ]
    return [steps[at] for at in chance.permutation(len(steps))]


class LanguageModelTraining(CourseTraining):
    """Updates of a language model by AdamW; a turn of one with two decoders has a text for each."""

    def __init__(
        self,
        learner: LanguageModel,
        examples: Sequence[Example],
        course: Course,
        seed: int,
        own_loss: Callable[[int, Sequence[int]], Tensor] | None = None,
        counted: int | None = None,
    ) -> None:
        """The models of `learner` change.

        :param examples: the texts that are learnt
        :param seed: of order and dropout
        :param own_loss: in place of the cross-entropy, that of an update and the numbers of some examples
        :param counted: the first examples by which updates are counted, by default all
        """
        import torch

        self.learner, self.own_loss = learner, own_loss
        self.tasks = [example.task for example in examples]
        self.sources = learner.ids([example.source for example in examples])
        self.targets = learner.ids([example.target for example in examples], target=True)
        if learner.kind == "causal" and (room := learner.positions) is not None:
            self.targets = [row[-room:] for row in self.targets]
        lengths = [len(s) + len(t) for s, t in zip(self.sources, self.targets, strict=True)]
        self.turns = _turns(self.tasks, len(learner.models))
        super().__init__(
            learner.models,
            torch.optim.AdamW(learner.parameters(), lr=course.learning_rate, fused=True),
            course,
            seed,
            lengths,
            -(-len(self.turns) // course.batch_size),
            counted and -(-counted // len(learner.models) // course.batch_size),
        )

    def order(self, epoch: int) -> list[list[int]]:
        """The texts of each step of an epoch, of similar length.

        A step of two decoders has both texts of each turn: all those of one decoder, then those of the other.
        """
        return in_batches(self.turns, self.lengths, self.course.batch_size, (self.seed, ORDER, epoch))

    def write(self, model: Path, state: TrainingState) -> None:
        """Run the training, write the folder of its model, and remove its state."""
        self.run(state)
        with writing_folder(model) as part:
            self.learner.save(part)
        state.remove()

    def losses(self, places: Sequence[int]) -> list[Tensor]:
        """The training's own loss of some texts, or their cross-entropy, in nats per token."""
        return [self.own_loss(self.update, places) if self.own_loss else self._cross_entropy(places)]

    def _cross_entropy(self, places: Sequence[int]) -> Tensor:
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
            model = learner.parts["response"]
            # mBART would begin with the last of its labels, whatever its configuration says.
            start = model.config.decoder_start_token_id
            read = {
                **self._read(sources),
                "decoder_input_ids": learner.batch([[start, *r[:-1]] for r in targets], learner.pad),
            }
            gold = learner.batch(targets, IGNORED)
            with arithmetic(learner.where):
                return _mean(model(**read, use_cache=False).logits, gold)
        # Both decoders read the same turns, so these are encoded once.
        half = len(places) // 2
        read = self._read(sources[:half])
        losses = []
        with arithmetic(learner.where):
            encoded = learner.parts["belief"].get_encoder()(**read)
            for begin in (0, half):
                model = learner.parts[self.tasks[places[begin]]]
                gold = learner.batch(targets[begin : begin + half], IGNORED)
                inputs = {"encoder_outputs": encoded, "attention_mask": read["attention_mask"]}
                losses.append(_mean(model(**inputs, labels=gold).logits, gold))
        return losses[0] + losses[1]

    def _read(self, rows: Sequence[Sequence[int]]) -> dict[str, Tensor]:
        """Rows of tokens as a model reads them."""
        mask = self.learner.batch([[1] * len(row) for row in rows], 0)
        return {"input_ids": self.learner.batch(rows, self.learner.pad), "attention_mask": mask}


def _turns(tasks: Sequence[Task], decoders: int) -> list[tuple[int, ...]]:
    """The units of a step: a text, or with two decoders the texts of both tasks of a turn."""
    if decoders == 1:
        return [(place,) for place in range(len(tasks))]
    sides = [[place for place, name in enumerate(tasks) if name == task] for task in sorted(set(tasks))]
    return list(zip(*sides, strict=True))


def _mean(logits: Tensor, gold: Tensor) -> Tensor:
    """The mean cross-entropy per token, in nats, of the tokens that have a target."""
    import torch

    loss: Tensor = torch.nn.functional.cross_entropy(
        logits.float().flatten(0, 1), gold.flatten(), ignore_index=IGNORED
    )
    return loss
