"""The transfer of users' words: its systems, their inputs and those of the judges (section `style`)."""

from workflow_scripts.config.pretrained import Pretrained
from workflow_scripts.config.style import AnyRewriter, Asked, OwnRewrites, Sequence
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.run import Run, Wildcards, of_kind
from workflow_scripts.wiring.words import one_of, words

USERS_FOLDER = "build/users"
LEARNT = [f"{USERS_FOLDER}/pairs/learnt.{side}.txt" for side in ("polite", "impolite")]
LEARNT_WORDS = f"{USERS_FOLDER}/pairs/learnt.words.txt"


class Users:
    """The systems of a run that rewrite users' words."""

    def __init__(self, run: Run, models: LanguageModels) -> None:
        """Collect the systems; without rewritten dialogues, at most one system, which makes them."""
        self.run, self.models, self.settings = run, models, run.settings.style
        impolite = run.settings.corpora.impolite
        self.people_rewrote = impolite not in ("none", "transfer")
        self.made_by = self.settings.corpus.by if impolite == "transfer" else None
        self.systems: dict[str, AnyRewriter] = {
            name: one
            for name, one in self.settings.systems.items()
            if self.people_rewrote or name == self.made_by
        }
        # The names of Table V's rows, in their order.
        rows = self.settings.rows
        self.rows = [name for name in self.systems if rows is None or name in rows]
        # The texts for the judges, by the names of Table V's rows: the systems, and people and no change
        # beside them.
        self.texts = {
            "original": f"{USERS_FOLDER}/pairs/tested.polite.txt",
            "people": f"{USERS_FOLDER}/pairs/tested.impolite.txt",
            **{name: f"{USERS_FOLDER}/{name}/tested.txt" for name in self.rows},
        }
        # The training texts: of each system, and of the model for PPL.
        self.starts: dict[str, Pretrained] = {
            **{name: one.model for name, one in self.systems.items() if isinstance(one, Sequence)},
            "fluency": self.settings.fluency.model,
        }

    def of_kinds(self, *kinds: str) -> str:
        """A pattern for the systems of some kinds."""
        return one_of(name for name, one in self.systems.items() if one.kind in kinds)

    def own_rewrites(self, wildcards: Wildcards) -> list[str]:
        """The file of rewrites of a user's own system."""
        system = of_kind(self.systems[wildcards.rewriter], OwnRewrites)
        return self.run.files(f"style.systems.{wildcards.rewriter}.path", {system.path: ""})

    def asked_input(self, wildcards: Wildcards) -> dict[str, str]:
        """The files that define a request to a language model: the template, and its own files."""
        system = of_kind(self.systems[wildcards.rewriter], Asked)
        setting, default = f"style.systems.{wildcards.rewriter}.template", "resources/prompts/impolite.txt"
        template = {"template": self.run.file(setting, system.template, default)}
        return template | self.models.input(system.model)

    def asked_options(self, wildcards: Wildcards) -> list[str]:
        """The language model, its examples, if people have written any, and its template's words for them."""
        system = of_kind(self.systems[wildcards.rewriter], Asked)
        pairs = {"informal": LEARNT[0], "formal": [LEARNT[1]]} if self.people_rewrote else {}
        examples = system.examples if self.people_rewrote else 0
        sides = ["polite", "impolite"]
        return words({"model": system.model, "examples": examples, "sides": sides, **pairs})

    def options(self, wildcards: Wildcards, *keys: str, **sections: str) -> list[str]:
        """Some settings of a job's system, and others under the names of a command's options."""
        system = self.systems[wildcards.rewriter]
        named = {**{key: key for key in keys}, **sections}
        return words({name: getattr(system, key) for name, key in named.items()})

    def training(self, wildcards: Wildcards) -> list[str]:
        """The settings and data for training a language model that rewrites."""
        system = of_kind(self.systems[wildcards.rewriter], Sequence)
        given = {"kind": system.kind, "prompt": system.prompt, "start": system.model}
        initial = next(iter(self.checkpoint(wildcards.rewriter)), None)
        return words({**given, "course": system.training, "initial": initial})

    def checkpoint(self, name: str) -> list[str]:
        """The checkpoint of a model that is not from scratch."""
        return [] if self.starts[name].kind == "scratch" else [f"{USERS_FOLDER}/checkpoints/{name}"]

    def fluency_model(self) -> str:
        """The language model behind PPL: trained here, or pretrained."""
        return (self.checkpoint("fluency") or [f"{USERS_FOLDER}/fluency"])[0]
