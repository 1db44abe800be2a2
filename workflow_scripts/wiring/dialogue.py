"""Dialogue systems: their kinds, inputs, outputs and options (the section `dialogue`)."""

from typing import Any

from workflow_scripts.config.dialogue import (
    AnyResponder,
    Augmented,
    OfLanguageModel,
    OwnResponses,
    Pretrained,
    Prompted,
    Released,
)
from workflow_scripts.wiring.corpora import Corpora
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.run import Run, Wildcards, of_kind
from workflow_scripts.wiring.words import one_of, words

IMPOLITE_PARTS = {
    "original": "build/corpora/impolite/original.jsonl",
    "rewritten": "build/corpora/impolite/impolite.jsonl",
}


def source_of(model: Pretrained) -> list[str]:
    """The source of the pretrained model that a training starts from, as options."""
    return words({key: getattr(model, key) for key in ("kind", "checkpoint", "revision", "path")})


class Dialogue:
    """The dialogue systems of a run."""

    def __init__(self, run: Run, corpora: Corpora, models: LanguageModels) -> None:
        """Collect the systems and rows; without rewritten dialogues, no system has further training data."""
        self.run, self.corpora, self.models = run, corpora, models
        self.settings, self.impolite = run.settings.dialogue, run.settings.corpora.impolite
        # The sets of dialogues that systems answer: with polite users, and rewritten with impolite users.
        self.sets = ["polite"] if self.impolite == "none" else ["polite", "impolite"]
        self.systems: dict[str, AnyResponder] = {
            name: one
            for name, one in self.settings.systems.items()
            if not isinstance(one, Augmented) or "impolite" in self.sets
        }
        # The names of the rows, in their order.
        rows, raters = self.settings.rows, self.settings.raters
        self.rows = [name for name in self.systems if rows is None or name in rows]
        # The rows that raters see, if there are rewritten dialogues; simulated raters know only the demo's.
        self.rated = [
            name for name in self.rows if "impolite" in self.sets and self.base(name) in raters.systems
        ]
        self.simulated = raters.ratings is None and self.impolite == "demo"
        self.ratings = raters.ratings or "build/human/en/dialogues/simulated"

    def base(self, name: str) -> str:
        """The base of a system with additional training data; for any other system, its own name."""
        own = self.systems[name]
        return own.of if isinstance(own, Augmented) else name

    def _pretrained(self, wildcards: Wildcards) -> Pretrained:
        return of_kind(self.trained(wildcards), OfLanguageModel).model

    def trained(self, wildcards: Wildcards) -> AnyResponder:
        """The settings with which a job's system is trained: those of its base if it has additional data."""
        return self.systems[self.base(wildcards.system)]

    def seeds(self, name: str) -> list[int]:
        """The seeds of a system's trainings, by default the seed of the run."""
        return getattr(self.systems[self.base(name)], "seeds", None) or [self.run.settings.seed]

    def seed(self, wildcards: Wildcards) -> int:
        """The seed of a training; the files of the first training have no number, the others are numbered."""
        return self.seeds(wildcards.system)[int(wildcards.training.removeprefix(".run") or 0)]

    def responses(self, name: str, users: str, training: int = 0) -> str:
        """The file of a system's responses to a set of dialogues, by default from its first training."""
        number = f".run{training}" if training else ""
        return f"build/responders/{name}{number}/{users}.json"

    def all_responses(self) -> list[str]:
        """The response files of all rows."""
        return [path for row in self.listed_responses() for path in row[2:] if path != "-"]

    def listed_responses(self) -> list[list[str]]:
        """The rows of the manifest of responses, one per training; `-` stands for a missing value."""
        return [
            [name, of, *([self.responses(name, users, number) for users in self.sets] + ["-"])[:2]]
            for name in self.rows
            for of in [self.base(name) if isinstance(self.systems[name], Augmented) else "-"]
            for number in range(len(self.seeds(name)))
        ]

    def own_responses(self, wildcards: Wildcards) -> list[str]:
        """The file of responses that a user provides for a system and a set."""
        system = of_kind(self.systems[wildcards.system], OwnResponses)
        named = {system.path.format(set=users): "" for users in self.sets}
        needed = {system.path.format(set=wildcards.users): ""}
        return self.run.files(f"dialogue.systems.{wildcards.system}.path", needed, named)

    def further(self, wildcards: Wildcards) -> list[str]:
        """The rewritten training dialogues that an augmented system is trained on in addition to MultiWOZ's.

        If style transfer made the whole impolite corpus, they are the training dialogues of that corpus.
        """
        system = self.systems[wildcards.system]
        if not isinstance(system, Augmented):
            return []
        transferred = system.data == "transfer" and self.impolite != "transfer"
        return [
            "build/users/augmentation.jsonl" if transferred else "build/dialogue/augmentation/impolite.jsonl"
        ]

    def further_option(self, wildcards: Wildcards) -> list[str]:
        """The additional training dialogues as an option."""
        return words({"further": self.further(wildcards) or None})

    def of_kinds(self, *kinds: str) -> str:
        """A wildcard pattern for the systems of some kinds, including those with additional training data."""
        return one_of(name for name in self.systems if self.systems[self.base(name)].kind in kinds)

    def checkpoint(self, wildcards: Wildcards) -> list[str]:
        """The pretrained model that a system is trained from, unless it starts from scratch."""
        if self._pretrained(wildcards).kind == "scratch":
            return []
        return [f"build/responders/{self.base(wildcards.system)}/checkpoint"]

    def initial_option(self, wildcards: Wildcards) -> list[str]:
        """The pretrained model as an option."""
        return words({"initial": next(iter(self.checkpoint(wildcards)), None)})

    def source(self, wildcards: Wildcards) -> list[str]:
        """The source of the pretrained model as options."""
        return source_of(self._pretrained(wildcards))

    def options(self, wildcards: Wildcards, **sections: str) -> list[str]:
        """A system's kind, its template, and some of its sections, renamed to the options of a command."""
        system = self.trained(wildcards)
        named: dict[str, Any] = {} if system.kind == "recurrent" else {"kind": system.kind}
        if isinstance(system, Released):
            named = {"kind": "causal" if system.template == "augpt" else "encoder_decoder"}
        sections = {"template": "template", **sections}
        return words(named | {name: getattr(system, section) for name, section in sections.items()})

    def archive(self, wildcards: Wildcards) -> list[str]:
        """The archive with a released system's weights, if they are not from the hub."""
        name = of_kind(self.systems[wildcards.system], Released).archive
        return [self.corpora.path(row) for row in self.run.registry if row.id == name]

    def released_options(self, wildcards: Wildcards) -> list[str]:
        """The source of a released system and its template."""
        system = of_kind(self.systems[wildcards.system], Released)
        given = {key: getattr(system, key) for key in ("template", "checkpoint", "revision")}
        return words({**given, "archive": next(iter(self.archive(wildcards)), None)})

    def asked_input(self, wildcards: Wildcards) -> dict[str, str]:
        """The input of a prompted system: the prompts, and the files of the model."""
        system = of_kind(self.systems[wildcards.system], Prompted)
        setting = f"dialogue.systems.{wildcards.system}"
        needed = {
            name: self.run.file(f"{setting}.{name}", getattr(system, name), f"resources/prompts/{name}.txt")
            for name in ("state", "response")
        }
        return needed | self.models.input(system.model)

    def asked_options(self, wildcards: Wildcards) -> list[str]:
        """The language model of a prompted system, its examples and its switches."""
        system = of_kind(self.systems[wildcards.system], Prompted)
        return words(
            {key: getattr(system, key) for key in ("model", "examples", "history", "oracle_booking")}
        )
