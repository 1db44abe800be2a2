"""The work of dialogue systems in training and answering, by their formats and sizes."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workflow_scripts.planning.networks import transformer


@dataclass(frozen=True)
class Format:
    """The size of a turn for a system, in words and marks."""

    # The number of texts of a batch for a turn: for systems that learn whole dialogues, a part of one; the
    # two texts of MinTL's decoders for a turn count as one.
    texts: float
    # Tokens of all these texts, with their corrupted twins.
    learnt: float
    # Tokens read and written to answer a turn.
    answered: float


# Means of 100 of MultiWOZ's validation dialogues, of seven turns each.
FORMATS = {
    "damd": Format(1, 81, 81),
    "labes": Format(1 / 7, 88, 88),
    "mintl": Format(1, 193, 193),
    "ubar": Format(1 / 7, 62, 500),
    "pptod": Format(3, 491, 340),
    "pptod_released": Format(3, 491, 340),
    "augpt": Format(1, 423, 360),
}
# Layers, units and vocabulary of the checkpoints from which systems start; any other counts as GPT-2.
CHECKPOINTS = {
    "google-t5/t5-small": (6, 512, 32128),
    "distilbert/distilgpt2": (6, 768, 50257),
    "google/mt5-small": (8, 512, 250112),
    "facebook/mbart-large-50": (12, 1024, 250054),
}
OTHER = (12, 768, 50257)


def system_of(settings: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The settings of a system; for a system with more data, of its base."""
    systems: Mapping[str, Any] = settings["dialogue"]["systems"]
    found: Mapping[str, Any] = systems[systems[name].get("of") or name]
    return found


def seen(system: Mapping[str, Any], turns: float) -> float:
    """Multiplications of training on dialogues of so many turns, over all epochs."""
    form, course = FORMATS[system["template"]], system["training"]
    most = (course["max_updates"] or math.inf) * course["batch_size"] * course["accumulate"] / form.texts
    return float(min(course["epochs"] * turns, most) * form.learnt * _multiplications(system))


def answered(system: Mapping[str, Any], turns: float) -> float:
    """Multiplications of answering so many turns."""
    return turns * FORMATS[system["template"]].answered * _multiplications(system)


def hidden(system: Mapping[str, Any]) -> int:
    """The units of its network."""
    if system["kind"] == "recurrent":
        return int(system["network"]["hidden"])
    return _sizes(system)[1]


def parameters(system: Mapping[str, Any]) -> float:
    """The number of parameters of its network: a token is multiplied by nearly each of them once."""
    return _multiplications(system)


def _sizes(system: Mapping[str, Any]) -> tuple[int, int, int]:
    """Layers, units and vocabulary of a language model."""
    if system["kind"] == "released":
        return OTHER if system["template"] == "augpt" else CHECKPOINTS["google-t5/t5-small"]
    model = system["model"]
    if model["kind"] == "scratch":
        return model["layers"], model["hidden"], model["vocabulary_size"]
    return CHECKPOINTS.get(model["checkpoint"], OTHER)


def _multiplications(system: Mapping[str, Any]) -> float:
    """Of a token: GRUs in both directions and one that attends, or a Transformer's layers; then words."""
    if system["kind"] == "recurrent":
        width, units, words = (system["network"][key] for key in ("embedding", "hidden", "vocabulary_size"))
        return float(6 * units * (width + units) + 3 * units * (width + 4 * units) + units * words)
    return transformer(*_sizes(system))
