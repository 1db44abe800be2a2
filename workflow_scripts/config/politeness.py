"""Politeness classifiers: what they are trained from, how, and on which requests they are tested."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workflow_scripts.config.encoder import Encoder
from workflow_scripts.config.systems import Label, Seeds
from workflow_scripts.config.values import Code, Distinct, Positive, Rate, Section, Units

# The languages of TyDiP's requests but English, in the order of its tables.
Tydip = Literal["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


class Classifier(Section):
    """A politeness classifier, trained on English requests: rows of TyDiP's Table 3, one per input."""

    label: Label = Field(description="name of its rows")
    inputs: Annotated[list[Literal["target", "en"]], Distinct] = Field(
        description="what it is tested on: requests as they were written (`target`), and their translations"
        " into English (`en`); with none it is not trained"
    )
    reads: Annotated[list[Code], Distinct] | None = Field(
        description="languages that the encoder was trained on, if not all: cells of others are marked"
    )
    encoder: Encoder
    released: bool = Field(
        description="whether it is trained as TyDiP's released code does: on the first four fifths only,"
        " requests drawn with replacement so that both classes are as frequent, the rate falling at the end"
        " of an epoch by one of the steps that are as many as an epoch's updates. If not: on all requests,"
        " each once per epoch, the rate falling linearly to zero. No matter for n-grams and sentence vectors"
    )
    learning_rate: Rate = Field(description="AdamW's initial learning rate")
    epochs: Positive = Field(description="passes over the requests")
    batch_size: Units = Field(description="requests per update")
    max_length: Units = Field(description="longest input in word pieces")


class Politeness(Section):
    """Politeness classifiers (Srinivasan and Choi, 2022, Section 3)."""

    seeds: Seeds = Field(
        description="one training each; Table 3 has their mean and range. N-grams and sentence vectors have"
        " no chance in them, and only the first"
    )
    scoring_batch_size: Units = Field(description="requests scored together")
    translated: Annotated[list[Tydip], Distinct] = Field(
        description="languages whose requests `translation.backend` translates into English, for classifiers"
        " with the input `en`, if it can: `aws` all, `apertium` those with a chain, `nmt` and `hf` those of"
        " `resources/languages.csv`; cells of others are empty"
    )
    classifiers: dict[Annotated[str, Field(pattern=r"^\w[\w-]{0,59}$")], Classifier] = Field(
        description="the classifiers by name: what is trained as a row of TyDiP's Table 3"
    )
