"""How a model of transformers writes: as a caller says, whatever the checkpoint's own configuration says."""

from __future__ import annotations

from typing import Any

# What belongs to a checkpoint's vocabulary: all else of its configuration is advice on how to search.
MARKS = ("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id")


def settle(model: Any, **settings: Any) -> None:
    """Let `model.generate` follow these settings, transformers' defaults and the checkpoint's marks only.

    Where a caller leaves something open, even in a GenerationConfig, `generate` takes what the checkpoint's
    configuration recommends: `bart-large` writes `<s>` first and no three tokens twice, chat models draw or
    punish repetitions. So the configuration itself is replaced. `settings` may name marks too.
    """
    from transformers import GenerationConfig

    known = {name: getattr(model.generation_config, name, None) for name in MARKS}
    search = {"do_sample": False, "num_beams": 1}
    model.generation_config = GenerationConfig(**{**search, **known, **settings})
