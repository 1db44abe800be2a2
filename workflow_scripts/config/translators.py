"""The sections of the configuration about translators: networks, decoding, translation, transfer."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from workflow_scripts.config.checkpoints import WITHOUT_COMMIT, CommitOfHub
from workflow_scripts.config.values import (
    Code,
    Count,
    Fraction,
    Given,
    Many,
    NotNegative,
    Positive,
    Rate,
    Section,
    Share,
    Units,
)


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
    reduce_factor: Fraction = Field(description="factor of that cut")
    stop_after: Positive = Field(description="checkpoints without a better one before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest absolute value of a gradient's element")
    select: Literal["perplexity", "bleu"] = Field(
        description="the checkpoint that is kept: with the lowest dev perplexity, or with the highest BLEU of"
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
    reduce_factor: Fraction = Field(description="factor of that cut")
    stop_after: Positive = Field(description="checkpoints without a gain before training stops")
    stop_gain: Share = Field(description="the smallest gain in dev perplexity that counts")
    average: Positive = Field(description="best checkpoints whose mean is the model")
    max_updates: Positive = Field(description="training stops here in any case")
    epochs: Count = Field(description="training stops after so many epochs; 0: as many as it takes")


class Decoding(Section):
    """Beam search."""

    beam_size: Units = Field(description="hypotheses kept per sentence")
    length_penalty: NotNegative = Field(description="alpha of the length penalty")
    batch_size: Units = Field(description="sentences decoded together")


class OfPieces(Section):
    """Models that read and write the pieces of one BPE."""

    vocabulary_size: Many = Field(description="joint BPE vocabulary")
    max_length: Units = Field(description="longest training sentence in BPE pieces")


class OfBitext(OfPieces):
    """Such models, trained on pairs drawn from a corpus."""

    dev_sentences: Positive = Field(description="pairs held out for the dev perplexity")
    train_sentences: Positive = Field(description="training pairs drawn from the rest, at most")


class Nmt(OfBitext):
    """The `nmt` backend: one model per language, both directions, trained on `corpora.bitext`."""

    model: Seq2Seq
    decoding: Decoding


Direction = Annotated[str, Field(pattern=r"^[a-z]{2}-[a-z]{2}$")]


class HuggingFaceDirection(Section):
    """A checkpoint of the `hf` backend."""

    checkpoint: Annotated[str, Field(min_length=1)] = Field(description="hub name or folder")
    revision: CommitOfHub = Field(
        default="", description="`checkpoint` of the hub: its commit of 40 hexadecimal digits"
    )
    prefix: str = Field(
        default="", description="put before every sentence, such as `>>pob<<` for some Marian models"
    )

    def given(self) -> Iterator[tuple[str, Path, Given]]:
        """The checkpoint without a commit."""
        if not self.revision:
            yield "checkpoint", Path(self.checkpoint), Given(fix=WITHOUT_COMMIT)


class HuggingFace(HuggingFaceDirection):
    """The `hf` backend: a Marian or NLLB checkpoint."""

    directions: dict[Direction, HuggingFaceDirection] = Field(
        description="other checkpoints for single directions, such as `en-fr`: a Marian model has one"
    )
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

    backend: TranslationBackend = Field(description="the backend that translates")
    backends: dict[Code, TranslationBackend] = Field(
        description="languages with another backend than `backend`, such as `{de: nmt}`"
    )
    max_cost: NotNegative = Field(description="US dollars above which a job stops before it starts")
    sanity_sentences: Positive = Field(
        description="OpenSubtitles sentences for the backend's BLEU (appendix B)"
    )
    nmt: Nmt
    hf: HuggingFace
    aws: Aws
    apertium: Apertium

    def unread(self) -> Collection[str]:
        """The setting `hf`, unless it translates some language."""
        return () if "hf" in (self.backend, *self.backends.values()) else ("hf",)


class Copying(Section):
    """The copying model, which copies text whatever the tag; its other settings are in `transfer.model`."""

    sentences: Many = Field(description="curated sentences of `corpora.opensubtitles` that it copies")
    dev_sentences: Positive = Field(description="further ones for its dev perplexity")
    learning_rate: Rate = Field(description="Adam's initial learning rate")
    checkpoint_every: Positive = Field(description="updates between two looks at the dev perplexity")
    max_updates: Positive = Field(description="training stops here in any case")


class Transfer(OfPieces):
    """The systems trained on translated GYAFC (Sections 5.1 and 5.2)."""

    copying: Copying | None = Field(
        description="the model per language that TRANSLATE TRAIN TAG and BACKTRANSLATE start from, which has"
        " learnt to copy text of the language, where pairs are too few to learn that from; the text model is"
        " learnt on this text too. `null`: fresh weights, as in the paper"
    )
    model: Seq2Seq
    decoding: Decoding
