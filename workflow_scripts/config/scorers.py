"""Pretrained models that score outputs, for metrics that the paper does not have."""

from typing import Literal

from pydantic import Field

from workflow_scripts.config.checkpoints import Commit
from workflow_scripts.config.prompted import Model
from workflow_scripts.config.values import GivenFolder, Positive, Rate, Section, Units


class Checkpoint(Section):
    """A checkpoint of the hub, or of a folder."""

    checkpoint: str = Field(description="name on the hub")
    revision: Commit = Field(description="commit")
    path: GivenFolder | None = Field(
        description="folder with a checkpoint in its place, as transformers saves it, from the working"
        " directory"
    )
    max_length: Units = Field(description="longest text in tokens")


class Scorer(Checkpoint):
    """A model that scores outputs as it is."""

    batch_size: Units = Field(description="texts scored together")


class SentenceEncoder(Scorer):
    """Metric `similarity`: a sentence encoder, whose vectors are means over tokens."""


class Classifier(Scorer):
    """Metric `formal`: a classifier of formality with two outputs."""

    formal: Literal["first", "second"] = Field(description="which output is the one of formal texts")


class Regressor(Checkpoint):
    """Metric `zero_shot`: a multilingual encoder that learns the English ratings and scores all languages."""

    learning_rate: Rate = Field(description="AdamW's initial learning rate")
    epochs: Positive = Field(description="passes over the ratings")
    batch_size: Units = Field(description="sentences per update")


class MaskedModel(Scorer):
    """Metric `pseudo_perplexity`: a masked language model, with its head."""


class Judge(Section):
    """The language model behind the metrics `judge_formality`, `judge_meaning` and `judge_fluency`."""

    model: Model
    prompts: GivenFolder | None = Field(
        default=None,
        description="folder with a template for each of them, named as in `resources/prompts/judge`, from the"
        " working directory; if not given, that folder",
    )


class Scorers(Section):
    """Models behind further metrics, by the name of the metric; loaded where `metrics` has its name."""

    similarity: SentenceEncoder
    zero_shot: Regressor
    formal: Classifier
    pseudo_perplexity: MaskedModel
