"""The multiplications and parameters of networks, and the number of lines on which a translator is tuned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# A multiplication in training is repeated twice for the gradients.
TRAINING = 3


@dataclass(frozen=True)
class Transformer:
    """A translator with an SSRU decoder: multiplications of its matrices for one token.

    The products of attention are few beside them, and left out.
    """

    encoder: float
    """For a source token: self-attention, feed-forward, and keys and values for the decoder's layers."""
    decoder: float
    """For a target token: SSRU, queries and contexts of attention, feed-forward, and the output's words."""
    parameters: float
    """The number of parameters; one matrix serves for the embeddings and the output layer."""

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Transformer:
        """From the section `control.generic` of a configuration."""
        model, vocabulary = given["model"], given["vocabulary_size"]
        units, feed = model["units"], 2 * model["units"] * model["feed_forward"]
        keys = model["decoder_layers"] * 2 * units**2
        encoder = model["encoder_layers"] * (4 * units**2 + feed) + keys
        decoder = model["decoder_layers"] * (4 * units**2 + feed) + units * vocabulary
        return cls(encoder, decoder, encoder + decoder)

    @property
    def training(self) -> float:
        """For a target token of training, which has a source token beside it."""
        return TRAINING * (self.encoder + self.decoder)

    def decoding(self, tokens: float, beam: float) -> float:
        """For a sentence of so many tokens: the source is encoded once, the beam has several hypotheses."""
        return tokens * (self.encoder + beam * self.decoder)


def transformer(layers: int, units: int, vocabulary: int) -> float:
    """The parameters of layers with four times as many units in the feed-forward part, and of the words."""
    return float(layers * 12 * units**2 + units * vocabulary)


def translator(given: Mapping[str, Any]) -> float:
    """Multiplications of a bi-LSTM for a token: two encoders, a decoder, and the output's words."""
    width, units = given["model"]["embedding"], given["model"]["hidden"]
    words: float = units * given["vocabulary_size"]
    return 8 * units * (width + units) + 4 * units * (width + 3 * units) + words


def unsupervised(given: Mapping[str, Any], part: str) -> float:
    """The same for the `model` of UNMT and DLSM, or for the `prior`, a language model."""
    width, units = given[part]["embedding"], given[part]["hidden"]
    words: float = units * given["max_words"]
    return 8 * units * (width + units) + words


def tuned_lines(system: Mapping[str, Any], segments: float, copies: float, language: str) -> float:
    """Labelled pairs with their copies, and as many generic pairs.

    A contrastive segment gives two pairs unless `size` sets their number; a segment whose other reference is
    not used gives one; with `both`, as many pairs labelled by rules are added.
    """
    size = system.get("sizes", {}).get(language, system["size"])
    points = size or (segments if system["data"] == "single" else 2 * segments)
    return 2 * copies * points * (2 if system["data"] == "both" else 1)


def encoder_for(given: Mapping[str, Any], tokens: int) -> float:
    """Multiplications of a pretrained encoder for a text of so many words."""
    match given["kind"]:
        case "ngrams" | "sentences":
            return 1e4
        case "scratch":
            return given["layers"] * 12 * given["hidden"] ** 2 * tokens
        case "hub" if "large" in given["checkpoint"]:
            return 24 * 12 * 1024**2 * tokens * 1.5
    # Of BERT's base size, as multilingual BERT is.
    return 12 * 12 * 768**2 * tokens * 1.5
