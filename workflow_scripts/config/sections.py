"""The sections of the configuration, one class each: what a key means and which values it may have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from workflow_scripts.config.encoder import Encoder
from workflow_scripts.config.values import (
    Code,
    Count,
    Distinct,
    Few,
    Files,
    Folder,
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


class Demo(Section):
    """Sizes of the demo world, a small hand-written stand-in for the licensed corpora."""

    gyafc_train: Many = Field(description="English informal-formal training pairs, both domains")
    gyafc_dev: Many = Field(description="English tune sentences, each with 4 rewrites")
    gyafc_test: Many = Field(description="English test sentences, each with 4 rewrites")
    xformal: Many = Field(description="informal test sentences per language, each with 4 rewrites")
    ratings: Many = Field(description="English sentences with a formality rating")
    subtitles: Many = Field(description="OpenSubtitles pairs per language, noise included")
    bitext: Many = Field(description="clean pairs per language for the demo's translation models")
    questions: Many = Field(description="Yahoo Answers questions, all languages together")
    questions_fr: Many = Field(description="French Yahoo Answers questions (L26)")
    dialogues_train: Many = Field(description="task-oriented dialogues to train on")
    dialogues_dev: Many = Field(description="task-oriented dialogues for validation")
    dialogues_test: Many = Field(description="task-oriented dialogues to test on")
    controlled_train: Many = Field(
        description="contrastive training segments of each of two domains, in each language"
    )
    controlled_test: Many = Field(
        description="contrastive test segments of each of three domains, in each language"
    )
    held_out: Many = Field(
        description="sentences of each of two sets of other domains, for raters (CoCoA-MT's Table 10)"
    )
    generic_train: Many = Field(
        description="pairs per language that a translator learns from before it is controlled"
    )
    generic_test: Many = Field(description="pairs per language of each of its two test sets")
    winomt: Annotated[int, Field(ge=2, le=1_000_000_000, multiple_of=2), NoBoolean] = Field(
        description="sentences about people at work, half of them of either gender (CoCoA-MT's Table 13)"
    )
    requests_train: Many = Field(
        description="English requests with a politeness score; the outer half trains"
    )
    requests_test: Many = Field(
        description="requests per language with a politeness score; the outer half tests"
    )


class Downloads(Section):
    """What may be downloaded."""

    unpinned: Annotated[list[str], Distinct] = Field(
        description="corpora of `resources/sources.csv` whose files are taken although nobody has published"
        " their checksum: that of the first download is recorded beside the file, and later downloads must"
        " agree with it. Any other file without a checksum is refused; files that a tool unpickles always are"
    )


class Corpora(Section):
    """Which version of each corpus is read: a `version` of `resources/sources.csv`."""

    gyafc: str = Field(description="informal-formal pairs in English (Rao and Tetreault, 2018)")
    xformal: str = Field(description="the evaluation set: 1,000 sentences and 4 rewrites per language")
    gyafc_language: Code = Field(description="language of the pairs of `gyafc`; they are translated from it")
    gyafc_languages: dict[Code, Code] = Field(
        description="for some languages, the language of their pairs: the language itself, or another one of"
        " `languages`, to translate from; needs `gyafc: cocoa-mt`"
    )
    gyafc_held_out: Positive = Field(description="pairs for the dev set, where `gyafc` has none (cocoa-mt)")
    gyafc_references: Files = Field(description="rewrites of each dev sentence in `gyafc`")
    xformal_references: Files = Field(description="rewrites of each sentence in `xformal`")
    tydip: str = Field(
        description="requests of TyDiP (Srinivasan and Choi, 2022) for its classifiers and raters; its leaves"
        " of released data are made of the released ones"
    )
    tydip_requests: str = Field(
        description="requests that TyDiP has crawled and not annotated, 185 MB, for its Table 1 and"
        " `politeness.lexicons.bitext: requests`; `none`"
    )
    stanford: str = Field(
        description="the source of TyDiP's English requests with single ratings (Danescu-Niculescu-Mizil et"
        " al., 2013), of the same world as `tydip`"
    )
    cocoa_mt: str = Field(
        description="contrastive pairs (Nadejde et al., 2022) that translators are controlled by and tested"
        " on; CoCoA-MT's Tables 2, 3 and 12 are of the released ones"
    )
    pt16: str = Field(description="formality ratings (Pavlick and Tetreault, 2016)")
    open_bitext: Annotated[list[Literal["tatoeba", "ntrex", "diabla"]], Distinct] = Field(
        description="corpora of the version `open` of `opensubtitles` and `bitext`"
    )
    opensubtitles: str = Field(description="bitext for formality pools, samples and language models")
    generic: str = Field(
        description="pairs that translators under control learn from first, with generic test sets; `open`:"
        " Tatoeba, DiaBLa and BConTrasT, with NTREX as the test set; `web`: the paper's"
    )
    bitext: str = Field(description="bitext on which the `nmt` translation backend is trained")
    yahoo: str = Field(description="Yahoo Answers L6, the source of the informal sentences")
    yahoo_answers: Literal["best", "all"] = Field(
        description="which answers of L6 are read: the best one to each question, which fits the numbers of"
        " Tables 2 and 11, or all of them; of L26 all are"
    )
    yahoo_fr: str = Field(description="French Yahoo Answers L26, in-domain text for UNMT and DLSM")
    punkt: str = Field(description="sentence splitters: `trained` on the corpus itself, or NLTK's")
    multiwoz: str = Field(
        description="task-oriented dialogues: `2.2`, or of `2.1` the validation and test dialogues only, of"
        " which the first train"
    )
    impolite: str = Field(
        description="impolite rewrites of the users' turns of `multiwoz`; `transfer`: by a system"
        " (`style.corpus`), for who has none of people; `none`"
    )


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

    shards: Annotated[int, Field(gt=0, le=500), NoBoolean] = Field(
        description="parts into which a bitext is cut, one job each"
    )
    bicleaner: Bicleaner
    min_tokens: Units = Field(description="shorter sentences are dropped (NLTK tokens)")
    max_tokens: Units = Field(description="longer sentences are dropped (NLTK tokens)")
    informal_below: Annotated[float, NoBoolean] = Field(
        description="a sentence is informal if its formality score is lower"
    )
    candidates: Positive = Field(description="informal sentences drawn per language from Yahoo Answers")
    draws: Literal["disjoint", "independent"] = Field(
        description="disjoint: no two samples share a sentence while the pool lasts; independent: each is"
        " drawn from the whole pool, as the paper is read, and only dev sentences are kept out of the others"
    )
    samples: Samples


class Seq2Seq(Section):
    """A bi-LSTM with attention and its training (appendix D)."""

    embedding: Units = Field(description="units of the word embeddings")
    hidden: Units = Field(description="units of the decoder; the encoder has half of it per direction")
    attention: Units = Field(description="units of the attention's hidden layer")
    dropout: Share = Field(description="dropout on embeddings, RNN inputs and states")
    learning_rate: Rate = Field(description="Adam's initial learning rate")
    batch_size: Units = Field(description="sentence pairs per update")
    checkpoint_every: Positive = Field(description="updates between two looks at the dev perplexity")
    reduce_after: Positive = Field(description="checkpoints without a better one before the rate is cut")
    reduce_factor: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(description="factor of that cut")
    stop_after: Positive = Field(description="checkpoints without a better one before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest absolute value of a gradient's element")
    select: Literal["perplexity", "bleu"] = Field(
        description="which checkpoint is kept: that of the lowest dev perplexity, or of the highest BLEU of"
        " decoded dev sentences (2,000 pairs at most); rate and end follow perplexity"
    )
    first_weights: Literal["sockeye", "wide"] = Field(
        description="how weights are drawn: as Sockeye 1 does by default; or wider embeddings, with which"
        " small models learn sooner"
    )


class SsruTransformer(Section):
    """A Transformer with an SSRU decoder, and its training (CoCoA-MT, Section 5)."""

    units: Units = Field(description="units of embeddings and layers")
    heads: Units = Field(description="heads of attention")
    feed_forward: Units = Field(description="inner units of the feed-forward layers")
    encoder_layers: Units = Field(description="layers of the encoder")
    decoder_layers: Units = Field(description="layers of the decoder")
    dropout: Share = Field(description="dropout on attention, activations and residual sums")
    label_smoothing: Share = Field(description="share of the probability that all symbols get alike")
    learning_rate: Rate = Field(description="Adam's initial learning rate, after the warm-up")
    warmup_updates: Count = Field(description="updates in which the rate rises linearly; 0: no warm-up")
    batch_size: Units = Field(description="target tokens per batch, with padding")
    accumulate: Units = Field(description="batches per update")
    checkpoint_every: Positive = Field(description="updates between two looks at the dev perplexity")
    reduce_after: Positive = Field(
        description="checkpoints without a better one before the rate is cut, and parameters and optimiser go"
        " back to the best one"
    )
    reduce_factor: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(description="factor of that cut")
    stop_after: Positive = Field(description="checkpoints without a gain before training stops")
    stop_gain: Share = Field(description="what counts as a gain: more than this in dev perplexity")
    average: Positive = Field(description="best checkpoints whose mean is the model")
    max_updates: Positive = Field(description="training stops here in any case")
    epochs: Count = Field(description="training stops after so many epochs; 0: as many as it takes")


class Decoding(Section):
    """Beam search."""

    beam_size: Units = Field(description="hypotheses kept per sentence")
    length_penalty: Annotated[float, Field(ge=0), NoBoolean] = Field(
        description="alpha of the length penalty"
    )
    batch_size: Units = Field(description="sentences decoded together")


class OfPieces(Section):
    """Models of both directions that read and write pieces of one BPE."""

    vocabulary_size: Many = Field(description="joint BPE vocabulary")
    max_length: Units = Field(description="longest training sentence in BPE pieces")


class Nmt(OfPieces):
    """The `nmt` backend: one model per language, both directions, trained on `corpora.bitext`."""

    dev_sentences: Positive = Field(description="pairs held out for the dev perplexity")
    train_sentences: Positive = Field(description="training pairs drawn from the rest, at most")
    model: Seq2Seq
    decoding: Decoding


class HuggingFace(Section):
    """The `hf` backend: a Marian or NLLB checkpoint."""

    checkpoint: str = Field(description="hub name or folder")
    revision: str = Field(description="commit of the checkpoint on the hub")
    prefix: str = Field(description="put before every sentence, such as `>>pob<<` for some Marian models")
    beam_size: Units = Field(description="hypotheses kept per sentence")
    batch_size: Units = Field(description="sentences translated together")


class Aws(Section):
    """The `aws` backend: Amazon Translate, which costs money."""

    region: str = Field(description="AWS region")
    price_per_million: Rate = Field(description="US dollars per million characters")


class Apertium(Section):
    """The `apertium` backend: rules and dictionaries, installed by the system's package manager."""

    chains: list[Annotated[str, Field(pattern=r"^[a-z]{2}-[a-z]{2}=[\w-]+(,[\w-]+)*$")]] = Field(
        description="the modes that a direction goes through, such as `en-fr=eng-spa,es-fr`"
    )


TranslationBackend = Literal["nmt", "hf", "aws", "apertium"]


class Translation(Section):
    """Machine translation of training data and for ROUND-TRIP MT (Section 5.1, appendix B)."""

    backend: TranslationBackend = Field(description="who translates")
    backends: dict[Code, TranslationBackend] = Field(
        description="languages with another backend than `backend`, such as `{de: nmt}`"
    )
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


class Formality(Section):
    """The formality regressors (Section 5.3)."""

    held_out: Positive = Field(description="rated sentences kept from training, for Spearman's correlation")
    folds: Annotated[int, Field(ge=2, le=100), NoBoolean] = Field(
        description="parts of the English ratings; a regressor trained on the others predicts each"
    )
    encoder: Encoder
    learning_rate: Rate = Field(description="AdamW's initial learning rate, falling linearly to zero")
    epochs: Positive = Field(description="passes over the ratings")
    batch_size: Units = Field(description="sentences per update")
    max_length: Units = Field(description="longest input in word pieces")
    scoring_batch_size: Units = Field(description="sentences scored together")


class Fluency(Section):
    """The Kneser-Ney language models (Section 5.3)."""

    order: Annotated[int, Field(ge=2, le=6), NoBoolean] = Field(description="length of the n-grams")
    memory: Annotated[str, Field(pattern=r"^([1-9][0-9]{0,8}[KMGT]|([1-9][0-9]?|100)%)$")] = Field(
        description="memory of lmplz, for example `2G` or `30%`"
    )


class Copying(Section):
    """The model that copies text, whatever the tag says; its other settings are those of `transfer.model`."""

    sentences: Many = Field(description="curated sentences of `corpora.opensubtitles` that it copies")
    dev_sentences: Positive = Field(description="further ones for its dev perplexity")
    learning_rate: Rate = Field(description="Adam's initial learning rate")
    checkpoint_every: Positive = Field(description="updates between two looks at the dev perplexity")
    max_updates: Positive = Field(description="training stops here in any case")


class Transfer(OfPieces):
    """The systems that are trained on translated GYAFC (Sections 5.1 and 5.2)."""

    copying: Copying | None = Field(
        description="the model per language that TRANSLATE TRAIN TAG and BACKTRANSLATE start from, which has"
        " learnt to copy text of the language, where pairs are too few to learn that from; the text model is"
        " learnt on this text too. `null`: fresh weights, as in the paper"
    )
    model: Seq2Seq
    decoding: Decoding


class Prior(Section):
    """The language model of a style, frozen while DLSM is trained (He et al., 2020)."""

    embedding: Units = Field(description="units of the word embeddings")
    hidden: Units = Field(description="units of the LSTM")
    dropout: Share = Field(description="dropout on embeddings and states")
    learning_rate: Rate = Field(description="initial learning rate of SGD")
    batch_size: Units = Field(description="sentences per update")
    evaluate_every: Positive = Field(description="updates between two looks at the dev loss")
    reduce_after: Positive = Field(description="bad evaluations in a row before the rate is cut")
    reduce_factor: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(description="factor of that cut")
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
    reduce_factor: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(
        description="factor of the rate at every bad evaluation"
    )
    stop_after: Positive = Field(description="bad evaluations before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest norm of the gradient")
    anneal_epochs: Positive = Field(description="epochs in which the auto-encoder's weight falls from 1 to 0")
    warmup_updates: Annotated[int, Field(ge=0, le=1_000_000_000), NoBoolean] = Field(
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
    confidence: Annotated[float, Field(gt=0, lt=1), NoBoolean] = Field(
        description="coverage of the intervals"
    )
    metrics: Annotated[list[str], Field(min_length=1), Distinct] = Field(
        description="of Table 7, in the order of its columns, by their names in `statistics.metrics`; ratings"
        " by people stand in the columns of the paper's four"
    )
    against: Folder | None = Field(
        description="folder of another experiment, with which `results/changes.csv` compares this one"
    )

    @field_validator("metrics")
    @classmethod
    def _known_metrics(cls, names: list[str]) -> list[str]:
        # Not above: whatever reads a setting would run again when a metric changes.
        from workflow_scripts.statistics.metrics import METRICS

        for name in names:
            if name not in METRICS:
                raise ValueError(f"evaluation.metrics: no metric '{name}'; {nearest(name, METRICS)}")
        return names


class Edits(Section):
    """By which rule the types of edits of Table 4 are found; `rewrites.edits` describes the rules."""

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
    """How rewrites and outputs are looked at (Section 4, Tables 4 and 8)."""

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
        description="the language of the pages for raters: that of the sentences where `resources/raters/`"
        " has it, with the paper's answers beside the translated ones, or English"
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
