"""Command: fine-tune an encoder into a formality regressor (XFORMAL, Section 5.3)."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, read_lines, read_numbers, writing_folder
from workflow_scripts.core.job_state import key_of
from workflow_scripts.formality.ngrams import fit, is_ngrams
from workflow_scripts.formality.regression import arithmetic, load, longest_input
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


def train(
    encoder: Path,
    regressor: Path,
    *,
    sentences: Path,
    scores: Path,
    learning_rate: float,
    epochs: int,
    batch_size: int,
    max_length: int,
    seed: int,
    device: Device,
    precision: Precision,
    threads: int,
    checkpoints: Path,
) -> None:
    """Minimise the squared error of one linear output on the encoder's pooled state.

    AdamW without weight decay, the learning rate falling linearly to 0, gradients clipped to norm 1. Order
    and dropout are functions of the seed and the step alone, so that a training that was killed, and goes on
    from the end of its last whole epoch, ends with the same weights. An encoder of n-grams is trained by
    `ngrams.fit` instead, which needs no option but threads. Raises InputError if sentences and scores do not
    match.

    :param encoder: folder that formality.encoder wrote
    :param regressor: folder to write: model.safetensors, config.json, tokenizer.json
    :param sentences: training sentences
    :param scores: their formality, from -3 to 3, parallel by line
    :param learning_rate: the first one (5e-5 in the paper)
    :param epochs: passes over the sentences (5)
    :param batch_size: sentences per step (32)
    :param max_length: longer sentences are cut, in word pieces (128)
    :param seed: of the output layer, the order and the dropout
    :param device: where to compute; auto: on a GPU if there is one
    :param precision: float32, or bf16 for mixed precision; auto: bf16 on a GPU
    :param threads: of the processor
    :param checkpoints: folder for the state at the end of each epoch; emptied of it at the end
    """
    of_ngrams = is_ngrams(encoder)
    if of_ngrams:
        fix_threads(threads)
    else:
        where = prepare(device, precision, threads)
    texts, ratings = read_lines(sentences, filled=True), read_numbers(scores)
    if len(texts) != len(ratings) or not texts:
        raise InputError(f"{len(texts)} sentences but {len(ratings)} scores in {scores}", path=sentences)
    if not all(map(math.isfinite, ratings)):
        raise InputError("a score is not finite", path=scores)
    if of_ngrams:
        fit(encoder, regressor, texts, ratings)
        return
    import numpy as np
    import torch

    from workflow_scripts.seq2seq.training_state import TrainingState

    torch.manual_seed(seed)
    model, tokenizer = load(encoder, where)
    inputs = tokenizer(texts, truncation=True, max_length=longest_input(tokenizer, model, max_length))[
        "input_ids"
    ]
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, weight_decay=0.0, fused=True)
    lengths = np.array([len(ids) for ids in inputs])
    per_epoch = -(-len(texts) // batch_size)
    options = {
        "learning_rate": learning_rate,
        "epochs": epochs,
        "batch_size": batch_size,
        "max_length": max_length,
        "seed": seed,
        "threads": threads,
        **where.facts(),
    }
    data = (*sorted(encoder.iterdir()), sentences, scores)
    key = key_of("formality.train", options, data, "torch", "transformers", targets=[regressor])
    state = TrainingState(checkpoints, key)
    first = _resume(state, model, optimizer)
    model.train()
    for epoch in range(first, epochs):
        order = np.random.default_rng([seed, epoch]).permutation(len(texts))
        squares = 0.0
        for i in progress(range(per_epoch), f"epoch {epoch + 1} of {epochs}", per_epoch, unit="step"):
            step = epoch * per_epoch + i
            rows = order[i * batch_size : (i + 1) * batch_size]
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * (1 - step / (epochs * per_epoch))
            torch.manual_seed((seed << 32) + step + 1)
            optimizer.zero_grad()
            for some in _parts(rows, lengths):
                batch = tokenizer.pad({"input_ids": [inputs[row] for row in some]}, return_tensors="pt")
                gold = torch.tensor([ratings[row] for row in some], device=where.device)
                with arithmetic(where):
                    output = model(**batch.to(where.device)).logits[:, 0]
                loss = torch.nn.functional.mse_loss(output.float(), gold, reduction="sum")
                (loss / len(rows)).backward()
                squares += loss.item()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        print(f"epoch {epoch + 1}: mean squared error {squares / len(texts):.4f}", file=sys.stderr)
        if epoch + 1 < epochs:
            state.save(epoch + 1, _state(model, optimizer), {"epochs": epoch + 1})
    with writing_folder(regressor) as part:
        model.save_pretrained(part)
        tokenizer.save_pretrained(part)
    state.remove()


def _parts(rows: NDArray[np.int64], lengths: NDArray[np.int64]) -> list[list[int]]:
    """A batch in parts, shorter and longer sentences apart.

    The sum of their gradients is the batch's, and less is padded. Whole batches of like length pad still
    less, but the regressor ranks worse (Spearman 0.83 instead of 0.86 at demo scale).
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
