"""Pretrained language models, which most rows train further: first weights, and the course of a training."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, field_validator

from workflow_scripts.config.checkpoints import CommitOfHub, FirstWeights
from workflow_scripts.config.values import (
    Code,
    Count,
    Distinct,
    Few,
    Given,
    Many,
    PathByLanguage,
    Positive,
    Rate,
    Section,
    Seeds,
    Share,
    Units,
    refused,
)

# The linear layers of a model from scratch, without the outputs, whose weights are those of the words.
LINEAR = {
    "t5": ("q", "k", "v", "o", "wi", "wo"),
    "bart": ("q_proj", "k_proj", "v_proj", "out_proj", "fc1", "fc2"),
}


def _token(text: str) -> str:
    if any(character.isspace() for character in text):
        raise refused("a token has no white space")
    return text


Token = Annotated[str, AfterValidator(_token)]
# A layer as a model names it, with the names of the parts that have it before it, or without.
Layer = Annotated[str, Field(pattern=r"^\w+(\.\w+)*$")]


class Pretrained(FirstWeights):
    """The language model that a system starts from."""

    kind: Literal["scratch", "hub", "folder"] = Field(
        description="a small model with random weights, a hub checkpoint, or a local folder"
    )
    vocabulary_size: Many = Field(description="`scratch`: of the byte-level BPE, without the format's marks")
    layers: Units = Field(description="`scratch`: layers, of the encoder and of the decoder each")
    hidden: Units = Field(description="`scratch`: units")
    heads: Units = Field(description="`scratch`: attention heads; they divide `hidden` evenly")
    dropout: Share = Field(description="`scratch`: dropout")


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


class Checkpoint(Pretrained):
    """The pretrained model from which a row starts."""

    checkpoint: str = Field(default="", description="`hub`: name")
    revision: CommitOfHub = Field(default="", description="`hub`: commit")
    path: Annotated[PathByLanguage, Given()] | None = Field(
        default=None,
        description="`folder`: a transformers checkpoint, from the working directory; `{lang}` is replaced by"
        " the language, so that each language starts from its own",
    )
    vocabulary_size: Many = Field(default=1000, description="`scratch`: of the byte-level BPE")
    layers: Units = Field(default=2, description="`scratch`: layers, of the encoder and of the decoder each")
    hidden: Units = Field(default=64, description="`scratch`: units")
    heads: Units = Field(default=4, description="`scratch`: attention heads; they divide `hidden` evenly")
    dropout: Share = Field(default=0.1, description="`scratch`: dropout")

    @property
    def by_language(self) -> bool:
        """Whether each language has a folder of its own."""
        return self.kind == "folder" and "{lang}" in (self.path or "")

    def given(self) -> Iterator[tuple[str, Path, Given]]:
        """Without the folders of languages: `wiring.pretrained` looks for those of a row's languages."""
        return iter(()) if self.by_language else super().given()


class FineTuning(Course):
    """How a pretrained model is fine-tuned."""

    learning_rate: Rate = Field(default=0.0003, description="AdamW's largest learning rate")
    warmup_updates: Count = Field(default=0, description="updates in which the rate rises from 0")
    decay: Literal["linear", "none"] = Field(
        default="linear", description="after that it falls linearly to 0, or stays"
    )
    batch_size: Units = Field(default=32, description="pairs per step")
    accumulate: Few = Field(default=1, description="steps per update")
    epochs: Positive = Field(default=3, description="passes over the pairs, each in both directions")
    max_updates: Positive | None = Field(default=None, description="updates at most")
    gradient_clip: Rate = Field(default=1.0, description="largest norm of the gradient")


class Lora(Section):
    """Low-rank adapters of linear layers, which are trained in place of all weights (Hu et al., 2022)."""

    rank: Units = Field(default=16, description="rank of each adapter; at most the units of its layer")
    alpha: Units = Field(default=32, description="an adapter is multiplied by `alpha` / `rank`")
    dropout: Share = Field(default=0.05, description="dropout before each adapter")
    layers: Annotated[list[Layer], Field(min_length=1), Distinct] | None = Field(
        default=None,
        description="names of linear layers, such as `q` or `SelfAttention.q`, each of every block that has"
        " it; if not given, the queries and values of all attentions, as in the paper's experiments",
    )


class FineTuned(Section):
    """Settings of a row that is a pretrained encoder-decoder, fine-tuned on pairs or as it is."""

    # The word in prompts that is replaced by formal or informal.
    placeholder: ClassVar[str]

    seeds: Seeds = Field(default=[1], description="one run each; the table shows their mean")
    family: Literal["t5", "bart"] = Field(
        default="t5", description="T5's kind or BART's, which differ where the model is from scratch"
    )
    model: Checkpoint
    codes: dict[Code, Token] = Field(
        default={},
        description="by language, the token that begins a text, such as mBART-50's `fr_XX`; languages that"
        " are not listed have none",
    )
    prompt: str | None = Field(
        default=None,
        description="text before each source, in which `{style}`, or `{level}` in `control`, is replaced by"
        " formal or informal; if not given, `{style}: ` or `{level}: `, and no text where `training` is null",
    )
    training: FineTuning | None = Field(
        default=FineTuning(),
        description="how it is fine-tuned; `null`: not at all, the checkpoint is used as it is",
    )
    lora: Lora | None = Field(
        default=None,
        description="adapters that are trained in place of all weights, and added to these at the end;"
        " `{}` for the defaults",
    )
    max_length: Units = Field(default=128, description="tokens of a source and of an output at most")
    beam_size: Units = Field(default=5, description="hypotheses of the beam search; 1: greedy")
    batch_size: Units = Field(default=16, description="sentences that are decoded together")

    @field_validator("prompt")
    @classmethod
    def _known_placeholder(cls, text: str | None) -> str | None:
        if set("{}") & set((text or "").replace(cls.placeholder, "")):
            raise refused(f"the only placeholder is {cls.placeholder}")
        return text

    @property
    def before(self) -> str:
        """The text before each source, with the placeholder."""
        if self.prompt is not None:
            return self.prompt
        return f"{self.placeholder}: " if self.training else ""

    @property
    def told(self) -> bool:
        """Whether the text before a source says how formal the output is to be."""
        return self.placeholder in self.before

    def problem(self, place: str) -> str:
        """What is wrong with the row at a place of the configuration; an empty string if it is valid."""
        if problem := self.model.problem(f"{place}.model"):
            return problem
        if self.training is None:
            return self._problem_untrained(place)
        if not self.told:
            return f"{place}.prompt: {self.placeholder} is missing: the model learns to write both"
        if self.lora is None or self.model.kind != "scratch":
            return ""
        if self.lora.rank > self.model.hidden:
            return f"{place}.lora.rank: {self.lora.rank} is more than the {self.model.hidden} units of layers"
        known = LINEAR[self.family]
        for layer in self.lora.layers or []:
            if layer.split(".")[-1] not in known:
                return f"{place}.lora.layers: no linear layer '{layer}'; known: {', '.join(sorted(known))}"
        return ""

    def _problem_untrained(self, place: str) -> str:
        if self.model.kind == "scratch":
            return f"{place}.training: null, but a model from scratch has random weights; name a checkpoint"
        if self.lora is not None:
            return f"{place}.lora: adapters need a training, but {place}.training is null; give lora: null"
        if len(self.seeds) > 1:
            return f"{place}.seeds: a model that is not trained has one run; give seeds: [1]"
        return ""
