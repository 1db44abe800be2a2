"""The configuration: one typed model that checks it, explains it and generates its schema.

`config.yaml` holds every key (the demo scale); an overlay such as `config/paper.yaml` holds only what
differs. The model has no defaults, so that a value stands in one place. `workflow_scripts.reference` writes
`config/schema.json` and `docs/configuration.md` from it.
"""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from workflow_scripts.errors import InputError, nearest

ROOT = Path(__file__).parent.parent
Positive = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
Rate = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, lt=1)]


class Section(BaseModel):
    """A group of settings that knows all its keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


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
    open_bitext: list[Literal["tatoeba", "ntrex", "diabla"]] = Field(
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
    threshold: Annotated[float, Field(ge=0, le=1)] = Field(
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
    informal_below: float = Field(description="a sentence is informal if its formality score is lower")
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
    reduce_factor: Annotated[float, Field(gt=0, lt=1)] = Field(description="factor of that cut")
    stop_after: Positive = Field(description="checkpoints without a better one before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest absolute value of a gradient's element")


class Decoding(Section):
    """Beam search."""

    beam_size: Positive = Field(description="hypotheses kept per sentence")
    length_penalty: Annotated[float, Field(ge=0)] = Field(description="alpha of the length penalty")
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
    max_cost: Annotated[float, Field(ge=0)] = Field(
        description="US dollars above which a job stops before it starts"
    )
    sanity_sentences: Positive = Field(
        description="OpenSubtitles sentences for the backend's BLEU (appendix B)"
    )
    nmt: Nmt
    hf: HuggingFace
    aws: Aws
    apertium: Apertium


class Encoder(Section):
    """The pretrained encoder of the regressors."""

    kind: Literal["hub", "folder", "scratch"] = Field(
        description="a hub checkpoint, a local folder, or a small BERT built here"
    )
    checkpoint: str = Field(description="`hub`: name")
    revision: str = Field(description="`hub`: commit")
    path: str | None = Field(description="`folder`: a transformers checkpoint on this machine")
    vocabulary_size: Positive = Field(description="`scratch`: WordPiece vocabulary")
    layers: Positive = Field(description="`scratch`: layers")
    hidden: Positive = Field(description="`scratch`: units")
    heads: Positive = Field(description="`scratch`: attention heads")


class Formality(Section):
    """The formality regressors (Section 5.3)."""

    held_out: Positive = Field(description="rated sentences kept from training, for Spearman's correlation")
    encoder: Encoder
    learning_rate: Rate = Field(description="AdamW's initial learning rate, falling linearly to zero")
    epochs: Positive = Field(description="passes over the ratings")
    batch_size: Positive = Field(description="sentences per update")
    max_length: Positive = Field(description="longest input in word pieces")
    scoring_batch_size: Positive = Field(description="sentences scored together")


class Fluency(Section):
    """The Kneser-Ney language models (Section 5.3)."""

    order: Annotated[int, Field(ge=2, le=6)] = Field(description="length of the n-grams")
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
    reduce_factor: Annotated[float, Field(gt=0, lt=1)] = Field(description="factor of that cut")
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
    reduce_factor: Annotated[float, Field(gt=0, lt=1)] = Field(
        description="factor of the rate at every bad evaluation"
    )
    stop_after: Positive = Field(description="bad evaluations before training stops")
    max_updates: Positive = Field(description="training stops here in any case")
    gradient_clip: Rate = Field(description="largest norm of the gradient")
    anneal_epochs: Positive = Field(description="epochs in which the auto-encoder's weight falls from 1 to 0")
    max_sample: Positive = Field(description="longest back-translation in words")
    max_gumbel: Positive = Field(description="longest sample for the language-model term in words")


class Unsupervised(Section):
    """UNMT and DLSM, which see no pairs (Section 5.1)."""

    max_words: Positive = Field(description="most words of the vocabulary; the rest is unknown")
    max_length: Positive = Field(description="longest training sentence in words")
    prior: Prior
    model: UnsupervisedModel
    decoding_batch_size: Positive = Field(description="sentences decoded together")


class Evaluation(Section):
    """Metrics and tests (Section 5.3, Table 7)."""

    baseline: str = Field(description="the system against which the others are tested")
    resamples: Positive = Field(description="bootstrap samples and random shuffles")
    confidence: Annotated[float, Field(gt=0, lt=1)] = Field(description="coverage of the intervals")


class Control(Section):
    """CoCoA-MT (Nadejde et al., 2022)."""

    pipelines: dict[str, str] = Field(
        description="spaCy pipelines that tag Table 3's tokens, by language: a folder, or the name of one"
        " that is installed beside spaCy; without one, verbs and pronouns are not counted (but for Japanese)"
    )


class System(Section):
    """What every row of Table 7 has."""

    label: str = Field(description="the paper's name of the system, the row's label")
    languages: list[str] | None = Field(
        default=None,
        description="only in these languages, `[]` for none; in all that are configured if not given",
    )


class Gold(System):
    """The human rewrites themselves, one run per reference set."""

    kind: Literal["gold"]


class Copy(System):
    """The informal sentences, unchanged."""

    kind: Literal["copy"]


class Rules(System):
    """Hand-made rules (appendix C)."""

    kind: Literal["rules"]
    mode: Literal["paper", "released"] = Field(
        description="the paper's four rules, or the authors' released code"
    )


class RoundTrip(System):
    """Translation into English and back."""

    kind: Literal["round_trip"]


class Trained(System):
    """A system that is trained on pairs and reads the output of another one."""

    input: str = Field(description="the system whose output is read: `rule-based`, or `copy` for raw text")


Seeds = Annotated[list[int], Field(min_length=1)]


class Tag(Trained):
    """One model for both directions, told by a tag, trained on translated GYAFC; an ensemble of seeds."""

    kind: Literal["translate_train_tag"]
    seeds: Seeds = Field(description="one model each; they vote")


class MultiTask(Trained):
    """The base system's models, fine-tuned on translated GYAFC and formal bitext EN-L."""

    kind: Literal["multi_task"]
    base: str = Field(description="the `translate_train_tag` system whose seeds' models are fine-tuned")
    repeat: Positive = Field(description="how often translated GYAFC stands beside the bitext (k)")


class BackTranslate(Trained):
    """As the base system, with pairs added that the base makes of informal text; an ensemble of seeds."""

    kind: Literal["backtranslate"]
    base: str = Field(description="the `translate_train_tag` system that translates informal text")
    seeds: Seeds = Field(description="one model each; they vote")
    directions: Literal["both", "back", "self"] = Field(
        description="`back`: synthetic formal to real informal; `self`: real informal to synthetic formal"
    )


class Noise(Section):
    """The noise of the auto-encoder."""

    blank: Share = Field(description="probability that a word is made unknown")
    drop: Share = Field(description="probability that a word is dropped")
    shuffle: Count = Field(description="how far a word may move")


class Unpaired(System):
    """UNMT or DLSM: trained on informal and on formal text without pairs; one run per seed."""

    kind: Literal["unsupervised"]
    corpus: Literal["opensubtitles", "yahoo-fr"] = Field(description="where the text of both styles is from")
    seeds: Seeds = Field(description="one run each; the table shows their mean")
    lm_weight: Annotated[float, Field(ge=0)] = Field(
        description="weight of the language-model term: 0 for UNMT, more for DLSM"
    )
    noise: Noise
    released: bool = Field(description="true copies the known quirks of the released code")
    input: str = Field(description="the system whose output is read: `copy` for raw text")


class OtherInput(Trained):
    """The models of another system, decoded from another input: an ablation that trains nothing."""

    kind: Literal["other_input"]
    of: str = Field(description="the trained system whose models decode")


class Outputs(System):
    """Any system whose outputs are files."""

    kind: Literal["outputs"]
    path: str = Field(description="file with one output per line; `{lang}` stands for the language")


# In the order of the paper's rows, which is the order of the table.
AnySystem = Annotated[
    Gold | Copy | Rules | RoundTrip | Tag | MultiTask | BackTranslate | Unpaired | OtherInput | Outputs,
    Field(discriminator="kind"),
]
KINDS: dict[str, Any] = {
    get_args(kind.model_fields["kind"].annotation)[0]: kind for kind in get_args(get_args(AnySystem)[0])
}


class Settings(Section):
    """All settings of a run."""

    scale: Literal["demo", "open", "paper"] = Field(
        description="how far the data are from the paper's: a mark on every table, and nothing else"
    )
    seed: Count = Field(description="seed of every random choice that has no seed of its own")
    languages: Annotated[list[str], Field(min_length=1)] = Field(
        description="languages of the tables, codes of `resources/languages.csv`"
    )
    licensed: str = Field(description="folder that holds the licensed corpora")
    mirror: str | None = Field(description="folder that holds the downloads, for a machine without network")
    cache: str = Field(description="folder of the translations; keep it: paid translations are in it")
    device: Literal["auto", "cpu", "cuda"] = Field(
        description="where models train and decode; `auto`: on a GPU if the machine of the job has one"
    )
    precision: Literal["auto", "float32", "bf16"] = Field(
        description="number format of models; `auto`: bf16 on a GPU, float32 on a CPU"
    )
    threads: Positive = Field(
        description="threads of a training or scoring job; part of the result: other sums, other last digits"
    )
    demo: Demo
    corpora: Corpora
    filtering: Filtering
    translation: Translation
    formality: Formality
    fluency: Fluency
    transfer: Transfer
    unsupervised: Unsupervised
    evaluation: Evaluation
    control: Control
    systems: dict[str, AnySystem] = Field(description="the rows of Table 7: kinds in the paper's order")

    @field_validator("languages")
    @classmethod
    def _known_languages(cls, codes: list[str]) -> list[str]:
        for code in codes:
            if code not in languages():
                raise ValueError(f"unknown language '{code}'; {nearest(code, languages())}")
        return codes

    @field_validator("systems")
    @classmethod
    def _paper_order(cls, systems: dict[str, AnySystem]) -> dict[str, AnySystem]:
        """Snakemake puts an overlay's new systems first; rows stand in the paper's order, own ones last."""
        for name in systems:
            if not re.fullmatch(r"[\w-]+", name):
                raise ValueError(f"systems: '{name}' is no name: use letters, digits, _ and -")
        order = list(KINDS)
        return dict(sorted(systems.items(), key=lambda item: order.index(item[1].kind)))

    @model_validator(mode="after")
    def _references_exist(self) -> Settings:
        for name, system in self.systems.items():
            for key, kinds in REFERENCES.items():
                other = getattr(system, key, None)
                if other is not None:
                    self._check_reference(f"systems.{name}", key, other, kinds)
            for code in system.languages or []:
                if code not in languages():
                    raise ValueError(
                        f"systems.{name}.languages: unknown '{code}'; {nearest(code, languages())}"
                    )
            french = isinstance(system, Unpaired) and system.corpus == "yahoo-fr"
            if french and (system.languages is None or set(system.languages) - {"fr"}):
                raise ValueError(f"systems.{name}.languages: corpus yahoo-fr is French: set languages: [fr]")
        if self.evaluation.baseline not in self.systems:
            raise ValueError(
                f"evaluation.baseline: no system '{self.evaluation.baseline}';"
                f" {nearest(self.evaluation.baseline, self.systems)}"
            )
        if self.formality.encoder.kind == "folder" and not self.formality.encoder.path:
            raise ValueError("formality.encoder.path: needed when formality.encoder.kind is 'folder'")
        if self.filtering.min_tokens > self.filtering.max_tokens:
            raise ValueError("filtering.min_tokens is larger than filtering.max_tokens")
        return self

    def _check_reference(self, where: str, key: str, other: str, kinds: tuple[str, ...]) -> None:
        """A named system exists, is of the right kind, and does not lead back to where it is named."""
        if other not in self.systems:
            raise ValueError(f"{where}.{key}: no system '{other}'; {nearest(other, self.systems)}")
        if kinds and self.systems[other].kind not in kinds:
            raise ValueError(
                f"{where}.{key}: '{other}' is of kind {self.systems[other].kind}, not {' or '.join(kinds)}"
            )
        seen, inner = {where.split(".")[1]}, getattr(self.systems[other], "input", None)
        while key == "input" and inner is not None:
            if other in seen:
                raise ValueError(f"{where}.{key}: '{other}' reads, in the end, its own output")
            seen.add(other)
            other, inner = inner, getattr(self.systems.get(inner), "input", None)


# Settings of a system that name another one, and the kinds that may stand there (all if none are named).
REFERENCES: dict[str, tuple[str, ...]] = {
    "input": (),
    "base": ("translate_train_tag",),
    "of": ("translate_train_tag", "multi_task", "backtranslate"),
}


def languages(path: Path = ROOT / "resources" / "languages.csv") -> dict[str, dict[str, str]]:
    """The table of languages: code -> its other columns."""
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["code"]: row for row in csv.DictReader(stream)}


def load(config: dict[str, Any]) -> Settings:
    """Check a merged configuration; InputError has one line per finding, each naming the key.

    A number may be a text that reads as one: ``snakemake --config`` gives nested numbers so.
    """
    try:
        return Settings.model_validate(config)
    except ValidationError as error:
        findings = [_explain(finding) for finding in error.errors()]
        raise InputError("\nerror: ".join(findings)) from None


def _explain(finding: Any) -> str:
    """One line for one finding of pydantic."""
    where = list(finding["loc"])
    if where[0:1] == ["systems"] and where[2:3] and where[2] in KINDS:
        # Pydantic names the kind behind the system, which may itself be called copy or gold.
        del where[2]
    key = ".".join(map(str, where))
    match finding["type"]:
        case "extra_forbidden":
            known = _keys(Settings, list(finding["loc"][:-1]))
            return f"configuration: unknown key '{key}'; {nearest(str(where[-1]), known)}"
        case "missing":
            return f"configuration: key '{key}' is missing; config.yaml shows every key"
        case "union_tag_invalid" | "union_tag_not_found":
            given = str(finding["input"].get("kind", "")) if isinstance(finding["input"], dict) else ""
            return f"configuration: '{key}.kind' is '{given}'; {nearest(given, KINDS)}"
        case "value_error":
            return f"configuration: {finding['ctx']['error']!s}"
        case _:
            return f"configuration: '{key}' is {finding['input']!r}: {finding['msg'].lower()}"


def _keys(model: type[Section], place: list[Any]) -> list[str]:
    """The keys that are allowed at a place of the configuration."""
    if not place:
        return list(model.model_fields)
    inner = model.model_fields[place[0]].annotation
    if get_origin(inner) is dict:
        return list(KINDS[place[2]].model_fields)
    return _keys(inner, place[1:])  # type: ignore[arg-type]


def schema() -> str:
    """The JSON schema of the configuration, for editors."""
    tree = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Settings.model_json_schema()}
    return json.dumps(tree, indent=2, ensure_ascii=False) + "\n"
