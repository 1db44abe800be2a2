"""Dialogue systems: which there are, what each is made of and writes (the section `dialogue`)."""

from __future__ import annotations

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
    """Where a model that a training starts from can be had."""
    return words({key: getattr(model, key) for key in ("kind", "checkpoint", "revision", "path")})


class Dialogue:
    """The dialogue systems of a run."""

    def __init__(self, run: Run, corpora: Corpora, models: LanguageModels) -> None:
        """Which there are, and which are rows; without rewritten dialogues none has more training data."""
        self.run, self.corpora, self.models = run, corpora, models
        self.settings, self.impolite = run.settings.dialogue, run.settings.corpora.impolite
        # The sets of dialogues that systems answer: with polite users, and the same with impolite ones.
        self.sets = ["polite"] if self.impolite == "none" else ["polite", "impolite"]
        self.systems: dict[str, AnyResponder] = {
            name: one
            for name, one in self.settings.systems.items()
            if not isinstance(one, Augmented) or "impolite" in self.sets
        }
        # The names of the rows, in their order.
        rows, raters = self.settings.rows, self.settings.raters
        self.rows = [name for name in self.systems if rows is None or name in rows]
        # What raters see, if there are rewritten dialogues; simulated raters know the demo's dialogues.
        self.rated = [
            name for name in self.rows if "impolite" in self.sets and self.base(name) in raters.systems
        ]
        self.simulated = raters.ratings is None and self.impolite == "demo"
        self.ratings = raters.ratings or "build/human/en/dialogues/simulated"

    def base(self, name: str) -> str:
        """The system that one with more training data is; any other is itself."""
        own = self.systems[name]
        return own.of if isinstance(own, Augmented) else name

    def _pretrained(self, wildcards: Wildcards) -> Pretrained:
        return of_kind(self.trained(wildcards), OfLanguageModel).model

    def trained(self, wildcards: Wildcards) -> AnyResponder:
        """The settings with which a job's system is trained: with more data, those of its base."""
        return self.systems[self.base(wildcards.system)]

    def seeds(self, name: str) -> list[int]:
        """The seeds of a system's trainings: by default the run's."""
        return getattr(self.systems[self.base(name)], "seeds", None) or [self.run.settings.seed]

    def seed(self, wildcards: Wildcards) -> int:
        """The seed of a training: of the first one, whose files have no number, or of that with a number."""
        return self.seeds(wildcards.system)[int(wildcards.training.removeprefix(".run") or 0)]

    def responses(self, name: str, users: str, training: int = 0) -> str:
        """The file of a system's responses to a set, by its first training or by another one."""
        number = f".run{training}" if training else ""
        return f"build/responders/{name}{number}/{users}.json"

    def all_responses(self) -> list[str]:
        """The files of the responses of all rows."""
        return [path for row in self.listed_responses() for path in row[2:] if path != "-"]

    def listed_responses(self) -> list[list[str]]:
        """The rows of the manifest of responses, one for each training; `-` for what is not there."""
        return [
            [name, of, *([self.responses(name, users, number) for users in self.sets] + ["-"])[:2]]
            for name in self.rows
            for of in [self.base(name) if isinstance(self.systems[name], Augmented) else "-"]
            for number in range(len(self.seeds(name)))
        ]

    def own_responses(self, wildcards: Wildcards) -> list[str]:
        """The file of responses of a system of one's own to a set."""
        system = of_kind(self.systems[wildcards.system], OwnResponses)
        named = {system.path.format(set=users): "" for users in self.sets}
        needed = {system.path.format(set=wildcards.users): ""}
        return self.run.files(f"dialogue.systems.{wildcards.system}.path", needed, named)

    def further(self, wildcards: Wildcards) -> list[str]:
        """Rewritten training dialogues, on which a system with more data is trained besides MultiWOZ's.

        Where a transfer has written the whole impolite corpus, its training dialogues are those.
        """
        system = self.systems[wildcards.system]
        if not isinstance(system, Augmented):
            return []
        transferred = system.data == "transfer" and self.impolite != "transfer"
        return [
            "build/users/augmentation.jsonl" if transferred else "build/dialogue/augmentation/impolite.jsonl"
        ]

    def further_option(self, wildcards: Wildcards) -> list[str]:
        """The same as an option."""
        return words({"further": self.further(wildcards) or None})

    def of_kinds(self, *kinds: str) -> str:
        """A pattern for the systems of some kinds, and those that are them with more training data."""
        return one_of(name for name in self.systems if self.systems[self.base(name)].kind in kinds)

    def checkpoint(self, wildcards: Wildcards) -> list[str]:
        """The model that a system is trained from, if it is not from scratch, the same with more data."""
        if self._pretrained(wildcards).kind == "scratch":
            return []
        return [f"build/responders/{self.base(wildcards.system)}/checkpoint"]

    def initial_option(self, wildcards: Wildcards) -> list[str]:
        """The same as an option."""
        return words({"initial": next(iter(self.checkpoint(wildcards)), None)})

    def source(self, wildcards: Wildcards) -> list[str]:
        """Where that model is from."""
        return source_of(self._pretrained(wildcards))

    def options(self, wildcards: Wildcards, **sections: str) -> list[str]:
        """A system's kind and format, and some of its sections under the names of a command's options."""
        system = self.trained(wildcards)
        named: dict[str, Any] = {} if system.kind == "recurrent" else {"kind": system.kind}
        if isinstance(system, Released):
            named = {"kind": "causal" if system.template == "augpt" else "encoder_decoder"}
        sections = {"template": "template", **sections}
        return words(named | {name: getattr(system, section) for name, section in sections.items()})

    def archive(self, wildcards: Wildcards) -> list[str]:
        """The archive with a released system's weights, if they are not of the hub."""
        name = of_kind(self.systems[wildcards.system], Released).archive
        return [self.corpora.path(row) for row in self.run.registry if row.id == name]

    def released_options(self, wildcards: Wildcards) -> list[str]:
        """Where a released system is from, and its format."""
        system = of_kind(self.systems[wildcards.system], Released)
        given = {key: getattr(system, key) for key in ("template", "checkpoint", "revision")}
        return words({**given, "archive": next(iter(self.archive(wildcards)), None)})

    def asked_input(self, wildcards: Wildcards) -> dict[str, str]:
        """What a language model is asked with: the prompts, and its own files."""
        system = of_kind(self.systems[wildcards.system], Prompted)
        setting = f"dialogue.systems.{wildcards.system}"
        needed = {
            name: self.run.file(f"{setting}.{name}", getattr(system, name), f"resources/prompts/{name}.txt")
            for name in ("state", "response")
        }
        return needed | self.models.input(system.model)

    def asked_options(self, wildcards: Wildcards) -> list[str]:
        """The language model of a system, its examples and its switches."""
        system = of_kind(self.systems[wildcards.system], Prompted)
        return words(
            {key: getattr(system, key) for key in ("model", "examples", "history", "oracle_booking")}
        )
