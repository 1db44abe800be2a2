"""Command: fine-tune an encoder into a regressor (XFORMAL, Section 5.3) or a classifier (TyDiP)."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, read_lines, read_numbers, writing_folder
from workflow_scripts.core.job_state import key_of
from workflow_scripts.encoders import ngrams
from workflow_scripts.encoders import sentences as sentence_vectors
from workflow_scripts.encoders.courses import Falling, Released
from workflow_scripts.encoders.model import OUTPUTS, arithmetic, load, longest_input
from workflow_scripts.encoders.ngrams import is_ngrams
from workflow_scripts.encoders.sentences import is_recipe
from workflow_scripts.seq2seq.device import Device, Precision, prepare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from torch import Tensor
    from torch.optim import Optimizer
    from transformers import PreTrainedModel

    from workflow_scripts.seq2seq.training_state import TrainingState

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
    `classes` is a classifier of scores above 0 and others: two outputs, cross-entropy, weight decay 0.01.
    Both have AdamW with a rate that falls linearly to 0, and see every sentence once per epoch; a classifier
    with `released` is trained as TyDiP's code does: on the first four fifths, by `courses.Released`.

    Order and dropout are functions of the seed and the step alone, so that a training that was killed, and
    goes on from the end of its last whole epoch, ends with the same weights. An encoder of n-grams is trained
    by `ngrams.fit` instead, and one of sentence vectors by `sentences.fit`, which need no option but threads;
    a classifier's scores are 1 and -1 to n-grams. Raises InputError if sentences and scores do not match, or
    a classifier has one class only.

    :param encoder: folder that encoders.encoder wrote
    :param regressor: folder to write: model.safetensors, config.json, tokenizer.json
    :param sentences: training sentences
    :param scores: their scores, parallel by line
    :param objective: what is learnt: the scores, or whether they are above 0
    :param learning_rate: the first one (5e-5 for XFORMAL's regressors, 5e-6 for TyDiP's classifiers)
    :param epochs: passes over the sentences (5)
    :param batch_size: sentences per step (32)
    :param max_length: longer sentences are cut, in word pieces (128)
    :param seed: of the output layer, the order and the dropout
    :param device: where to compute; auto: on a GPU if there is one
    :param precision: float32, or bf16 for mixed precision; auto: bf16 on a GPU
    :param threads: of the processor
    :param checkpoints: folder for the state at the end of each epoch; emptied of it at the end
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
        (ngrams.fit if of_ngrams else sentence_vectors.fit)(encoder, regressor, texts, ratings)
        return
    import numpy as np
    import torch

    from workflow_scripts.seq2seq.training_state import TrainingState

    course: Falling
    if released:
        count = len(texts) - math.ceil(UNUSED * len(texts))
        texts, ratings = texts[:count], ratings[:count]
        _check_classes(ratings, scores)
        positive = [rating > 0 for rating in ratings]
        course = Released(count, epochs, batch_size, learning_rate, seed, positive)
    else:
        course = Falling(len(texts), epochs, batch_size, learning_rate, seed)
    torch.manual_seed(seed)
    model, tokenizer = load(encoder, where, OUTPUTS[objective])
    inputs = tokenizer(texts, truncation=True, max_length=longest_input(tokenizer, model, max_length))[
        "input_ids"
    ]
    decay, clip = REGULARISATION[objective]
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=decay, fused=True)
    lengths = np.array([len(ids) for ids in inputs])
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
    data = (*sorted(encoder.iterdir()), sentences, scores)
    key = key_of("encoders.train", options, data, "torch", "transformers", targets=[regressor])
    state = TrainingState(checkpoints, key)
    first = _resume(state, model, optimizer)
    model.train()
    for epoch in range(first, epochs):
        order = course.order(epoch)
        total = 0.0
        name = f"epoch {epoch + 1} of {epochs}"
        for i in progress(range(course.updates), name, course.updates, unit="step"):
            rows = order[i * batch_size : (i + 1) * batch_size]
            for group in optimizer.param_groups:
                group["lr"] = course.rate(epoch, i)
            torch.manual_seed((seed << 32) + epoch * course.updates + i + 1)
            optimizer.zero_grad()
            for some in _parts(rows, lengths):
                batch = tokenizer.pad({"input_ids": [inputs[row] for row in some]}, return_tensors="pt")
                gold = torch.tensor([ratings[row] for row in some], device=where.device)
                with arithmetic(where):
                    logits = model(**batch.to(where.device)).logits
                loss = _loss(logits, gold)
                (loss / course.divisor(len(rows))).backward()
                total += loss.item()
            if clip is not None:
                torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
            optimizer.step()
        print(f"epoch {epoch + 1}: {LOSSES[objective]} {total / len(texts):.4f}", file=sys.stderr)
        if epoch + 1 < epochs:
            state.save(epoch + 1, _state(model, optimizer), {"epochs": epoch + 1})
    with writing_folder(regressor) as part:
        model.save_pretrained(part)
        tokenizer.save_pretrained(part)
    state.remove()


LOSSES = {"values": "mean squared error", "classes": "cross-entropy"}


def _read(sentences: Path, scores: Path, objective: str) -> tuple[list[str], list[float]]:
    """Sentences and what is learnt of them: their scores, or 1 and -1 for the classes."""
    texts, ratings = read_lines(sentences, filled=True), read_numbers(scores)
    if len(texts) != len(ratings) or not texts:
        raise InputError(f"{len(texts)} sentences but {len(ratings)} scores in {scores}", path=sentences)
    if objective == "classes":
        _check_classes(ratings, scores)
        ratings = [1.0 if rating > 0 else -1.0 for rating in ratings]
    return texts, ratings


def _check_classes(ratings: list[float], path: Path) -> None:
    if len({rating > 0 for rating in ratings}) < 2:
        raise InputError("scores of one class only", path=path, fix="give scores above 0 and others")


def _loss(logits: Tensor, gold: Tensor) -> Tensor:
    """The sum over sentences: squared errors of one output, or the cross-entropy of two."""
    import torch

    if logits.shape[1] == 1:
        return torch.nn.functional.mse_loss(logits[:, 0].float(), gold, reduction="sum")
    return torch.nn.functional.cross_entropy(logits.float(), (gold > 0).long(), reduction="sum")


def _parts(rows: NDArray[np.int64], lengths: NDArray[np.int64]) -> list[list[int]]:
    """A batch in parts, shorter and longer sentences apart.

    The sum of their gradients is the batch's, and less is padded. Whole batches of like length pad still
    less, but a formality regressor ranks worse (Spearman 0.83 instead of 0.86 at demo scale).
    """
    import numpy as np

    ordered = rows[np.argsort(lengths[rows], kind="stable")]
    return [part.tolist() for part in np.array_split(ordered, PARTS) if len(part)]


def _state(model: PreTrainedModel, optimizer: Optimizer) -> dict[str, Tensor]:
    """The weights and Adam's moments, by name."""
    tensors = {f"model.{name}": value.contiguous() for name, value in model.state_dict().items()}
    for number, state in optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{number}.{name}": value for name, value in state.items()}
    return tensors


def _resume(kept: TrainingState, model: PreTrainedModel, optimizer: Optimizer) -> int:
    """Load the newest `_state` of this very training and return its number of epochs, or 0."""
    from workflow_scripts.seq2seq.training_state import alike

    def fits(tensors: dict[str, Tensor], scalars: dict[str, Any]) -> bool:
        expected = {f"model.{name}": value for name, value in model.state_dict().items()}
        # Parameters without a gradient have no moments.
        numbers = {name.split(".")[1] for name in tensors if name.startswith("adam.")}
        parameters = [one for group in optimizer.param_groups for one in group["params"]]
        for number, parameter in enumerate(parameters):
            if str(number) in numbers:
                expected |= {f"adam.{number}.{name}": parameter for name in ("exp_avg", "exp_avg_sq")}
                expected[f"adam.{number}.step"] = parameter.new_zeros(())
        counted = isinstance(scalars, dict) and scalars.keys() == {"epochs"}
        return counted and isinstance(scalars["epochs"], int) and alike(tensors, expected)

    newest = kept.newest(fits)
    if newest is None:
        return 0
    tensors, scalars = newest
    weights: dict[str, Tensor] = {}
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in tensors.items():
        kind, _, rest = name.partition(".")
        if kind == "model":
            weights[rest] = value
        else:
            number, _, moment = rest.partition(".")
            state.setdefault(int(number), {})[moment] = value
    model.load_state_dict(weights)
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})
    print(f"going on after epoch {scalars['epochs']} from {kept.folder}", file=sys.stderr)
    return int(scalars["epochs"])


if __name__ == "__main__":
    run(train)
