"""Loading of a model and its arithmetic, for training and scoring."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.checkpoints import check_tokens, own_tokens, read_model, read_tokenizer
from workflow_scripts.seq2seq.device import Resolved

if TYPE_CHECKING:
    from torch import Tensor, nn
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


# The outputs of a regressor: the value itself; of a classifier: the logits of negative and positive.
OUTPUTS = {"values": 1, "classes": 2}


def load(
    folder: Path, where: Resolved, outputs: int | None = None
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Return the model in `folder` on a device, and its tokenizer.

    Weights are float32 whatever their type in the file. Raises InputError if the folder does not contain a
    complete model, or if one of its weights is not finite.

    :param folder: of an encoder, a regressor or a classifier
    :param where: the device
    :param outputs: of the new linear layer on an encoder; None for a model that has been trained
    """
    if not (folder / "config.json").is_file():
        raise InputError("no model in this folder", path=folder, fix="make it with encoders.train")
    from transformers import AutoModelForSequenceClassification

    from workflow_scripts.seq2seq.products import use_fast_products

    head: dict[int | None, dict[str, Any]] = {
        1: {"num_labels": 1, "problem_type": "regression"},
        2: {"num_labels": 2, "problem_type": "single_label_classification"},
    }
    model, tokenizer = _read(AutoModelForSequenceClassification, folder, head.get(outputs, {}))
    if where.device.type == "cpu":
        use_fast_products(model)
    width = model.config.num_labels
    for last in [layer for layer in model.modules() if getattr(layer, "out_features", None) == width][-1:]:
        last.register_forward_hook(_in_float32)
    return model.to(where.device), tokenizer


def load_encoder(folder: Path, where: Resolved) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """The encoder in a folder without any layer for an output, on a device, and its tokenizer.

    Raises InputError as `load` does.
    """
    from transformers import AutoModel

    model, tokenizer = _read(AutoModel, folder, {})
    return model.to(where.device).eval(), tokenizer


def load_masked(folder: Path, where: Resolved) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """The masked language model in a folder with its head, on a device, and its tokenizer.

    Raises InputError as `load` does, and for an encoder without this head or a tokenizer without a mask.
    """
    from transformers import AutoModelForMaskedLM

    whole = "it must be a masked language model, not an encoder alone"
    model, tokenizer = _read(AutoModelForMaskedLM, folder, {}, whole)
    if tokenizer.mask_token_id is None:
        raise InputError("the tokenizer has no mask token", path=folder)
    check_tokens([tokenizer.mask_token_id], model, folder)
    return model.to(where.device).eval(), tokenizer


def _read(
    kind: Any, folder: Path, options: dict[str, Any], whole: str = ""
) -> tuple[Any, PreTrainedTokenizerBase]:
    """The model of a folder as transformers reads it by one of its classes, and its tokenizer."""
    import torch
    from transformers import logging

    from workflow_scripts.seq2seq.weights import check_finite

    # It lists the head's new weights at length, which is what is meant to happen.
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = read_model(
        kind, folder, whole, **options, dtype=torch.float32, use_safetensors=True, local_files_only=True
    )
    tokenizer = read_tokenizer(folder, local_files_only=True)
    if tokenizer.pad_token is None:
        raise InputError(
            "the tokenizer has no padding token", path=folder, fix="set pad_token in tokenizer_config.json"
        )
    check_finite(model, folder)
    check_tokens(own_tokens(tokenizer), model, folder)
    return model, tokenizer


def _in_float32(layer: nn.Linear, inputs: tuple[Tensor], output: Tensor) -> Tensor:
    """The output of a linear layer in float32 where autocast has made it bf16, which has 3 digits."""
    import torch

    if output.dtype == torch.float32:
        return output
    with torch.autocast(output.device.type, enabled=False):
        return torch.nn.functional.linear(inputs[0].float(), layer.weight, layer.bias)


def arithmetic(where: Resolved) -> AbstractContextManager[Any]:
    """The context in which the model runs: for bf16 mixed precision, otherwise nothing.

    In mixed precision matrix products are bf16; weights, the residual stream, layer norms, the insides of
    softmax, the score and the loss are float32.
    """
    import torch

    return torch.autocast(where.device.type, where.dtype) if where.dtype == torch.bfloat16 else nullcontext()


def values(logits: Tensor) -> Tensor:
    """The score of each sentence: a regressor's output, or a classifier's positive logit minus the other.

    :param logits: sentences x outputs
    """
    return logits[:, 0] if logits.shape[1] == 1 else logits[:, 1] - logits[:, 0]


def longest_input(tokenizer: PreTrainedTokenizerBase, model: PreTrainedModel, max_length: int) -> int:
    """`max_length`, or less where the model has fewer positions."""
    positions = getattr(model.config, "max_position_embeddings", max_length)
    return int(min(max_length, tokenizer.model_max_length, positions))
