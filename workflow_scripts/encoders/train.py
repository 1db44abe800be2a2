"""Command: fine-tune an encoder into a regressor (XFORMAL, Section 5.3) or a classifier (TyDiP)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.files import progress, read_lines, read_numbers, writing_folder
from workflow_scripts.core.job_state import key_of
from workflow_scripts.encoders import ngrams
from workflow_scripts.encoders import sentences as sentence_vectors
from workflow_scripts.encoders.classes import POSITIVE, read_labels
from workflow_scripts.encoders.courses import Falling, Released
from workflow_scripts.encoders.model import OUTPUTS, arithmetic, load, longest_input
from workflow_scripts.encoders.ngrams import is_ngrams
from workflow_scripts.encoders.sentences import is_recipe
from workflow_scripts.seq2seq.device import Device, Precision, Resolved, prepare
from workflow_scripts.training.epochs import EpochTraining

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor
    from torch.nn import Module

# Parts of a batch that are padded apart.
PARTS = 2
# The share of the sentences that TyDiP's released code splits off at the end, and uses for nothing.
UNUSED = 0.2
# AdamW's weight decay and the largest norm of a gradient: XFORMAL's regressors, and TyDiP's, which have
# torch's default and no limit.
REGULARISATION: dict[str, tuple[float, float | None]] = {"values": (0.0, 1.0), "classes": (0.01, None)}


def train(
    encoder: Path,
    regressor: Path,
    *,
    sentences: Path,
    scores: Path,
    objective: Literal["values", "classes"],
    learning_rate: float,
    epochs: int,
    batch_size: int,
    max_length: int,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
    released: bool = False,
) -> None:
    """Train a new linear layer on the encoder's pooled state, and the encoder with it.

    `values` is a regressor: one output, its squared error is minimised, gradients are clipped to norm 1.
    `classes` is a classifier of labels, 1 and -1: two outputs, cross-entropy, weight decay 0.01.
    Both have AdamW with a rate that falls linearly to 0, and see every sentence once per epoch; a classifier
    with `released` is trained as TyDiP's code does: on the first four fifths, by `courses.Released`.

    Order and dropout are functions of the seed and the step alone, so that a training that was killed, and
    goes on from the end of its last whole epoch, ends with the same weights. An encoder of n-grams is trained
    by `ngrams.fit` instead, and one of sentence vectors by `sentences.fit`, which need no option but threads.
    Raises InputError if sentences and scores do not match, or a classifier has one class only.

    :param encoder: folder that encoders.encoder wrote
    :param regressor: folder to write: model.safetensors, config.json, tokenizer.json
    :param sentences: training sentences
    :param scores: their scores or, for `classes`, their labels, parallel by line
    :param objective: the targets: scores, or one of two classes for each sentence
    :param learning_rate: the first one (5e-5 for XFORMAL's regressors, 5e-6 for TyDiP's classifiers)
    :param epochs: passes over the sentences (5)
    :param batch_size: sentences per step (32)
    :param max_length: longer sentences are cut, in word pieces (128)
    :param released: as TyDiP's released code, for classifiers only
    """
    of_ngrams, of_vectors = is_ngrams(encoder), is_recipe(encoder)
    if of_ngrams or of_vectors:
        fix_threads(threads)
    else:
        where = prepare(device, precision, threads)
    texts, ratings = _read(sentences, scores, objective)
    if released and objective != "classes":
        raise InputError("only classifiers are trained as TyDiP's code does (--released)")
    if of_vectors and objective != "classes":
        raise InputError("an encoder of kind sentences is for classifiers only", path=encoder)
    if of_ngrams or of_vectors:
        with about(sentences):
            (ngrams.fit if of_ngrams else sentence_vectors.fit)(encoder, regressor, texts, ratings)
        return
    import torch

    from workflow_scripts.training.state import TrainingState

    course: Falling
    if released:
        count = len(texts) - math.ceil(UNUSED * len(texts))
        texts, ratings = texts[:count], ratings[:count]
        _check_classes(ratings, scores)
        positive = [rating == POSITIVE for rating in ratings]
        course = Released(count, epochs, batch_size, learning_rate, seed, positive)
    else:
        course = Falling(len(texts), epochs, batch_size, learning_rate, seed)
    torch.manual_seed(seed)
    model, tokenizer = load(encoder, where, OUTPUTS[objective])
    inputs = tokenizer(texts, truncation=True, max_length=longest_input(tokenizer, model, max_length))[
        "input_ids"
    ]
    options = {
        "epochs": epochs,
        "batch_size": batch_size,
        "learning_rate": learning_rate,
        "seed": seed,
        "objective": objective,
        "released": released,
        "max_length": max_length,
        "threads": threads,
        **where.facts(),
    }
    key = key_of(
        "encoders.train", options, (encoder, sentences, scores), "torch", "transformers", targets=[regressor]
    )
    state = TrainingState(checkpoints, key)
    with about(encoder):
        Tuning(model, tokenizer, inputs, ratings, course, objective, where).run(state)
    with writing_folder(regressor) as part:
        model.save_pretrained(part)
        tokenizer.save_pretrained(part)
    state.remove()


class Tuning(EpochTraining["NDArray[np.int64]", list[float]]):
    """Updates of an encoder and the layer on it; a batch is the numbers of its sentences."""

    def __init__(
        self,
        model: Module,
        tokenizer: Any,
        inputs: Sequence[list[int]],
        ratings: Sequence[float],
        course: Falling,
        objective: str,
        where: Resolved,
    ) -> None:
        """`inputs`: the word pieces of each sentence."""
        import numpy as np
        import torch

        decay, self.clip = REGULARISATION[objective]
        optimizer = torch.optim.AdamW(
            model.parameters(), lr=course.learning_rate, weight_decay=decay, fused=True
        )
        super().__init__([model], optimizer, course.updates, course.epochs * course.updates)
        self.model, self.tokenizer, self.inputs, self.ratings = model, tokenizer, inputs, ratings
        self.course, self.objective, self.where = course, objective, where
        self.lengths = np.array([len(ids) for ids in inputs])

    def batches(self, epoch: int) -> list[NDArray[np.int64]]:
        """The sentences of an epoch's updates."""
        order, size = self.course.order(epoch), self.course.batch_size
        return [order[at : at + size] for at in range(0, len(order), size)]

    def _shown(self, batches: Sequence[NDArray[np.int64]]) -> Iterable[NDArray[np.int64]]:
        name = f"epoch {self.update // self.per_epoch + 1} of {self.course.epochs}"
        return progress(batches, name, unit="step")

    def _seed(self) -> int:
        return (self.course.seed << 32) + self.update + 1

    def rate(self, update: int) -> float:
        """The learning rate of an update, by the course."""
        return self.course.rate(*divmod(update, self.per_epoch))

    def _learn(self, batch: NDArray[np.int64]) -> list[float]:
        """One step of AdamW; the loss of each part of the batch, summed up over its sentences."""
        import torch

        self.optimizer.zero_grad()
        losses = []
        for some in _parts(batch, self.lengths):
            padded = self.tokenizer.pad(
                {"input_ids": [self.inputs[row] for row in some]}, return_tensors="pt"
            )
            gold = torch.tensor([self.ratings[row] for row in some], device=self.where.device)
            with arithmetic(self.where):
                logits = self.model(**padded.to(self.where.device)).logits
            loss = _loss(logits, gold)
            (loss / self.course.divisor(len(batch))).backward()  # type: ignore[no-untyped-call]
            losses.append(loss.item())
        if self.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.parameters, self.clip)
        self.optimizer.step()
        return losses

    def _told(self, losses: list[list[float]]) -> str:
        total = sum(loss for parts in losses for loss in parts)
        return f"{LOSSES[self.objective]} {total / len(self.inputs):.4f}"


LOSSES = {"values": "mean squared error", "classes": "cross-entropy"}


def _read(sentences: Path, scores: Path, objective: str) -> tuple[list[str], list[float]]:
    """Sentences and their scores or labels."""
    texts = read_lines(sentences, filled=True)
    ratings = read_labels(scores) if objective == "classes" else read_numbers(scores)
    if len(texts) != len(ratings) or not texts:
        raise InputError(f"{len(texts)} sentences but {len(ratings)} scores in {scores}", path=sentences)
    if objective == "classes":
        _check_classes(ratings, scores)
    return texts, ratings


def _check_classes(labels: list[float], path: Path) -> None:
    if len(set(labels)) < 2:
        raise InputError("labels of one class only", path=path, fix="give sentences of both")


def _loss(logits: Tensor, gold: Tensor) -> Tensor:
    """The sum over sentences: squared errors of one output, or the cross-entropy of two."""
    import torch

    if logits.shape[1] == 1:
        return torch.nn.functional.mse_loss(logits[:, 0].float(), gold, reduction="sum")
    return torch.nn.functional.cross_entropy(logits.float(), (gold == POSITIVE).long(), reduction="sum")


def _parts(rows: NDArray[np.int64], lengths: NDArray[np.int64]) -> list[list[int]]:
    """A batch in parts, shorter and longer sentences apart.

    The sum of their gradients is the batch's, and less is padded. Whole batches of like length pad still
    less, but a formality regressor ranks worse (Spearman 0.83 instead of 0.86 at demo scale).
    """
    import numpy as np

    ordered = rows[np.argsort(lengths[rows], kind="stable")]
    return [part.tolist() for part in np.array_split(ordered, PARTS) if len(part)]


if __name__ == "__main__":
    run(train)
