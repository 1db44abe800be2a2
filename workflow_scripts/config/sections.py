"""Sections of the configuration, one class each: the meaning of a key and its allowed values."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from workflow_scripts.config.encoder import FineTuned
from workflow_scripts.config.scorers import Judge, Scorers
from workflow_scripts.config.values import (
    Count,
    Distinct,
    Few,
    Folder,
    Fraction,
    GivenFolder,
    Many,
    NoBoolean,
    Positive,
    Rate,
    Section,
    Share,
    Units,
)
from workflow_scripts.core.errors import nearest
from workflow_scripts.leaves.registry import load_papers

RESOURCES = Path(__file__).parents[2] / "resources"


class Formality(FineTuned):
    """The formality regressors (Section 5.3); their learning rate falls linearly to zero."""

    held_out: Positive = Field(description="rated sentences kept from training, for Spearman's correlation")
    folds: Annotated[int, Field(ge=2, le=100), NoBoolean] = Field(
        description="parts of the English ratings; a regressor trained on the others predicts each"
    )
    scoring_batch_size: Units = Field(description="sentences scored together")


class Fluency(Section):
    """The Kneser-Ney language models (Section 5.3)."""

    order: Annotated[int, Field(ge=2, le=6), NoBoolean] = Field(description="length of the n-grams")
    memory: Annotated[str, Field(pattern=r"^([1-9][0-9]{0,8}[KMGT]|([1-9][0-9]?|100)%)$")] = Field(
        description="memory of lmplz, for example `2G` or `30%`"
    )


class Prior(Section):
    """The language model of a style, frozen while DLSM is trained (He et al., 2020)."""

    embedding: Units = Field(description="units of the word embeddings")
    hidden: Units = Field(description="units of the LSTM")
    dropout: Share = Field(description="dropout on embeddings and states")
    learning_rate: Rate = Field(description="initial learning rate of SGD")
    batch_size: Units = Field(description="sentences per update")
    evaluate_every: Positive = Field(description="updates between two looks at the dev loss")
    reduce_after: Positive = Field(description="bad evaluations in a row before the rate is cut")
    reduce_factor: Fraction = Field(description="factor of that cut")
    decays: Units = Field(description="cuts after which training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest norm of the gradient")


class UnsupervisedModel(Section):
    """The model that UNMT and DLSM share, and its training (He et al., 2020)."""

    embedding: Units = Field(description="units of the word embeddings (d_word)")
    hidden: Units = Field(description="units of the decoder and of each direction of the encoder (d_model)")
    pool: Units = Field(description="encoder states that are max-pooled into one (kernel and stride)")
    dropout: Share = Field(description="dropout on embeddings and states")
    learning_rate: Rate = Field(description="Adam's initial learning rate")
    batch_size: Units = Field(description="sentences per update, styles mixed")
    evaluate_every: Positive = Field(description="updates between two looks at the validation loss")
    reduce_factor: Fraction = Field(description="factor of the rate at every bad evaluation")
    stop_after: Positive = Field(description="bad evaluations before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest norm of the gradient")
    anneal_epochs: Positive = Field(description="epochs in which the auto-encoder's weight falls from 1 to 0")
    warmup_updates: Count = Field(
        description="first updates, with the auto-encoder alone: nothing is sampled, annealing and the choice"
        " of the best model begin after them; the paper has none"
    )
    warmup_rate: Rate = Field(description="Adam's learning rate in the warm-up")
    max_sample: Units = Field(description="longest back-translation in words")
    max_gumbel: Units = Field(description="longest sample for the language-model term in words")

    @model_validator(mode="after")
    def _warmup_ends(self) -> UnsupervisedModel:
        if self.warmup_updates >= self.max_updates:
            raise ValueError(
                f"unsupervised.model.warmup_updates: {self.warmup_updates} leave none of the"
                f" {self.max_updates} updates (max_updates) for the training"
            )
        return self


class Unsupervised(Section):
    """UNMT and DLSM, which are trained without pairs (Section 5.1)."""

    max_words: Positive = Field(description="most words of the vocabulary; the rest is unknown")
    max_length: Units = Field(description="longest training sentence in words")
    prior: Prior
    model: UnsupervisedModel
    decoding_batch_size: Units = Field(description="sentences decoded together")


class Evaluation(Section):
    """Metrics and tests (Section 5.3, Table 7)."""

    baseline: str = Field(description="the system against which the others are tested")
    resamples: Many = Field(description="bootstrap samples and random shuffles")
    confidence: Fraction = Field(description="coverage of the intervals")
    metrics: Annotated[list[str], Field(min_length=1), Distinct] = Field(
        description="of Table 7, in the order of its columns, by their names in `statistics.metrics`; ratings"
        " by people are in the columns of the paper's four metrics"
    )
    scorers: Scorers
    judge: Judge | None = Field(
        description="a language model that is asked to rate outputs, for the metrics `judge_formality`,"
        " `judge_meaning` and `judge_fluency`"
    )
    released: GivenFolder | None = Field(
        description="folder with XFORMAL's meta-evaluation files, by language `{lang}.csv` (commas or tabs),"
        " from the working directory: the leaf `metric-agreement` has their metrics and ratings too"
    )
    against: Folder | None = Field(
        description="folder of another experiment, with which `results/changes.csv` compares this one"
    )

    @field_validator("metrics")
    @classmethod
    def _known_metrics(cls, names: list[str]) -> list[str]:
        # Imported here: otherwise every job that reads a setting would run again when a metric changes.
        from workflow_scripts.statistics.metrics import METRICS

        for name in names:
            if name not in METRICS:
                raise ValueError(f"evaluation.metrics: no metric '{name}'; {nearest(name, METRICS)}")
        return names

    @model_validator(mode="after")
    def _has_its_judge(self) -> Evaluation:
        from workflow_scripts.statistics.metrics import METRICS, Judged

        judged = [name for name in self.metrics if issubclass(METRICS[name], Judged)]
        if judged and self.judge is None:
            raise ValueError(
                f"evaluation.judge: {judged[0]} asks a language model; name one, as a prompted row does"
            )
        return self


class Edits(Section):
    """The rule by which the types of edits of Table 4 are found; `rewrites.edits` describes the rules."""

    spelling: Literal["careful", "released"] = Field(
        description="a small distance in characters: each counts once, or, in the authors' released program,"
        " an inserted or deleted one twice"
    )
    normalization: Literal["careful", "released"] = Field(
        description="an expanded abbreviation: in any case and of any length, or, as in that program, of one"
        " word in the list's own case"
    )
    repetition: Literal["careful", "released"] = Field(
        description="a token without its repetitions: runs of letters, or, as in that program, every"
        " character that it has had before"
    )
    paraphrase: Literal["careful", "released", "paper"] = Field(
        description="3 changed words that no other type explains, or these as that program counts them, or a"
        " distance of more than 3 tokens, as appendix I says"
    )


class Analysis(Section):
    """How rewrites and outputs are analysed (Section 4, Tables 4 and 8)."""

    edits: Edits
    annotated: Positive = Field(description="rewrites per language that a native speaker annotates")
    annotations: GivenFolder | None = Field(
        description="folder with their annotations, `{lang}.csv`, from the working directory; without one the"
        " manual half is simulated at demo scale and empty elsewhere"
    )
    examples: Positive = Field(description="sentences per language in Table 8")


class Human(Section):
    """Human evaluation (Section 5.4, Tables 3, 7, 10 and 13)."""

    systems: Annotated[list[str], Distinct] = Field(description="the systems whose outputs are rated")
    sentences: Positive = Field(description="sentences per language, drawn with the seed")
    raters: Few = Field(description="judgments of each sentence and output")
    simulations: Many = Field(description="draws of two annotators for the agreement (Table 10)")
    interface: Literal["native", "english"] = Field(
        description="the language of the pages for raters: the language of the sentences if"
        " `resources/raters/` has it, with the paper's answers beside the translated ones, or English"
    )
    seconds: Few = Field(description="seconds for an item: the pages say how long a sheet takes")
    ratings: GivenFolder | None = Field(
        description="folder with the raters' files, `{lang}.csv`, from the working directory; without one"
        " raters of the demo world's sentences are simulated, and the human half of others is empty"
    )


class Report(Section):
    """The page of all leaves."""

    papers: Annotated[list[str], Distinct] = Field(
        description="whose leaves it shows, papers of `resources/papers.csv`; `xformal` and `impolite` have"
        " a demo world, all others are made of released data, which are downloaded"
    )

    @field_validator("papers")
    @classmethod
    def _known_papers(cls, names: list[str]) -> list[str]:
        known = load_papers(RESOURCES / "papers.csv")
        for name in names:
            if name not in known:
                raise ValueError(f"report.papers: unknown paper '{name}'; {nearest(name, known)}")
        return names
