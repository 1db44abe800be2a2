"""Pretrained language models that are trained further here: first weights, and the course of a training."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from pydantic import Field

from workflow_scripts.config.values import (
    Count,
    Few,
    GivenFolder,
    Many,
    Positive,
    Rate,
    Section,
    Share,
    Units,
)


class Pretrained(Section):
    """The language model that a system starts from."""

    kind: Literal["scratch", "hub", "folder"] = Field(
        description="a small model with random weights, a hub checkpoint, or a local folder"
    )
    checkpoint: str = Field(description="`hub`: name")
    revision: str = Field(description="`hub`: commit")
    path: GivenFolder | None = Field(
        description="`folder`: a transformers checkpoint, from the working directory"
    )
    vocabulary_size: Many = Field(description="`scratch`: of the byte-level BPE, without the format's marks")
    layers: Units = Field(description="`scratch`: layers, of the encoder and of the decoder each")
    hidden: Units = Field(description="`scratch`: units")
    heads: Units = Field(description="`scratch`: attention heads; they divide `hidden` evenly")
    dropout: Share = Field(description="`scratch`: dropout")

    def unread(self) -> Collection[str]:
        """The setting `path`, unless the model is a folder."""
        return () if self.kind == "folder" else ("path",)

    def problem(self, place: str) -> str:
        """What is wrong with the model at a place of the configuration; an empty string if it is valid."""
        if self.hidden % self.heads:
            return f"{place}.heads: {self.heads} heads cannot share {self.hidden} units"
        if self.kind == "folder" and not self.path:
            return f"{place}.path: needed when {place}.kind is 'folder'"
        return ""


class Course(Section):
    """How a language model is trained."""

    learning_rate: Rate = Field(description="AdamW's largest learning rate")
    warmup_updates: Count = Field(description="updates in which the rate rises from 0")
    decay: Literal["linear", "none"] = Field(description="after that it falls linearly to 0, or stays")
    batch_size: Units = Field(description="texts per step; of a system with two decoders, turns")
    accumulate: Few = Field(description="steps per update")
    epochs: Positive = Field(
        description="passes over the texts; with more data, as many updates as without it"
    )
    max_updates: Positive | None = Field(description="updates at most")
    gradient_clip: Rate = Field(description="largest norm of the gradient")
