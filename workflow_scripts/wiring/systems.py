"""XFORMAL's systems: the files of their outputs and scores, and the files from which they are made."""

import math
import os
from collections.abc import Callable
from typing import Any

from workflow_scripts.config.systems import (
    AnySystem,
    BackTranslate,
    MultiTask,
    OtherInput,
    Outputs,
    System,
    Tagged,
    TranslateTrainTag,
    UnsupervisedSystem,
)
from workflow_scripts.core.errors import stop
from workflow_scripts.statistics.metrics import SCORERS
from workflow_scripts.wiring.corpora import STYLES, Corpora
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.run import Run, Wildcards, of_kind
from workflow_scripts.wiring.scorers import Scorers, folder_of
from workflow_scripts.wiring.words import one_of, words

PAIRS = "build/transfer/{lang}/translate_train"
SYSTEM = "build/transfer/{lang}/{system}"
UNSUPERVISED_SYSTEM = "build/unsupervised/{lang}/{system}"
TRANSLATED_GYAFC = [f"build/translation/gyafc/{{lang}}/train.{style}.txt" for style in STYLES]
# The outputs of a system by its name and run.
Runs = list[tuple[str, str, str]]
# The training data of a system: (label in Table 6, corpus, files).
TrainingFiles = list[tuple[str, str, list[str]]]


class Systems:
    """The systems of a run; a row may need the output or the models of a system that is not a row."""

    def __init__(self, run: Run, corpora: Corpora, models: LanguageModels) -> None:
        """Collect the systems and the rows among them."""
        self.run, self.settings, self.corpora, self.models = run, run.settings, corpora, models
        self.scorers = Scorers(run, models)
        self.named: dict[str, AnySystem] = dict(run.settings.systems)
        # The names of the rows in order, which the leaves show.
        self.rows = run.settings.in_rows()
        copying = run.settings.transfer.copying
        # Whether there is a copying model, from which the others start, and the text on which it is trained.
        self.copying = copying is not None
        self.copied = ["build/filtering/opensubtitles/{lang}/copying.train.{lang}.txt.gz"] if copying else []
        # The training data of a system by kind. Other kinds are not trained.
        self.training_files: dict[str, Callable[[Any], TrainingFiles]] = {
            "translate_train_tag": self.tagged_files,
            "multi_task": _multi_task_files,
            "backtranslate": lambda system: [
                (system.label, "gyafc", TRANSLATED_GYAFC),
                (system.label, "opensubtitles", ["build/transfer/{lang}/{system}/synthetic.tsv"]),
            ],
            "unsupervised": _unsupervised_files,
            "finetuned": lambda system: (
                [(system.label, "gyafc", TRANSLATED_GYAFC)] if system.training else []
            ),
        }

    def of_kinds(self, *kinds: str) -> str:
        """A pattern for the systems of some kinds."""
        return one_of(name for name, system in self.named.items() if system.kind in kinds)

    def where(self, holds: Callable[[str], Any]) -> str:
        """A pattern for the systems that satisfy a condition."""
        return one_of(filter(holds, self.named))

    def trained_by(self, trainer: str) -> str:
        """A pattern for the systems whose models a trainer makes."""
        return self.where(lambda name: self.named[name].trainer == trainer)

    def decoded_by(self, trainer: str) -> str:
        """A pattern for the systems whose outputs come from such models, maybe those of another system."""
        return self.where(lambda name: self.named[self.decoder(name)].trainer == trainer)

    def has(self, lang: str, system: str) -> bool:
        """Whether a system exists in a language: some exist only in French."""
        own = self.named[system].languages
        return own is None or lang in own

    def rows_in(self, lang: str) -> list[str]:
        """The rows of a language."""
        return [name for name in self.rows if self.has(lang, name)]

    def scored_in(self, lang: str) -> list[str]:
        """The systems that are scored: the rows, and the baseline for the significance tests."""
        scored = {*self.rows, self.settings.evaluation.baseline}
        return [name for name in self.named if name in scored and self.has(lang, name)]

    def runs(self, lang: str, system: str) -> list[str]:
        """The outputs of a system: one per reference set (GOLD STANDARD), or per seed (kinds with reruns)."""
        own = self.named[system]
        count = len(self.seeds_of(system)) if own.reruns else 1
        if own.kind == "gold":
            count = len(self.corpora.references)
        stage = "unsupervised" if own.trainer == "unsupervised" else "transfer"
        return [f"build/{stage}/{lang}/{system}/run{run}.txt" for run in range(count)]

    def scored_runs(self, lang: str) -> Runs:
        """The runs of all scored systems of a language: (system, run, output file)."""
        return [
            (system, os.path.basename(path).removesuffix(".txt"), path)
            for system in self.scored_in(lang)
            for path in self.runs(lang, system)
        ]

    def outputs_in(self, lang: str) -> list[str]:
        """The output files of all scored systems of a language."""
        return [path for *_, path in self.scored_runs(lang)]

    def sentence_scores(self, metric: str, lang: str) -> list[str]:
        """The files of sentence scores that belong to `outputs_in`."""
        folder = folder_of(metric)
        return [f"{folder}/{lang}/systems/{name}/{run}.txt" for name, run, _ in self.scored_runs(lang)]

    def seeds_of(self, system: str) -> list[int]:
        """The seeds of an ensemble: its own, or those of the systems that it starts from."""
        own = self.named[system]
        return getattr(own, "seeds", None) or self.seeds_of(of_kind(own, MultiTask).base)

    def models_of(self, lang: str, system: str) -> list[str]:
        """The models of an ensemble."""
        return [f"build/transfer/{lang}/{system}/seed{seed}.safetensors" for seed in self.seeds_of(system)]

    def seeds_in(self, lang: str) -> Runs:
        """The outputs of the single models of all ensembles of a language: (system, seed, output file).

        They are points of Figure 4, for which each model of an ensemble decodes alone.
        """
        return [
            (name, f"seed{seed}", f"build/transfer/{lang}/{name}/seed{seed}.txt")
            for name in self.rows_in(lang)
            if self.named[name].votes
            for seed in self.seeds_of(self.decoder(name))
        ]

    def seeds_outputs(self, lang: str) -> list[str]:
        """Their files alone."""
        return [path for *_, path in self.seeds_in(lang)]

    def seeds_scores(self, metric: str, lang: str) -> list[str]:
        """The files of their sentence scores."""
        return [f"build/{metric}/{lang}/seeds/{name}/{run}.txt" for name, run, _ in self.seeds_in(lang)]

    def columns(self, table: str) -> list[str]:
        """The columns of the manifest of evaluated outputs, a row per file."""
        return ["system", "run", "output", *SCORERS, *(self.scorers.stages if table == "scores" else [])]

    def evaluated(self, table: str, lang: str) -> list[tuple[str, ...]]:
        """The outputs to evaluate in a language, with sentence scores: for Table 7 (`scores`) or Figure 4."""
        runs, stages = self.scored_runs(lang), self.columns(table)[3:]
        if table == "scores":
            return _with_scores(lang, "systems", runs, stages)
        single = [
            row
            for row in runs
            if row[0] in self.rows and not (own := self.named[row[0]]).votes and own.kind != "gold"
        ]
        return [
            *_with_scores(lang, "systems", single, stages),
            *_with_scores(lang, "seeds", self.seeds_in(lang), stages),
        ]

    def made_by(self, lang: str) -> list[str]:
        """The files that identify the language models behind the outputs of the systems of a language."""
        kinds = {name: self.named[name].kind for name in self.scored_in(lang)}
        asked = [f"build/transfer/{lang}/{name}/prompted.csv" for name in kinds if kinds[name] == "prompted"]
        tuned = [
            path.removesuffix(".txt") + ".finetuned.csv"
            for name in kinds
            if kinds[name] == "finetuned"
            for path in self.runs(lang, name)
        ]
        return asked + tuned

    def other_scores(self, path: str) -> list[str]:
        """The scores of the experiment to compare with, in the languages that both have."""
        folder, languages = self.settings.evaluation.against, self.settings.languages
        if folder is None:
            stop("results/changes.csv compares with another experiment: set evaluation.against to its folder")
        paths = [f"{folder}/{path.format(lang=lang)}" for lang in languages]
        if not (there := [path for path in paths if os.path.exists(path)]):
            stop(
                f"evaluation.against: no scores of {', '.join(languages)} in {folder}/build;"
                " make Table 7 there"
            )
        return there

    def own_outputs(self, wildcards: Wildcards) -> list[str]:
        """The file of a system's outputs in a language."""
        name, languages = wildcards.system, self.run.languages
        system = of_kind(self.named[name], Outputs)
        known = {
            lang: system.path.format(lang=lang) for lang in self.settings.languages if self.has(lang, name)
        }
        named = {path: languages[lang]["name"] for lang, path in known.items()}
        needed = {system.path.format(lang=wildcards.lang): languages[wildcards.lang]["name"]}
        return self.run.files(f"systems.{name}.path", needed, named)

    def joint(self, system: str) -> bool:
        """Whether a system is MULTI-TASK TAG-STYLE with a vocabulary of its own, learnt on all its text."""
        own = self.named[system]
        return isinstance(own, MultiTask) and own.vocabulary == "joint"

    def grown(self, system: str) -> bool:
        """Whether it is MULTI-TASK TAG-STYLE with more pieces than its base."""
        return isinstance(self.named[system], MultiTask) and not self.joint(system)

    def pairs_of(self, system: str) -> str | None:
        """The folder of pairs of its own, if it has any."""
        own = self.named[system]
        return own.pairs if isinstance(own, Tagged) else None

    def own_pairs(self, wildcards: Wildcards, part: str = "train") -> list[str]:
        """A part of a system's own pairs: the informal and the formal side."""
        name, language = wildcards.system, self.run.languages[wildcards.lang]["name"]
        folder = (self.pairs_of(name) or "").format(lang=wildcards.lang)
        files = {side: [f"{folder}/{side}.{style}.txt" for style in STYLES] for side in ("train", "dev")}
        named = dict.fromkeys([path for paths in files.values() for path in paths], language)
        return self.run.files(f"systems.{name}.pairs", dict.fromkeys(files[part], language), named)

    def on_translated_pairs(self, system: str) -> bool:
        """Whether it is trained on translated GYAFC only."""
        return isinstance(self.named[system], Tagged) and not self.pairs_of(system)

    def text_of(self, lang: str, system: str) -> str:
        """A supervised system's text model: the model of the pairs, or its own if it has other text.

        A system that starts from the copying model uses that model's pieces.
        """
        copies = self.copying and self.named[system].kind != "multi_task"
        folder = PAIRS if self.on_translated_pairs(system) or copies else SYSTEM
        return f"{folder.format(lang=lang, system=system)}/text"

    def own_text(self, wildcards: Wildcards) -> str:
        """The text model of a job's system."""
        return self.text_of(wildcards.lang, wildcards.system)

    def pieces(self, wildcards: Wildcards) -> list[str]:
        """Training and dev pieces; MULTI-TASK TAG-STYLE has its base's dev pairs, in its own pieces."""
        name = wildcards.system
        train = PAIRS if self.on_translated_pairs(name) else SYSTEM
        back = isinstance(self.named[name], BackTranslate) and not self.copying
        dev = SYSTEM if self.joint(name) or back or self.pairs_of(name) else PAIRS
        return [
            f"{folder}/{part}.{side}.txt"
            for folder, part in ((train, "train"), (dev, "dev"))
            for side in ("source", "target")
        ]

    def initial(self, wildcards: Wildcards) -> list[str]:
        """The initial model of a training: for MULTI-TASK TAG-STYLE its base's, else the copying model."""
        system = self.named[wildcards.system]
        if not isinstance(system, MultiTask):
            return [f"{PAIRS}/copying.seed{self.settings.seed}.safetensors"] if self.copying else []
        model = f"build/transfer/{{lang}}/{system.base}/seed{{seed}}.safetensors"
        # With another vocabulary, the text model of the initial model too.
        return [model, f"{PAIRS}/text"] if self.joint(wildcards.system) else [model]

    def training(self, wildcards: Wildcards) -> list[str]:
        """The training settings of a supervised system, as an option; it may set its own limit of updates."""
        model = self.settings.transfer.model
        limit = getattr(self.named[wildcards.system], "max_updates", None) or math.inf
        return words({"settings": {**model.model_dump(), "max_updates": min(limit, model.max_updates)}})

    def training_of_copying(self, wildcards: Wildcards) -> list[str]:
        """The training settings of the copying model: those of the others, except for its own settings."""
        copying = self.settings.transfer.copying
        keys = ("learning_rate", "checkpoint_every", "max_updates")
        own = {key: getattr(copying, key) for key in keys}
        return words({"settings": {**self.settings.transfer.model.model_dump(), **own}})

    def synthetic(self, wildcards: Wildcards) -> list[str]:
        """BACKTRANSLATE's pairs of files as command-line options, by the directions in its settings."""
        system = of_kind(self.named[wildcards.system], BackTranslate)
        gyafc = [path.format(lang=wildcards.lang) for path in TRANSLATED_GYAFC]
        informal, formal = (f"{SYSTEM.format(**wildcards)}/synthetic.{style}.txt" for style in STYLES)
        pairs = [(gyafc[0], gyafc[1], "<2formal>"), (gyafc[1], gyafc[0], "<2informal>")]
        if system.directions in ("both", "self"):
            pairs.append((informal, formal, "<2formal>"))
        if system.directions in ("both", "back"):
            pairs.append((formal, informal, "<2informal>"))
        languages = [wildcards.lang] * len(pairs)
        columns = dict(zip(("sources", "targets", "tags"), zip(*pairs, strict=True), strict=True))
        return words({**columns, "source_languages": languages, "target_languages": languages})

    def decoder(self, system: str) -> str:
        """The system whose models decode: itself, or another system for an ablation of the input."""
        own = self.named[system]
        return own.of if isinstance(own, OtherInput) else system

    def unsupervised(self, wildcards: Wildcards) -> UnsupervisedSystem:
        """The settings of a job's unsupervised system."""
        return of_kind(self.named[wildcards.system], UnsupervisedSystem)

    def of_corpus(self, name: str) -> Callable[[Wildcards], str]:
        """A function that returns one of the files of the corpus of a job's system."""
        return lambda wildcards: (
            f"build/unsupervised/{wildcards.lang}/{self.unsupervised(wildcards).corpus}/{name}"
        )

    def noise(self, wildcards: Wildcards) -> list[str]:
        """The auto-encoder's noise, the language models' weight, and the variant: paper or released code."""
        system = self.unsupervised(wildcards)
        return words({key: getattr(system, key) for key in ("lm_weight", "noise", "released")})

    def priors(self, wildcards: Wildcards) -> list[str]:
        """The language models of both styles, which only DLSM needs."""
        if not self.unsupervised(wildcards).lm_weight:
            return []
        return [self.of_corpus(f"prior.{style}.safetensors")(wildcards) for style in STYLES]

    def rerun(self, wildcards: Wildcards) -> str:
        """The model of one rerun of an unsupervised system."""
        seed = self.unsupervised(wildcards).seeds[int(wildcards.run)]
        return f"{UNSUPERVISED_SYSTEM.format(**wildcards)}/seed{seed}.safetensors"

    def trained_on(self) -> list[tuple[str, str, str, str]]:
        """The training files of each row: (label in Table 6, corpus, language, file)."""
        return [
            (label, corpus, lang, path.format(lang=lang, system=name))
            for name in self.rows
            if self.named[name].kind in self.training_files
            for label, corpus, paths in self.training_files[self.named[name].kind](self.named[name])
            for lang in self.settings.languages
            if self.has(lang, name)
            for path in paths
        ]

    def tagged_files(self, system: Tagged) -> TrainingFiles:
        """The training files of a system with a tag; pairs of a corpus not in the paper have no column."""
        paper = isinstance(system, TranslateTrainTag) and not system.pairs
        label = "TRANSL. TRAIN TAG" if paper else system.label
        own = [] if system.pairs else [(label, "gyafc", TRANSLATED_GYAFC)]
        return [*own, (label, "opensubtitles", self.copied)]


def initial_option(wildcards: Wildcards, input: Any) -> list[str]:
    """The model from which a training starts, and its text model if that is another one, as options."""
    model, *text = [input.initial] if isinstance(input.initial, str) else input.initial or [None]
    return words({"initial": model, "initial_vocabulary": f"{text[0]}/vocabulary.txt" if text else None})


def prior_options(wildcards: Wildcards, input: Any) -> list[str]:
    """The language models of both styles as options."""
    return words({f"prior_{style}": str(path) for style, path in zip(STYLES, input.priors, strict=False)})


def _multi_task_files(system: System) -> TrainingFiles:
    sides = ("en", "{lang}")
    bitext = [f"build/filtering/opensubtitles/{{lang}}/formal.multi_task.{side}.txt.gz" for side in sides]
    return [(system.label, "gyafc", TRANSLATED_GYAFC), (system.label, "opensubtitles", bitext)]


def _unsupervised_files(system: UnsupervisedSystem) -> TrainingFiles:
    """The training files of UNMT and DLSM, which share their rows in Table 6."""
    label, column = {
        "opensubtitles": ("UNMT/DLSM", "opensubtitles"),
        "yahoo-fr": ("UNMT/DLSM (IN-DOMAIN)", "yahoo"),
    }[system.corpus]
    folder = f"build/filtering/{system.corpus}/{{lang}}"
    texts = [f"{folder}/{style}.unsupervised.{{lang}}.txt.gz" for style in STYLES]
    # The number of sentences left out because systems are tested on them.
    counts = [f"{folder}/curated.counts.tsv"] if system.corpus == "yahoo-fr" else []
    return [(label, column, texts + counts)]


def _with_scores(lang: str, folder: str, runs: Runs, stages: list[str]) -> list[tuple[str, ...]]:
    """Rows of a manifest: system, run, its outputs, and their sentence scores in a folder of each stage."""
    return [
        (name, run, path, *(f"{folder_of(stage)}/{lang}/{folder}/{name}/{run}.txt" for stage in stages))
        for name, run, path in runs
    ]
