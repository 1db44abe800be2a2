"""The encoders that regressors and classifiers are trained from, as input and as options."""

from collections.abc import Sequence
from typing import Any, Protocol

from workflow_scripts.config.encoder import Encoder
from workflow_scripts.wiring.words import words

# The settings that each kind of encoder reads.
READ = {
    "hub": ["checkpoint", "revision"],
    "package": ["package", "sha256"],
    "folder": ["path"],
    "ngrams": [],
    "sentences": ["package"],
    "scratch": ["vocabulary_size", "layers", "hidden", "heads", "lowercase"],
}


def name_of(encoder: Encoder) -> str:
    """The name of an encoder in leaves: its name on the hub, or else its kind."""
    return encoder.checkpoint if encoder.kind == "hub" else encoder.kind


class Encoded(Protocol):
    """The settings of a model that is trained from an encoder."""

    encoder: Encoder
    max_length: int


def encoder_texts(section: Encoded, texts: list[str]) -> list[str]:
    """The texts that an encoder is built from; empty unless it is trained from scratch."""
    return texts if section.encoder.kind == "scratch" else []


def encoder_options(section: Encoded, texts: Sequence[str], seed: int) -> list[str]:
    """The options of the configured kind of encoder."""
    encoder = section.encoder
    given: dict[str, Any] = {key: getattr(encoder, key) for key in ["kind", *READ[encoder.kind]]}
    match encoder.kind:
        case "ngrams":
            given |= encoder.ngrams.model_dump()
        case "scratch":
            given |= {"max_length": section.max_length, "seed": seed, "texts": texts}
    return words(given)
