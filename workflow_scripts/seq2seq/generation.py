"""Generation settings for transformers models, independent of the checkpoint's own recommendations."""

from typing import Any

# The settings that belong to a checkpoint's vocabulary; all others only recommend how to search.
MARKS = ("bos_token_id", "eos_token_id", "pad_token_id", "decoder_start_token_id")


def settle(model: Any, **settings: Any) -> None:
    """Make `model.generate` use only these settings, transformers' defaults and the checkpoint's marks.

    For any setting that a caller leaves unset, even in a GenerationConfig, `generate` falls back to the
    checkpoint's configuration: `bart-large` forces `<s>` as the first token and forbids repeated trigrams,
    chat models sample or penalise repetitions. Therefore the configuration itself is replaced. `settings` may
    also contain special symbols.
    """
    from transformers import GenerationConfig

    known = {name: getattr(model.generation_config, name, None) for name in MARKS}
    search = {"do_sample": False, "num_beams": 1}
    model.generation_config = GenerationConfig(**{**search, **known, **settings})
