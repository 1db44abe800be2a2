"""The systems of the configuration, the rows of Table 7: one class per kind."""

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from workflow_scripts.config.pretrained import FineTuned
from workflow_scripts.config.prompted import Model
from workflow_scripts.config.values import (
    Distinct,
    Few,
    Folder,
    NoBoolean,
    NotNegative,
    PathByLanguage,
    Positive,
    Section,
    Seeds,
    Share,
    Some,
    refused,
    shown,
)


def _label(text: str) -> str:
    if not shown(text):
        raise refused("a label is needed")
    return text


Label = Annotated[str, AfterValidator(_label)]


class System(Section):
    """The settings of every row of Table 7."""

    # Whether each of its seeds is a run with outputs of its own; the tables show the mean of the runs.
    reruns: ClassVar[bool] = False
    # Whether its models form an ensemble with one output: Figure 4 shows the single models.
    votes: ClassVar[bool] = False
    # The name of the trainer of its models; that trainer's rules make them.
    trainer: ClassVar[str | None] = None

    label: Label = Field(
        description="the paper's name of the system, the row's label; no two systems have the same"
    )
    languages: Annotated[list[str], Distinct] | None = Field(
        default=None,
        description="only in these languages, `[]` for none; in all that are configured if not given",
    )


class Gold(System):
    """The human rewrites, one run per reference set."""

    kind: Literal["gold"]


class Copy(System):
    """The informal sentences, unchanged."""

    kind: Literal["copy"]


class Rules(System):
    """Hand-made rules (appendix C)."""

    kind: Literal["rules"]
    mode: Literal["paper", "careful", "released"] = Field(
        description="the paper's four rules to the letter; the same without damage to addresses, numbers,"
        " ellipses and names; or the authors' released code"
    )


class RoundTrip(System):
    """Translation into English and back."""

    kind: Literal["round_trip"]


class Trained(System):
    """A system that is trained on pairs and decodes the output of another system."""

    input: str = Field(description="the system whose output is read: `rule-based`, or `copy` for raw text")


class Tagged(Trained):
    """A model for both directions, chosen by a tag, trained on translated GYAFC; an ensemble of seeds."""

    votes: ClassVar[bool] = True

    kind: str
    seeds: Seeds = Field(description="one model each; they vote")
    pairs: PathByLanguage | None = Field(
        default=None,
        description="folder of informal-formal pairs of the language itself, from the working directory"
        " (`{lang}` is replaced by the language), used instead of translated GYAFC:"
        " train.informal.txt, train.formal.txt, dev.informal.txt and dev.formal.txt, parallel by line."
        " CoCoA-MT's are where `build/corpora/cocoa-mt-pairs/{lang}/train.formal.txt` is, without"
        " sources that are tested in any language",
    )


class TranslateTrainTag(Tagged):
    """One model for both directions, chosen by a tag, trained on translated GYAFC; an ensemble of seeds."""

    trainer = "seq2seq"

    kind: Literal["translate_train_tag"]


class MultiTask(Trained):
    """The base system's models, fine-tuned on translated GYAFC and formal bitext EN-L."""

    votes: ClassVar[bool] = True
    trainer = "seq2seq"

    kind: Literal["multi_task"]
    base: str = Field(description="the `translate_train_tag` system whose seeds' models are fine-tuned")
    vocabulary: Literal["joint", "grown"] = Field(
        description="`joint`: one BPE of all its training sides, of which pieces that the base has keep their"
        " embeddings; `grown`: the base's, and English pieces after it"
    )
    repeat: Few = Field(description="how often translated GYAFC is repeated beside the bitext (k)")
    max_updates: Positive | None = Field(
        default=None, description="its own limit of updates, if it is below the translators' common one"
    )


class BackTranslate(Trained):
    """The base system, with pairs added that the base makes from informal text; an ensemble of seeds."""

    votes: ClassVar[bool] = True
    trainer = "seq2seq"

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
    shuffle: Annotated[int, Field(ge=0, le=1_000), NoBoolean] = Field(description="how far a word may move")


class UnsupervisedSystem(System):
    """UNMT or DLSM: trained on informal and on formal text without pairs; one run per seed."""

    reruns: ClassVar[bool] = True
    trainer = "unsupervised"

    kind: Literal["unsupervised"]
    corpus: Literal["opensubtitles", "yahoo-fr"] = Field(description="where the text of both styles is from")
    seeds: Seeds = Field(description="one run each; the table shows their mean")
    lm_weight: NotNegative = Field(description="weight of the language-model term: 0 for UNMT, more for DLSM")
    noise: Noise
    released: bool = Field(description="true copies the known quirks of the released code")
    input: str = Field(description="the system whose output is read: `copy` for raw text")


class Finetuned(FineTuned, Trained):
    """A pretrained encoder-decoder, fine-tuned on translated GYAFC in both directions or as it is."""

    reruns: ClassVar[bool] = True
    trainer = "finetuned"
    placeholder = "{style}"

    kind: Literal["finetuned"]
    input: str = Field(
        default="copy", description="the system whose output is read: `rule-based`, or `copy` for raw text"
    )


class OtherInput(Trained):
    """The models of another system, decoding another input: an ablation that trains nothing."""

    votes: ClassVar[bool] = True

    kind: Literal["other_input"]
    of: str = Field(description="the trained system whose models decode")


class Outputs(System):
    """Any system whose outputs are given in files."""

    kind: Literal["outputs"]
    path: PathByLanguage = Field(
        description="file with one output per line, from the working directory; `{lang}` is replaced by the"
        " language"
    )


class Prompted(System):
    """A language model that is prompted to rewrite each sentence."""

    kind: Literal["prompted"]
    model: Model
    prompt: Folder | None = Field(
        default=None,
        description="file with the template of the prompts, from the working directory; if not given,"
        " `resources/prompts/formal.txt`, which explains its format by example",
    )
    examples: Some = Field(default=0, description="pairs of the dev set in the prompt, drawn with the seed")


# In the order of the paper's rows, then the others.
MoreSystems = OtherInput | Finetuned | Prompted | Outputs
AnySystem = Annotated[
    Gold
    | Copy
    | Rules
    | RoundTrip
    | TranslateTrainTag
    | MultiTask
    | BackTranslate
    | UnsupervisedSystem
    | MoreSystems,
    Field(discriminator="kind"),
]
