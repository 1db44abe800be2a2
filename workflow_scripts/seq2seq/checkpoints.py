"""Loading of transformers checkpoints: all models and tokenizers are read here.

Code in a checkpoint never runs. A checkpoint with code is refused even where transformers has a model of the
same name, which would silently misread its weights.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.device import loading_checkpoint

# Weights as older releases of transformers stored them (pickled), and as safetensors.
PICKLED, WEIGHTS = "pytorch_model.bin", "model.safetensors"
# The endings of a checkpoint's files: nothing else of a folder or a package is copied.
KEPT = (".safetensors", ".json", ".txt", ".model", ".spm")
# The roles of tokens that may stand in every batch.
ROLES = ("bos", "eos", "unk", "sep", "pad", "cls")
# The name that peft gives to the settings of an adapter.
ADAPTER = "adapter_config.json"
# GPT-2's masks and other buffers, which are not weights.
BUFFERS = (".attn.bias", ".attn.masked_bias")


def read_tokenizer(checkpoint: Path | str, *, name: str = "", **options: Any) -> Any:
    """Load the tokenizer from a folder or from a repository on the Hub.

    Raises InputError if transformers cannot read the tokenizer, or if its maximum input length is not a
    number: the latter would otherwise fail on the first text.

    :param checkpoint: the folder, or the name of the repository
    :param name: its name in messages; the folder by default
    :param options: passed to transformers, such as `revision`
    """
    with loading_checkpoint(name or str(checkpoint)):
        from transformers import AutoTokenizer
        from transformers.models.auto.tokenization_auto import get_tokenizer_config

        _check_no_code(get_tokenizer_config(checkpoint, **options), name or checkpoint)
        tokenizer: Any = AutoTokenizer.from_pretrained(checkpoint, trust_remote_code=False, **options)
    # If a tokenizer has no limit, transformers sets a float or a 30-digit integer.
    _check_limit(tokenizer.model_max_length, name or checkpoint, "model_max_length in tokenizer_config.json")
    return tokenizer


def read_config(checkpoint: Path | str, *, name: str = "", **options: Any) -> Any:
    """Read a model's configuration from config.json; arguments and errors as for `read_tokenizer`."""
    with loading_checkpoint(name or str(checkpoint)):
        from transformers import AutoConfig, PretrainedConfig
        from transformers.utils import find_adapter_config_file

        # With peft beside it, transformers would read the adapter too, and the model that it is of from the
        # hub, at no commit.
        if find_adapter_config_file(str(checkpoint), **options) is not None:
            raise _adapter(name or checkpoint)
        config, _ = PretrainedConfig.get_config_dict(checkpoint, **options)
        _check_no_code(config, name or checkpoint)
        return AutoConfig.from_pretrained(checkpoint, trust_remote_code=False, **options)


def read_model(kind: Any, checkpoint: Path | str, whole: str = "", **options: Any) -> Any:
    """Load the model from a folder or from a repository on the Hub.

    Raises InputError if transformers cannot read the model, if its number of positions is invalid, and, with
    `whole`, if the checkpoint lacks weights, which transformers makes up.

    :param kind: the transformers class that loads it, such as AutoModel
    :param checkpoint: the folder, or the name of the repository
    :param whole: what must be given instead of a checkpoint that lacks weights
    :param options: passed to transformers, such as `revision`
    """
    where = {key: options[key] for key in ("revision", "local_files_only") if key in options}
    read_config(checkpoint, **where)
    with loading_checkpoint(str(checkpoint)):
        model: Any
        model, facts = kind.from_pretrained(
            checkpoint, trust_remote_code=False, output_loading_info=True, **options
        )
    if whole and (missing := sorted(facts["missing_keys"])):
        raise InputError(f"no weights of {missing[0]}", path=checkpoint, fix=whole)
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions is not None:
        _check_limit(positions, checkpoint, "max_position_embeddings in config.json")
    return model


def check_tokens(tokens: Iterable[int | None], model: Any, name: Path | str | None = None) -> None:
    """Raise InputError for a token of a tokenizer that its model has no embedding of.

    :param tokens: those that are read; None for a role that no token has
    """
    rows = getattr(model.get_input_embeddings(), "num_embeddings", None)
    largest = max((token for token in tokens if token is not None), default=0)
    # Some encoders of characters have no table of embeddings.
    if rows is not None and largest >= rows:
        raise InputError(
            f"the tokenizer has a token {largest}, but the model knows {rows} tokens",
            path=name,
            fix="give a tokenizer and a model that belong together",
        )


def own_tokens(tokenizer: Any) -> list[int | None]:
    """The tokens that a tokenizer itself puts beside those of a text; None where it has none.

    Masks, sentinels and further special tokens are left out: released models may lack embeddings of those
    that nothing reads, as BART's for summaries of its mask.
    """
    return [getattr(tokenizer, f"{role}_token_id", None) for role in ROLES]


def unpickle(folder: Path, name: str) -> None:
    """Replace the pickled weights of a checkpoint by safetensors, of which only tensors are read."""
    with loading_checkpoint(name):
        import torch
        from safetensors.torch import save_file

        tensors = torch.load(folder / PICKLED, map_location="cpu", weights_only=True)
        weights = {
            key: value.clone().contiguous() for key, value in tensors.items() if not key.endswith(BUFFERS)
        }
        save_file(weights, folder / WEIGHTS, metadata={"format": "pt"})
    (folder / PICKLED).unlink()


def check_folder(folder: Path, name: str) -> None:
    """Raise InputError if a folder that is not loaded yet requires custom code, or has an adapter."""
    for path in (folder / "config.json", folder / "tokenizer_config.json"):
        if path.is_file():
            with loading_checkpoint(name):
                config = json.loads(path.read_bytes())
            _check_no_code(config, name)
    if (folder / ADAPTER).exists():
        raise _adapter(name)


def _adapter(name: Path | str) -> InputError:
    return InputError(
        f"this checkpoint is, or has, an adapter ({ADAPTER}), which is not read",
        path=str(name),
        fix="give the model with the adapter merged into its weights",
    )


def _check_no_code(config: Any, name: Path | str) -> None:
    if isinstance(config, dict) and config.get("auto_map"):
        raise InputError(
            "this checkpoint needs code of its own (auto_map), which is never run",
            path=str(name),
            fix="take one whose model transformers has itself",
        )


def _check_limit(limit: Any, name: Path | str, where: str) -> None:
    if type(limit) not in (int, float) or not limit >= 1:
        raise InputError(
            f"its longest input is {limit!r}, {where}",
            path=str(name),
            fix="get it again, or take another checkpoint",
        )
