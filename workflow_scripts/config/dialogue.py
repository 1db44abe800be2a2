"""The section `dialogue`: task-oriented dialogue systems and the dialogues they are evaluated on."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from workflow_scripts.config.checkpoints import Commit
from workflow_scripts.config.encoder import Encoder
from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.config.prompted import Model
from workflow_scripts.config.systems import Label
from workflow_scripts.config.values import (
    Count,
    Distinct,
    Few,
    Folder,
    GivenFolder,
    Many,
    Name,
    Positive,
    Rows,
    Section,
    Seeds,
    Share,
    Some,
    Units,
    check_known,
    check_labels,
    check_placeholders,
    refused,
)


def _path(text: str) -> str:
    check_placeholders(text, "set")
    if "{set}" not in text:
        raise refused("it needs {set}: there is one file for polite and one for impolite users")
    return text


class Responder(Section):
    """The settings of every row of Tables VI and VII."""

    label: Label = Field(description="name of its rows; no two systems have the same")


class Trained(Responder):
    """A system that the workflow trains."""

    seeds: Seeds | None = Field(
        default=None,
        description="seeds of this system's trainings, also with more data; Tables VI and VII show the"
        " mean, all other leaves the first; if not given, one training with `seed`",
    )


class OwnResponses(Responder):
    """Any system whose responses are given as files."""

    kind: Literal["outputs"]
    path: Annotated[str, AfterValidator(_path)] = Field(
        description="file with the responses in the JSON of the standard evaluator, from the working"
        " directory; `{set}` is replaced by `polite`, the dialogues of `build/dialogue/sets/polite.jsonl`,"
        " and by `impolite`"
    )


class Decoding(Section):
    """How a system reads and answers."""

    history: Literal["gold", "generated"] = Field(
        description="its input about earlier turns: the annotated acts and responses, or its own; states are"
        " always its own"
    )
    oracle_domain: bool = Field(
        description="whether the database is queried for the domain of the annotated turn, rather than the"
        " one whose slots changed in the system's states"
    )
    oracle_booking: bool = Field(
        description="whether it is told if the annotated turn books something; only MinTL's format reads it"
    )
    max_context: Units = Field(description="maximum number of tokens that it reads, from the end")
    max_belief: Units = Field(description="maximum number of tokens of a belief")
    max_response: Units = Field(description="maximum number of tokens of act and response")
    batch_size: Units = Field(description="dialogues answered together")

    @model_validator(mode="after")
    def _room(self) -> Decoding:
        if self.max_context < self.max_belief + self.max_response:
            raise refused("max_context is smaller than max_belief and max_response together")
        return self


class OfLanguageModel(Trained):
    """A system that is a language model with a format of its own."""

    model: Pretrained
    training: Course
    decoding: Decoding


class Causal(OfLanguageModel):
    """A language model of GPT-2's kind."""

    kind: Literal["causal"]
    template: Literal["ubar", "augpt"] = Field(
        description="the format: UBAR's, a whole session as one text, or AuGPT's, a turn in plain words,"
        " learnt together with corrupted copies"
    )


class EncoderDecoder(OfLanguageModel):
    """A language model of T5's kind."""

    kind: Literal["encoder_decoder"]
    template: Literal["mintl", "pptod"] = Field(
        description="the format: MinTL's, which writes the changes of the state and has a separate decoder"
        " for responses, or PPTOD's, which names each task in a prompt"
    )


class Released(Responder):
    """A system whose authors have released its weights; nothing is trained."""

    kind: Literal["released"]
    template: Literal["augpt", "pptod_released"] = Field(
        description="its format: AuGPT's, or the format of PPTOD's released weights, with DAMD's names"
    )
    checkpoint: Annotated[str, Field(min_length=1)] | None = Field(
        default=None, description="name in the hub"
    )
    revision: Commit | None = Field(default=None, description="its commit, 40 digits")
    archive: Literal["pptod-small", "pptod-base"] | None = Field(
        default=None,
        description="instead of both, an archive of `resources/sources.csv`; its authors publish no"
        " checksum, so `downloads.unpinned` has to name `pptod`",
    )
    decoding: Decoding

    def problem(self, place: str) -> str:
        """What is wrong with a system at a place of the configuration; an empty string if it is valid."""
        hub = (self.checkpoint, self.revision)
        if (self.archive is None) == (None in hub) or (self.archive and hub != (None, None)):
            return f"{place}: give checkpoint and revision, or archive"
        return ""


class Prompted(Responder):
    """A language model that is prompted for the state, then, with the database's result, for the response."""

    kind: Literal["prompted"]
    model: Model = Field(description="the model, of kind `endpoint` or `transformers`")
    state: Folder | None = Field(
        default=None,
        description="file with the prompt template for states, from the working directory; if not given,"
        " `resources/prompts/state.txt`",
    )
    response: Folder | None = Field(
        default=None,
        description="file with the prompt template for responses; if not given,"
        " `resources/prompts/response.txt`",
    )
    examples: Some = Field(
        default=4, description="turns of training dialogues in a prompt, drawn with the seed"
    )
    history: Literal["gold", "generated"] = Field(
        default="generated", description="its input about earlier turns, as in `decoding`"
    )
    oracle_booking: bool = Field(
        default=True, description="whether it is told if the annotated turn books something"
    )


class NetworkSizes(Section):
    """The network of a recurrent system, its copying, and its database."""

    vocabulary_size: Many = Field(description="words that can be generated; others can only be copied")
    embedding: Units = Field(description="units of a word embedding")
    hidden: Units = Field(description="units of a GRU")
    dropout: Share = Field(description="dropout of word embeddings")
    copying: Literal["paper", "released"] = Field(
        description="the joint softmax over generating and copying: repeated words of a source add their"
        " probabilities (`paper`), or their scores, with a score of 0 for each word that is not in it"
        " (`released`, DAMD's code); LABES has only `paper`"
    )
    backward_times: bool = Field(
        description="whether the database compares the times of trains the wrong way, as DAMD's code does"
    )


class RecurrentCourse(Course):
    """How a recurrent network is trained: by Adam; a text is a turn, of LABES a dialogue."""

    weight_decay: Share = Field(description="of Adam, added to the gradient")
    acts: Count = Field(
        description="DAMD: other acts of turns in a like state that are learnt with each turn; 0: no"
        " augmentation"
    )


class RecurrentDecoding(Section):
    """How a recurrent system reads and answers."""

    history: Literal["gold", "generated"] = Field(
        description="the previous turn's response that it reads, the annotated one or its own; states are"
        " always its own"
    )
    oracle_domain: bool = Field(
        description="whether the database is queried for the annotated turn's domain, as for language models"
    )
    oracle_booking: bool = Field(description="whether it is told if the annotated turn books something")
    max_belief: Units = Field(description="DAMD: maximum number of words of a belief")
    max_act: Units = Field(description="DAMD: maximum number of words of an act")
    max_response: Units = Field(description="maximum number of words of a response")
    batch_size: Units = Field(description="dialogues answered together")


class Recurrent(Trained):
    """A system that is a recurrent network, trained from random weights."""

    kind: Literal["recurrent"]
    template: Literal["damd", "labes"] = Field(
        description="the system: DAMD, with decoders of spans, or LABES, with a decoder of each slot's value"
        " and dialogues as batches"
    )
    network: NetworkSizes
    training: RecurrentCourse
    decoding: RecurrentDecoding


class Augmented(Responder):
    """Another system with more training data: dialogues with impolite users."""

    kind: Literal["augmented"]
    of: str = Field(description="the system, of kind `causal`, `encoder_decoder` or `recurrent`")
    data: Literal["transfer", "rewrites"] = Field(
        default="transfer",
        description="`transfer`: the training dialogues that people have not rewritten, with users' words"
        " rewritten by `style.rewriter`, as in the paper; `rewrites`: the dialogues that people have"
        " rewritten",
    )


AnyResponder = Annotated[
    OwnResponses | Causal | EncoderDecoder | Recurrent | Released | Prompted | Augmented,
    Field(discriminator="kind"),
]


class Similarity(Section):
    """The sentence encoder for the similarity of original and impolite users (Figure 3c)."""

    encoder: Encoder
    max_length: Units = Field(description="longest utterance in word pieces")
    batch_size: Units = Field(description="utterances encoded together")


class DialogueRaters(Section):
    """Raters of dialogue systems (Table VIII), and annotators who rewrite users' words (Figure 4)."""

    systems: Annotated[list[str], Distinct] = Field(
        description="the rated systems, names of `dialogue.systems`; systems with more data `of` these"
        " are rated too"
    )
    dialogues: Positive = Field(description="rewritten dialogues to draw, each with both users")
    raters: Few = Field(description="raters per dialogue")
    rewritten: Positive = Field(description="training dialogues on the annotators' page")
    ratings: GivenFolder | None = Field(
        description="folder with the raters' files, whose names begin with `en`; `null`: simulated for the"
        " demo's dialogues, otherwise the leaf has no numbers"
    )


class Dialogue(Section):
    """Task-oriented dialogue systems and impolite users (Hu et al., 2022)."""

    folds: Annotated[list[Literal["train", "dev", "test"]], Field(min_length=1), Distinct] = Field(
        description="folds whose rewritten dialogues are the original and the impolite ones of Table VII; the"
        " paper uses all, including those its systems were trained on"
    )
    analysed: str | None = Field(
        description="the system shown in Figure 3, a name of `systems`; `null`: the figure is empty"
    )
    similarity: Similarity
    raters: DialogueRaters
    rows: Rows = Field(
        description="the systems shown as rows of Tables VI and VII and the related leaves (Tables VIII to X,"
        " Figures 1 and 3); all if not given. It does not set their order. No other system is trained or"
        " answers"
    )
    systems: dict[Name, AnyResponder] = Field(description="the systems by name: rows of Tables VI and VII")

    def check_systems(self) -> None:
        """Check settings across systems (labels, names, sizes); ValueError for the first mistake."""
        check_known("dialogue.analysed", [self.analysed], self.systems)
        if problem := self.similarity.encoder.problem("dialogue.similarity.encoder"):
            raise ValueError(problem)
        if self.similarity.encoder.kind in ("sentences", "scratch"):
            raise ValueError("dialogue.similarity.encoder.kind: give hub, package, folder or ngrams")
        check_known("dialogue.raters.systems", self.raters.systems, self.systems)
        check_known("dialogue.rows", self.rows, self.systems)
        check_labels("dialogue.systems", {name: system.label for name, system in self.systems.items()})
        for name, one in self.systems.items():
            place = f"dialogue.systems.{name}"
            if isinstance(one, Augmented):
                if not isinstance(self.systems.get(one.of), OfLanguageModel | Recurrent):
                    raise ValueError(
                        f"{place}.of: no system '{one.of}' of kind causal, encoder_decoder or recurrent"
                    )
                if "train" in self.folds:
                    raise ValueError(f"dialogue.folds: '{name}' is trained on the rewrites of train")
            elif isinstance(one, Recurrent) and (one.template, one.network.copying) == ("labes", "released"):
                raise ValueError(f"{place}.network.copying: 'released' is DAMD's, LABES has 'paper'")
            elif isinstance(one, Prompted) and one.model.kind == "gguf":
                raise ValueError(
                    f"{place}.model.kind: gguf is not possible here; serve the file as an endpoint"
                )
            problem = one.problem(place) if isinstance(one, Released) else ""
            if isinstance(one, OfLanguageModel):
                problem = one.model.problem(f"{place}.model")
            if problem:
                raise ValueError(problem)
