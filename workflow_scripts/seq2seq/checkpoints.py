"""Checkpoints of transformers: the one place where its models and tokenizers are read.

None of their code runs. One that brings code is refused even where transformers has a model of the same name,
which would read its weights as something else, without a word.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.device import loading_checkpoint


def read_tokenizer(checkpoint: Path | str, *, name: str = "", **options: Any) -> Any:
    """The tokenizer of a folder, or of a repository of the hub.

    Raises InputError for what transformers cannot read, and for a limit of its input that is no number, which
    would stop it at its first text.

    :param checkpoint: the folder, or the name of the repository
    :param name: what messages call it, if not by its folder
    :param options: for transformers, such as `revision`
    """
    with loading_checkpoint(name or str(checkpoint)):
        from transformers import AutoTokenizer
        from transformers.models.auto.tokenization_auto import get_tokenizer_config

        _check_no_code(get_tokenizer_config(checkpoint, **options), name or checkpoint)
        found: Any = AutoTokenizer.from_pretrained(checkpoint, trust_remote_code=False, **options)
    # Where a tokenizer has no limit, transformers gives it a float or an integer of thirty digits.
    _check_limit(found.model_max_length, name or checkpoint, "model_max_length in tokenizer_config.json")
    return found


def read_config(checkpoint: Path | str, *, name: str = "", **options: Any) -> Any:
    """What config.json says of a model, as `read_tokenizer` reads."""
    with loading_checkpoint(name or str(checkpoint)):
        from transformers import AutoConfig, PretrainedConfig

        given, _ = PretrainedConfig.get_config_dict(checkpoint, **options)
        _check_no_code(given, name or checkpoint)
        return AutoConfig.from_pretrained(checkpoint, trust_remote_code=False, **options)


def read_model(kind: Any, checkpoint: Path | str, told: dict[str, Any] | None = None, **options: Any) -> Any:
    """The model of a folder, or of a repository of the hub.

    Raises InputError for what transformers cannot read, and for a number of positions that is none.

    :param kind: the class of transformers that reads it, such as AutoModel
    :param checkpoint: the folder, or the name of the repository
    :param told: gets what transformers tells of the weights, such as `missing_keys`
    :param options: for transformers, such as `revision`
    """
    where = {key: options[key] for key in ("revision", "local_files_only") if key in options}
    read_config(checkpoint, **where)
    with loading_checkpoint(str(checkpoint)):
        found: Any
        found, facts = kind.from_pretrained(
            checkpoint, trust_remote_code=False, output_loading_info=True, **options
        )
    if told is not None:
        told.update(facts)
    positions = getattr(found.config, "max_position_embeddings", None)
    if positions is not None:
        _check_limit(positions, checkpoint, "max_position_embeddings in config.json")
    return found


def check_folder(folder: Path, name: str) -> None:
    """InputError if a folder that is not loaded yet needs code of its own."""
    for path in (folder / "config.json", folder / "tokenizer_config.json"):
        if path.is_file():
            with loading_checkpoint(name):
                given = json.loads(path.read_bytes())
            _check_no_code(given, name)


def _check_no_code(given: Any, name: Path | str) -> None:
    if isinstance(given, dict) and given.get("auto_map"):
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
