"""Rows of pretrained models: encoder-decoders, fine-tuned or as they are, and prompted language models."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from workflow_scripts.config.control import Asked
from workflow_scripts.config.control import Finetuned as Translator
from workflow_scripts.config.pretrained import FineTuned
from workflow_scripts.config.systems import Finetuned as Rewriter
from workflow_scripts.config.systems import Prompted
from workflow_scripts.text.levels import LEVELS, SHARED_TASKS, TRAIN_DOMAINS, WITH_SEGMENTS, language_of
from workflow_scripts.wiring.control import TARGET_NAMES, TUNED_MODEL, Control
from workflow_scripts.wiring.corpora import STYLES
from workflow_scripts.wiring.dialogue import source_of
from workflow_scripts.wiring.run import Run, Wildcards, checkpoint_files, of_kind
from workflow_scripts.wiring.systems import SYSTEM, TRANSLATED_GYAFC, Systems
from workflow_scripts.wiring.words import words

# A pattern for the end of the names of folders of checkpoints: empty, or a language after a dot.
OF_LANGUAGE = r"(?:\.[a-z]+)?"
# The names of the languages of shared tasks, for prompts.
SHARED_NAMES = {"ko": "Korean", "pt": "European Portuguese", "ru": "Russian", "vi": "Vietnamese"}
Tuned = TypeVar("Tuned", bound=FineTuned)


class Pretrained(ABC, Generic[Tuned]):
    """The checkpoints of both kinds of rows, and their options of training and decoding."""

    def __init__(self, run: Run, setting: str, folder: str) -> None:
        """`setting`: the place of the systems in the configuration; `folder`: of their checkpoints."""
        self.run, self.setting, self.folder = run, setting, folder

    @abstractmethod
    def finetuned(self, wildcards: Wildcards) -> Tuned:
        """The settings of a job's fine-tuned system."""

    @abstractmethod
    def languages(self, wildcards: Wildcards) -> Mapping[str, str]:
        """The languages in which a job's system needs a checkpoint, and their names."""

    @abstractmethod
    def codes(self, wildcards: Wildcards) -> dict[str, str | None]:
        """The tokens for the languages of a job's sources and targets, as options."""

    def checkpoint(self, wildcards: Wildcards) -> list[str]:
        """The folder of the checkpoint from which a system starts in a language; none from scratch.

        That of a language has its code after a dot.
        """
        model, folder = self.finetuned(wildcards).model, f"{self.folder}/{wildcards.system}"
        if model.kind == "scratch":
            return []
        return [f"{folder}.{language_of(wildcards.lang)}" if model.by_language else folder]

    def given_checkpoint(self, wildcards: Wildcards) -> list[str]:
        """The files of the user's folder for a system, or for its language, from which it starts.

        If a folder of a language is missing, the run stops, also a dry run, and all missing ones are listed.
        """
        model, lang = self.finetuned(wildcards).model, wildcards.ending.removeprefix(".")
        path = model.path
        if model.kind != "folder" or path is None:
            return []
        if not lang:
            return [path] if self.run.makes(path) else checkpoint_files(path)
        languages = self.languages(wildcards)
        others = {path.replace("{lang}", code): name for code, name in languages.items()}
        setting = f"{self.setting}.{wildcards.system}.model.path"
        return self.run.folder(setting, path.replace("{lang}", lang), languages.get(lang, lang), others)

    def checkpoint_source(self, wildcards: Wildcards) -> list[str]:
        """The source of the checkpoint from which a fine-tuned system starts, as options."""
        model, lang = self.finetuned(wildcards).model, wildcards.ending.removeprefix(".")
        path = model.path.replace("{lang}", lang) if model.path else None
        return source_of(model.model_copy(update={"path": path}))

    def _training(self, wildcards: Wildcards, values: list[str], **texts: list[str]) -> list[str]:
        """The options of a training; `values` of the placeholder, for each pair of texts."""
        system = self.finetuned(wildcards)
        return words(
            {
                **{"family": system.family, "start": system.model, "course": system.training},
                **{"lora": system.lora, "initial": next(iter(self.checkpoint(wildcards)), None)},
                **texts,
                "prompts": [system.before.replace(system.placeholder, value) for value in values],
                **self.codes(wildcards),
            }
        )

    def _decoding(self, wildcards: Wildcards, value: str) -> list[str]:
        """The options of decoding with a value of the placeholder."""
        system, model = self.finetuned(wildcards), self.finetuned(wildcards).model
        start = f"{model.checkpoint}@{model.revision[:12]}" if model.kind == "hub" else model.kind
        return words(
            {
                "made": f"{'finetuned' if system.training else 'pretrained'}:{start}",
                **{key: getattr(system, key) for key in ("max_length", "beam_size", "batch_size")},
                "prompt": system.before.replace(system.placeholder, value),
                **self.codes(wildcards),
            }
        )


class Rewriters(Pretrained[Rewriter]):
    """XFORMAL's rows."""

    def __init__(self, systems: Systems) -> None:
        """All systems, of which these are some."""
        super().__init__(systems.run, "systems", "build/transfer/pretrained")
        self.systems = systems

    def finetuned(self, wildcards: Wildcards) -> Rewriter:
        """The settings of a job's fine-tuned system."""
        return of_kind(self.systems.named[wildcards.system], Rewriter)

    def languages(self, wildcards: Wildcards) -> dict[str, str]:
        """The languages of a job's system."""
        known, own = self.run.languages, self.run.settings.languages
        return {code: known[code]["name"] for code in own if self.systems.has(code, wildcards.system)}

    def codes(self, wildcards: Wildcards) -> dict[str, str | None]:
        """Sources and targets are in one language."""
        code = self.finetuned(wildcards).codes.get(wildcards.lang)
        return {"source_code": code, "target_code": code}

    def fine_tuning(self, wildcards: Wildcards) -> list[str]:
        """The settings and texts for fine-tuning a pretrained model in a language, in both directions."""
        sides = [path.format(lang=wildcards.lang) for path in TRANSLATED_GYAFC]
        return self._training(wildcards, [*reversed(STYLES)], sources=sides, targets=sides[::-1])

    def rewriting(self, wildcards: Wildcards) -> list[str]:
        """The settings for decoding with a fine-tuned model."""
        return self._decoding(wildcards, "formal")

    def fine_tuned(self, wildcards: Wildcards) -> str:
        """The model of a run of a fine-tuned system; the checkpoint itself if it is not trained."""
        if self.finetuned(wildcards).training is None:
            return self.checkpoint(wildcards)[0]
        seed = self.systems.seeds_of(wildcards.system)[int(wildcards.run)]
        return f"{SYSTEM.format(**wildcards)}/seed{seed}.model"

    def prompted(self, wildcards: Wildcards) -> Prompted:
        """The settings of a job's system that asks a language model."""
        return of_kind(self.systems.named[wildcards.system], Prompted)

    def asked_input(self, wildcards: Wildcards) -> dict[str, Any]:
        """The files behind requests to a language model: its template, pairs for examples, its own files."""
        system, setting = self.prompted(wildcards), f"systems.{wildcards.system}.prompt"
        needed: dict[str, Any] = {
            "template": self.run.file(setting, system.prompt, "resources/prompts/formal.txt")
        }
        if system.examples:
            dev = f"build/translation/gyafc/{wildcards.lang}/dev"
            needed["informal"] = f"{dev}.informal.txt"
            needed["formal"] = [f"{dev}.formal.ref{i}.txt" for i in self.systems.corpora.dev_references]
        return needed | self.systems.models.input(system.model)

    def asked_options(self, wildcards: Wildcards) -> list[str]:
        """The language model of a system, its examples and its name for the language."""
        system, language = self.prompted(wildcards), self.run.languages[wildcards.lang]["name"]
        return words({"model": system.model, "examples": system.examples, "language": language})

    def asked_examples(self, wildcards: Wildcards, input: Any) -> list[str]:
        """The pairs from which the examples are drawn."""
        if not self.prompted(wildcards).examples:
            return []
        return words({"informal": input.informal, "formal": list(input.formal)})


class Translators(Pretrained[Translator]):
    """CoCoA-MT's rows."""

    def __init__(self, control: Control) -> None:
        """All systems, of which these are some."""
        super().__init__(control.run, "control.systems", "build/control/pretrained")
        self.control = control

    def finetuned(self, wildcards: Wildcards) -> Translator:
        """The settings of a job's fine-tuned system."""
        return of_kind(self.control.systems[wildcards.system], Translator)

    def languages(self, wildcards: Wildcards) -> dict[str, str]:
        """The languages of a job's system."""
        # Where segments of another set are learnt, the model starts from that set's checkpoint.
        tuned = self.finetuned(wildcards).training is not None
        sets: list[str] = [*self.control.settings.languages, *(WITH_SEGMENTS if tuned else SHARED_TASKS)]
        own = [lang for lang in sets if wildcards.system in self.control.systems_in(lang)]
        return {language_of(lang): _name(lang) for lang in own}

    def codes(self, wildcards: Wildcards) -> dict[str, str | None]:
        """The source is English; the target's code is of the test set, or else of its language."""
        system, lang = self.finetuned(wildcards), wildcards.lang
        target = system.codes.get(lang, system.codes.get(language_of(lang)))
        return {"source_code": system.source_code or None, "target_code": target}

    def tuned_translator(self, wildcards: Wildcards) -> str:
        """The fine-tuned model that translates a test set, of its own segments or of another set's.

        The checkpoint itself if it is not trained.
        """
        system = self.finetuned(wildcards)
        if system.training is None:
            return self.checkpoint(wildcards)[0]
        trained = system.segments.get(wildcards.lang, wildcards.lang)
        return f"{TUNED_MODEL}.model".format(system=wildcards.system, lang=trained, run=wildcards.run)

    def training_corpus(self, wildcards: Wildcards) -> str:
        """The folder of the training segments of a language or a test set, in the canonical layout."""
        lang: str = wildcards.lang
        return f"build/corpora/iwslt2023/{lang}" if lang in SHARED_TASKS else f"{self.control.corpus}/{lang}"

    def _segments(self, wildcards: Wildcards, *kinds: str) -> list[str]:
        """The files of the training segments of some kinds, such as `en`."""
        train = f"{self.training_corpus(wildcards)}/train"
        return [f"{train}.{domain}.{kind}.txt" for kind in kinds for domain in TRAIN_DOMAINS]

    def fine_tuning(self, wildcards: Wildcards) -> list[str]:
        """The settings and texts for fine-tuning a pretrained model: each segment at both levels."""
        values: list[str] = [level for level in LEVELS for _ in TRAIN_DOMAINS]
        sources = self._segments(wildcards, "en") * len(LEVELS)
        return self._training(wildcards, values, sources=sources, targets=self._segments(wildcards, *LEVELS))

    def translating(self, wildcards: Wildcards) -> list[str]:
        """The settings for translating with a fine-tuned model, at a level or for both."""
        return self._decoding(wildcards, wildcards.get("level", ""))

    def asked_input(self, wildcards: Wildcards) -> dict[str, str]:
        """The input of a prompted system: the template of the level, examples, the files of the model."""
        system = of_kind(self.control.systems[wildcards.system], Asked)
        own = f"{system.prompts}/{wildcards.level}.txt" if system.prompts else None
        setting = f"control.systems.{wildcards.system}.prompts"
        default = f"resources/prompts/translate/{wildcards.level}.txt"
        needed = {"template": self.run.file(setting, own, default)}
        if system.examples:
            needed["pairs"] = self.training_corpus(wildcards)
        return needed | self.control.models.input(system.model)

    def asked_options(self, wildcards: Wildcards) -> list[str]:
        """The language model, its examples, and the template's names for their sides and for the language."""
        system = of_kind(self.control.systems[wildcards.system], Asked)
        pairs = {
            "informal": self._segments(wildcards, "en"),
            "formal": self._segments(wildcards, wildcards.level),
        }
        return words(
            {
                "model": system.model,
                "examples": system.examples,
                "language": _name(wildcards.lang),
                "sides": ["english", "translation"],
                **(pairs if system.examples else {}),
            }
        )


def _name(lang: str) -> str:
    """The language of a test set in English."""
    return TARGET_NAMES.get(lang) or SHARED_NAMES[language_of(lang)]
