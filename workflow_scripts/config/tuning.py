"""The parts of the section `control` about training: the generic model, its tuning, Figures 1 and 2."""

from typing import Annotated, Literal

from pydantic import Field

from workflow_scripts.config.translators import OfBitext, SsruTransformer
from workflow_scripts.config.values import (
    Code,
    Distinct,
    Few,
    Folder,
    GivenFolder,
    Rate,
    Section,
    Seeds,
    Units,
)


class Generic(OfBitext):
    """The generic model of each language, without control (Section 5), with tuning's `max_length`."""

    sockeye: dict[Code, Folder | None] = Field(
        description="models that Sockeye 3 has trained, by language: folders with `params.best`, `config`,"
        " `vocab.src.0.json`, `vocab.trg.0.json` and `bpe_codes`, from the working directory. Their checksums"
        " are those in `<folder>.sha256`, where the first ones are recorded if `downloads.unpinned` names"
        " `sockeye`. Models of languages that are not listed, or are `null`, are trained; the sizes in"
        " `model` and the vocabulary's are theirs only"
    )
    model: SsruTransformer


class Tuning(Section):
    """The tuning of the generic model: as in training, one epoch, no warm-up (Section 4, appendix C)."""

    learning_rate: Rate = Field(description="Adam's learning rate, which stays as it is")
    batch_size: Units = Field(description="target tokens per batch, with padding")
    accumulate: Units = Field(description="batches per update")


class Classifier(Section):
    """A classifier of formality that scores translations of the shared tasks' test sets, as IWSLT 2023's."""

    path: GivenFolder | None = Field(
        description="folder with its checkpoint, as transformers saves it, with weights as safetensors, from"
        " the working directory; `null`: no accuracy by a classifier"
    )
    formal: Literal["first", "second"] = Field(
        description="which output is the one of formal texts; of IWSLT 2023's the second, LABEL_1"
    )
    max_length: Units = Field(description="longest translation in tokens")
    batch_size: Units = Field(description="translations scored together")


class Upsampling(Section):
    """A figure of a tuned system with more or fewer copies of the labelled pairs (Section 6.1)."""

    system: str = Field(description="a system of kind `tuned`")
    language: Code = Field(description="the figure's language")
    copies: Annotated[list[Few], Distinct, Field(max_length=100)] = Field(
        description="numbers of copies besides the system's own, each with a model per seed"
    )
    seeds: Seeds = Field(description="the runs of each, alike in both figures")


class Figures(Section):
    """Figures 1 and 2."""

    figure1: Upsampling
    figure2: Upsampling


class Genders(Section):
    """Table 13: the gender that translators give to people at work, after tuning on references of either."""

    language: Literal["es", "fr", "it"] = Field(
        description="the table's language, one of the languages with a scorer"
    )
    base: str = Field(description="a system of kind `generic`")
    masculine: str = Field(description="one of kind `tuned`, tuned to masculine references")
    feminine: str = Field(description="one of kind `tuned` with `gender: feminine`")
