"""Transfer of users' words from polite to impolite, and its evaluation (Hu et al., 2022, Section IV-B)."""

from typing import Annotated, Literal

from pydantic import Field

from workflow_scripts.config.encoder import FineTuned
from workflow_scripts.config.pretrained import Course, Pretrained
from workflow_scripts.config.prompted import Model
from workflow_scripts.config.systems import Label
from workflow_scripts.config.values import (
    Folder,
    Many,
    Name,
    Positive,
    Rate,
    Rows,
    Section,
    Share,
    Some,
    Units,
    check_known,
    check_labels,
)


class Rewriter(Section):
    """The settings of every row of Table V that a system wrote."""

    label: Label = Field(description="name of its row; no two systems have the same")


class Sequence(Rewriter):
    """A language model that learns to rewrite: rows of Table V, with the paper's names."""

    kind: Literal["t5", "bart"] = Field(
        description="T5's kind or BART's, which differ where the model is from scratch"
    )
    prompt: str = Field(description="a prefix of each utterance; may be empty")
    model: Pretrained
    training: Course
    max_length: Units = Field(description="tokens of an utterance and of a rewrite at most")
    batch_size: Units = Field(description="utterances that are rewritten together")


class Asked(Rewriter):
    """A language model that is prompted to rewrite, with examples; the paper has none."""

    kind: Literal["prompted"]
    model: Model = Field(description="the language model")
    template: Folder | None = Field(
        default=None,
        description="file with the template of the prompt, from the working directory; if not given,"
        " `resources/prompts/impolite.txt`",
    )
    examples: Some = Field(
        default=4, description="rewritten utterances of training dialogues in the prompt, drawn with the seed"
    )


class DastNetwork(Section):
    """DAST's auto-encoder and its two discriminators."""

    vocabulary_size: Many = Field(description="words; others are unknown")
    embedding: Units = Field(description="units of a word")
    style: Units = Field(description="units of a style's vector, in the decoder's first state")
    domain: Units = Field(description="units of a domain's vector there")
    content: Units = Field(description="units of the content there; each GRU has the sum of the three")
    dropout: Share = Field(description="dropout of the input and output of GRUs, and of the discriminators")
    filters: Units = Field(
        description="filters of each width of a discriminator, which are 1 to 5 words wide"
    )


class DastCourse(Course):
    """The training of DAST: by Adam, with batches that have equally many texts of each domain."""

    pretraining: Positive = Field(
        description="the number of `epochs` in which the auto-encoder and the discriminators are trained"
        " separately; after them the auto-encoder alone learns, from both losses"
    )
    adversarial: Rate = Field(description="weight of the discriminators' loss")
    temperature: Rate = Field(
        description="of the Gumbel softmax through which they read transferred sentences"
    )


class Dast(Rewriter):
    """DAST (Li et al., 2019), which learns from two non-parallel domains: users' words, and requests."""

    kind: Literal["dast"]
    network: DastNetwork
    training: DastCourse
    max_length: Units = Field(description="words of an utterance that are read and written at most")
    batch_size: Units = Field(description="utterances that are rewritten together")


class ByRules(Rewriter):
    """Rules that make words impolite without learning; the paper has none."""

    kind: Literal["rules"]


class OwnRewrites(Rewriter):
    """Any system whose rewrites are given in a file."""

    kind: Literal["outputs"]
    path: Folder = Field(
        description="text file with a rewrite per line, line by line with"
        " `build/users/pairs/tested.polite.txt`, from the working directory"
    )


AnyRewriter = Annotated[Sequence | Dast | Asked | ByRules | OwnRewrites, Field(discriminator="kind")]
# Rows of Table V that no system wrote.
OTHER_ROWS = ("original", "people")


class Judge(FineTuned):
    """The classifier of impolite utterances behind ACC."""


class Fluency(Section):
    """The language model behind PPL; one that is not from scratch is not trained."""

    model: Pretrained
    training: Course
    window: Positive = Field(description="tokens that it reads at once, of all utterances joined")
    stride: Positive = Field(description="tokens by which the window moves on")
    batch_size: Units = Field(description="windows or utterances that are read together")


class MadeCorpus(Section):
    """Dialogues rewritten by a system, if people have rewritten none (`corpora.impolite: transfer`)."""

    by: str = Field(description="the system, a name of `systems` of kind `rules` or `prompted`")
    train: Positive = Field(description="training dialogues that are drawn with the seed; all if more")
    test: Positive = Field(description="test dialogues")


class Style(Section):
    """Systems that rewrite users' words, their judges, and the system that makes further training data."""

    rewriter: str = Field(
        description="the system whose rewrites are the further training data of `kind: augmented` with"
        " `data: transfer`, a name of `systems`; the paper's is T5-large"
    )
    corpus: MadeCorpus
    judge: Judge
    second_judge: str | None = Field(
        description="a second judge beside ACC, which has not seen dialogues: a classifier of polite and"
        " impolite requests, a name of `politeness.classifiers` that has inputs; `null`: none"
    )
    fluency: Fluency
    rows: Rows = Field(
        description="the systems that are rows of Table V, beside people and no change; all if not given. It"
        " does not order them; another system is trained only where its rewrites train a dialogue system"
    )
    systems: dict[Name, AnyRewriter] = Field(description="the systems by name: rows of Table V")

    def check(self) -> None:
        """Check settings across systems; ValueError for a mistake."""
        check_known("style.rewriter", [self.rewriter], self.systems)
        if isinstance(self.systems[self.rewriter], OwnRewrites):
            raise ValueError(f"style.rewriter: '{self.rewriter}' has rewrites of tested dialogues only")
        by = self.corpus.by
        check_known("style.corpus.by", [by], self.systems)
        if isinstance(self.systems[by], Sequence | Dast):
            raise ValueError(f"style.corpus.by: '{by}' learns from people's rewrites; give rules or prompted")
        if isinstance(self.systems[by], OwnRewrites):
            raise ValueError(f"style.corpus.by: '{by}' has rewrites of tested dialogues only")
        check_known("style.rows", self.rows, self.systems)
        if taken := sorted(self.systems.keys() & OTHER_ROWS):
            raise ValueError(f"style.systems.{taken[0]}: another row of Table V has this name")
        others = dict.fromkeys(OTHER_ROWS, "a text that no system wrote")
        check_labels("style.systems", {name: one.label for name, one in self.systems.items()}, others)
        for name, one in self.systems.items():
            if isinstance(one, Dast) and one.training.pretraining > one.training.epochs:
                raise ValueError(f"style.systems.{name}.training.pretraining: more than training.epochs")
        models = {
            f"systems.{name}": one.model for name, one in self.systems.items() if isinstance(one, Sequence)
        }
        for place, model in {**models, "fluency": self.fluency.model}.items():
            if problem := model.problem(f"style.{place}.model"):
                raise ValueError(problem)
        if problem := self.judge.encoder.problem("style.judge.encoder"):
            raise ValueError(problem)
        if self.judge.encoder.kind == "sentences":
            raise ValueError("style.judge.encoder.kind: 'sentences' is for politeness.classifiers only")
        if self.fluency.stride >= self.fluency.window:
            raise ValueError("style.fluency.stride: not smaller than style.fluency.window")
