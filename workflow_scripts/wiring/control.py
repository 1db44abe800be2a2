"""Formality-controlled translation systems: kinds, files, options (the section `control`)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from workflow_scripts.config.control import (
    RELEASED,
    AnyControlled,
    Finetuned,
    OwnOutputs,
    SharedTask,
    Tuned,
)
from workflow_scripts.text.levels import (
    LEVELS,
    SHARED_TASKS,
    TEST_DOMAINS,
    TRAIN_DOMAINS,
    WITH_SEGMENTS,
)
from workflow_scripts.wiring.corpora import Corpora
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.run import Run, Wildcards, of_kind
from workflow_scripts.wiring.words import one_of, words

# CoCoA-MT's target languages in the paper's order; Portuguese is released, but not in the paper.
TARGETS = list(RELEASED)
LANGUAGE_NAMES = ["German", "Spanish", "French", "Hindi", "Italian", "Japanese", "Portuguese"]
TARGET_NAMES = dict(zip(TARGETS, LANGUAGE_NAMES, strict=True))
# The test sets by name: of a language of CoCoA-MT, or of a shared task.
TEST_SETS = [*TARGETS, *SHARED_TASKS]
# Those with training segments, on which translators are tuned.
TUNED_IN = [*TARGETS, *WITH_SEGMENTS]
# The kinds of systems that translate the generic test sets (Table 6: WMT, TED), without a tag.
GENERIC_KINDS = ["generic", "tuned"]
# The kinds of systems that have the same translation for both levels, as some of kind `finetuned` have.
UNTAGGED = ["backend", "generic"]
# The vendors whose translations are in WinoMT's repository, and their names in the table.
VENDORS = {"google": "Google", "bing": "Bing", "aws": "Amazon", "systran": "Systran"}
# The rows of the trained systems in Table 13, and the keys of `control.genders` that name the systems.
GENDER_ROWS = {"base": "base", "msc-trg": "masculine", "fem-trg": "feminine"}

# The test set of a language, line by line.
TEST_FILES = [
    f"build/control/test/{{lang}}/{kind}.txt"
    for kind in ["source", "domains", *LEVELS, *(f"{level}.annotated" for level in LEVELS)]
]
HELD_OUT_SOURCE = "build/corpora/demo/held-out/{sheet}.en.txt"
HELD_OUT_REFERENCES = "build/corpora/demo/held-out/{sheet}.{lang}.{level}.annotated.txt"
CONTROL_OUTPUTS = "build/control/outputs/{system}/{lang}/{level}/run{run}.txt"
# The model behind the translations of a pretrained system that are the same for both levels.
FACTS_OF_BOTH = "build/control/outputs/{system}/{lang}/run{run}.finetuned.csv"
# Trained systems' translations of English sentences in which a pronoun marks a worker's gender (Table 13).
WINOMT_OUTPUT = "build/control/winomt/{system}/{lang}/run{run}.txt"
WINOMT_SCORES = "build/control/winomt/{system}/{lang}/run{run}.csv"
# The generic model of each language, which has no control of formality, and the models tuned from it.
GENERIC_MODEL = "build/control/generic/{lang}"
TUNED_MODEL = "build/control/tuned/{system}/{lang}/run{run}"

# The classifier of formality, and its scores of the translations of a test set.
CLASSIFIER = "build/control/classifier"
CLASSIFIED = "build/control/classified/{lang}"


class Control:
    """The formality-controlled systems of a run."""

    def __init__(self, run: Run, corpora: Corpora, models: LanguageModels) -> None:
        """Collect the systems, the rows among them, and the texts that they translate."""
        self.run, self.corpora, self.models = run, corpora, models
        self.settings, versions = run.settings.control, run.settings.corpora
        self.systems: dict[str, AnyControlled] = dict(self.settings.systems)
        # The names of the rows, in their order.
        self.rows = [
            name for name in self.systems if self.settings.rows is None or name in self.settings.rows
        ]
        # The systems that have the same translation for both levels.
        self.alike = [
            name
            for name, one in self.systems.items()
            if one.kind in UNTAGGED or (isinstance(one, Finetuned) and not one.told)
        ]
        # The rows left out of M-Acc's validation (Table 5), since their level says nothing about the labels:
        # systems without control of formality, and the references unless they are the only other rows.
        self.unasked = [name for name in self.rows if name in self.alike]
        references = [name for name in self.rows if self.systems[name].kind == "references"]
        if set(self.rows) - {*self.unasked, *references}:
            self.unasked += references
        # Whether CoCoA-MT is the demo world's, and the folder of CoCoA-MT in the canonical layout.
        self.demo = versions.cocoa_mt == "demo"
        self.corpus = f"build/corpora/cocoa-mt{'-demo' * self.demo}"
        # The version of the generic pairs, and their languages; only `open` adds further languages.
        self.pairs_from = versions.generic
        self.web = [lang for lang in TARGETS if f"train-{lang}" in corpora.entries("generic", "web")]
        self.generic_languages = self.web if self.pairs_from == "web" else [*run.languages]
        if self.pairs_from == "open":
            self.generic_languages += run.generic_languages
        # The folders of generic models that Sockeye has trained, and the languages whose models are trained.
        given = self.settings.generic.sockeye
        self.sockeye = {lang: folder for lang, folder in given.items() if folder is not None}
        self.trained = [lang for lang in TARGETS if lang not in self.sockeye]
        # The generic test sets of all languages, and the languages that have TED although not all do.
        self.generic_sets = ["wmt", "ted"] if self.pairs_from == "demo" else ["wmt"]
        ted = [lang for lang in self.web if f"ted-{lang}" in corpora.test_sets]
        self.with_ted = ted if self.pairs_from == "web" else []
        # The levels at which sentences of other domains are translated (Table 10).
        self.held_out = list(LEVELS) if self.demo else []
        # The sets of sentences that models of the generic kinds translate.
        self.translated = [*LEVELS, *self.generic_sets, *(f"held-out.{level}" for level in self.held_out)]
        # The generic pairs, from which training pairs are drawn, and the pairs that rules label: for `web`
        # only the drawn ones.
        ending = ".txt" + ".gz" * (self.pairs_from == "web")
        self.generic_pairs = [
            f"build/corpora/generic/{{lang}}/train.{side}{ending}" for side in ("en", "target")
        ]
        drawn = [f"{GENERIC_MODEL}/train.{side}.txt" for side in ("en", "target")]
        self.labelled_pairs = drawn if self.pairs_from == "web" else self.generic_pairs
        # The tuned systems, and the variants for Figures 1 and 2, whose names a configuration cannot use.
        self.tuned = {name: one for name, one in self.systems.items() if isinstance(one, Tuned)}
        for figure in (self.settings.upsampling.figure1, self.settings.upsampling.figure2):
            own = self.tuned[figure.system]
            for copies in figure.copies:
                more = own.model_copy(update={"copies": copies, "seeds": figure.seeds})
                self.tuned[f"{figure.system}.x{copies}"] = more
        # The sentences that no training segment of a shared task may have, as input.
        self.tested_sentences = (
            {} if self.settings.tested_segments else {"tested": "build/control/test/{lang}/source.txt"}
        )
        # The English sentences of WinoMT that trained systems translate.
        self.winomt_files, self.winomt = (
            (["build/corpora/demo/winomt.txt"], "build/corpora/demo/winomt.txt")
            if self.demo
            else ([corpora.folder("winomt")], f"{corpora.folder('winomt')}/data/aggregates/en.txt")
        )
        # The source of the translations by kind; a rule brings each file into the order of the test set.
        self.given: dict[str, Any] = {
            "references": "build/control/test/{lang}/{level}.txt",
            "outputs": self.own_outputs,
            "iwslt2022": self.submission,
            "backend": "build/translation/controlled/{lang}.txt",
        }

    def of_kind(self, kind: str, *, alike: bool | None = None) -> str:
        """A pattern for the systems of a kind; `alike`: only those with the same translation for both levels.

        If it is false, only the others.
        """
        return one_of(
            name
            for name, one in self.systems.items()
            if one.kind == kind and alike in (None, name in self.alike)
        )

    def systems_in(self, lang: str, names: Iterable[str] | None = None) -> list[str]:
        """The rows, or other named systems, of a test set; generic and tuned systems need training pairs.

        The references, and systems that name it, have rows in the test set of a shared task.
        """
        without = [] if lang in self.generic_languages else GENERIC_KINDS
        known = {name: self.systems[name] for name in (self.rows if names is None else names)}
        if lang in SHARED_TASKS:
            return [
                name
                for name, one in known.items()
                if one.kind == "references" or lang in (one.languages or [])
            ]
        return [
            name
            for name, one in known.items()
            if (one.kind not in without if one.languages is None else lang in one.languages)
        ]

    def sets_of(self, lang: str) -> list[str]:
        """The generic test sets of a language."""
        return [*self.generic_sets, *(["ted"] if lang in self.with_ted else [])]

    def levels_of(self, name: str, lang: str) -> list[str]:
        """The values of `level` for a system's outputs: both levels, and the generic test sets."""
        kind = self.systems[name.partition(".")[0]].kind
        return [*LEVELS, *(self.sets_of(lang) if kind in GENERIC_KINDS else [])]

    def outputs(self, lang: str, counts: Mapping[str, int]) -> list[tuple[str, str, str, str]]:
        """The output files of systems, given each system's number of runs: (system, level, run, file)."""
        return [
            (name, level, f"run{run}", CONTROL_OUTPUTS.format(system=name, lang=lang, level=level, run=run))
            for name, count in counts.items()
            for level in self.levels_of(name, lang)
            for run in range(count)
        ]

    def runs(self, lang: str) -> list[tuple[str, str, str, str]]:
        """The output files of all systems of a language: (system, level, run, file)."""
        return self.outputs(lang, {name: self.systems[name].runs for name in self.systems_in(lang)})

    def at_levels(self, names: Collection[str]) -> list[str]:
        """The outputs of some systems at both levels in all languages, and the files of the test sets."""
        languages = self.settings.languages
        outputs = [
            path
            for lang in languages
            for name, level, _, path in self.runs(lang)
            if name in names and level in LEVELS
        ]
        return outputs + [path.format(lang=lang) for path in TEST_FILES for lang in languages]

    def gender_rows(self) -> list[tuple[str, str, str]]:
        """The rows of trained systems in Table 13, one per run: (row, system, scores of its translations)."""
        lang = self.settings.genders.language
        named = {row: getattr(self.settings.genders, key) for row, key in GENDER_ROWS.items()}
        return [
            (row, name, WINOMT_SCORES.format(system=name, lang=lang, run=run))
            for row, name in named.items()
            if name in self.systems_in(lang)
            for run in range(self.systems[name].runs)
        ]

    def generic_sources(self, lang: str) -> dict[str, str]:
        """The corpora from which a language's generic pairs (`train`), dev set and test sets are drawn."""
        if lang not in self.generic_languages:
            return {}
        sources = self._generic_sources(lang)
        if lang not in self.sockeye:
            return sources
        return {**sources, "dev": "unknown data", "train": f"unknown data ({self.sockeye[lang]}, of Sockeye)"}

    def _generic_sources(self, lang: str) -> dict[str, str]:
        """The corpora of `corpora.generic`."""
        held_out = {"dev": "pairs held out of the training pairs"}
        if self.pairs_from != "open":
            rows = self.corpora.entries("generic")
            parts = ["train", *(["dev"] if f"dev-{lang}" in rows else []), *self.sets_of(lang)]
            return held_out | {part: rows[f"{part}-{lang}"].id for part in parts}
        names = {part: self.corpora.open_generic(lang, part) for part in ("train", *self.generic_sets)}
        return held_out | {part: "+".join(sources) for part, sources in names.items() if sources}

    def made_of(self, *langs: str) -> dict[str, Any]:
        """The corpora behind the generic models and test sets of some languages, as options."""
        sources = [
            f"{lang}.{part}={source}" for lang in langs for part, source in self.generic_sources(lang).items()
        ]
        return {"training_pairs": self.settings.generic.train_sentences, "made_of": sources or None}

    def sets_translated(self, wildcards: Wildcards) -> list[str]:
        """The generic test sets of a language, if any row translates them; systems of figures always do."""
        kinds = {self.systems[name].kind for name in self.systems_in(wildcards.lang)}
        translated = wildcards.get("figure") or kinds.intersection(GENERIC_KINDS)
        return self.sets_of(wildcards.lang) if translated else []

    def generic_references(self, wildcards: Wildcards) -> list[str]:
        """The references of the generic test sets."""
        folder = f"build/corpora/generic/{wildcards.lang}"
        return [f"{folder}/{name}.target.txt" for name in self.sets_translated(wildcards)]

    def generic_option(self, wildcards: Wildcards) -> list[str]:
        """The references of the generic test sets by the names of the sets, as an option."""
        named = zip(self.sets_translated(wildcards), self.generic_references(wildcards), strict=True)
        return words({"generic": [f"{name}={path}" for name, path in named] or None})

    def own_outputs(self, wildcards: Wildcards) -> list[str]:
        """The translations that a user provides for a system: one file, or one file per domain."""
        name = wildcards.system
        system = of_kind(self.systems[name], OwnOutputs)
        domains = TEST_DOMAINS if "{domain}" in system.path else [""]

        def files(lang: str, level: str, run: int | str) -> dict[str, str]:
            """The files of a language, a level and a run, mapped to the name of the language."""
            paths = [system.path.format(lang=lang, level=level, domain=domain, run=run) for domain in domains]
            return dict.fromkeys(paths, TARGET_NAMES.get(lang, lang))

        named = {
            file: of
            for lang in (*self.settings.languages, *SHARED_TASKS)
            if name in self.systems_in(lang)
            for level in LEVELS
            for run in range(system.runs)
            for file, of in files(lang, level, run).items()
        }
        needed = files(wildcards.lang, wildcards.level, wildcards.run)
        return self.run.files(f"control.systems.{name}.path", needed, named)

    def submission(self, wildcards: Wildcards) -> str:
        """The translations of a submission to the shared task."""
        system = of_kind(self.systems[wildcards.system], SharedTask)
        folder = f"build/corpora/iwslt2022/{wildcards.lang}"
        return f"{folder}/{system.team}-{system.number}.{wildcards.level}.txt"

    def asked_in(self, wildcards: Wildcards) -> list[str]:
        """The files that record which language models translated into a language."""
        kinds = {name: self.systems[name].kind for name in self.systems_in(wildcards.lang)}
        found = [
            (FACTS_OF_BOTH if name in self.alike else CONTROL_OUTPUTS.replace(".txt", f".{kind}.csv")).format(
                system=name, lang=wildcards.lang, level=level, run=run
            )
            for name, kind in kinds.items()
            if kind in ("prompted", "finetuned")
            for level in LEVELS
            for run in range(self.systems[name].runs)
        ]
        return list(dict.fromkeys(found))

    def classified(self, wildcards: Wildcards) -> list[str]:
        """The classifier's scores of all systems of a shared task's test set, if there is a classifier."""
        if self.settings.classifier.path is None or wildcards.lang not in SHARED_TASKS:
            return []
        return [
            f"{CLASSIFIED}/{name}/{level}.{run}.txt".format(lang=wildcards.lang)
            for name, level, run, _ in self.runs(wildcards.lang)
        ]

    def classified_input(self, wildcards: Wildcards) -> list[str]:
        """The folder of these scores, and the classifier."""
        return [CLASSIFIED.format(lang=wildcards.lang), CLASSIFIER] if self.classified(wildcards) else []

    def classified_options(self, wildcards: Wildcards) -> list[str]:
        """These scores and the classifier's signature as options."""
        files = self.classified(wildcards)
        return words({"classified": files, "classifier": f"{CLASSIFIER}/signature.txt"}) if files else []

    def labelled_data(self, wildcards: Wildcards) -> list[str]:
        """The kind of labelled pairs for tuning a system, their number, and how often each is repeated."""
        own = self.tuned[wildcards.system]
        size = own.sizes.get(wildcards.lang, own.size)
        return words({"data": own.data, "size": size, "copies": own.copies})

    def segments(self, wildcards: Wildcards) -> list[str]:
        """The files of the contrastive training pairs as options, if a system is tuned on them."""
        own = self.tuned[wildcards.system]
        if own.data == "rules":
            return []
        gender = ".feminine" if own.gender == "feminine" else ""
        kinds = {"sources": "en", **{level: f"{level}{gender}" for level in LEVELS}}
        train = f"{self.corpus}/{wildcards.lang}/train"
        return words(
            {
                name: [f"{train}.{domain}.{kind}.txt" for domain in TRAIN_DOMAINS]
                for name, kind in kinds.items()
            }
        )

    def labelled_by_rules(self, wildcards: Wildcards) -> list[str]:
        """Generic pairs and the levels that rules assign to them, if a system is tuned on them."""
        if self.tuned[wildcards.system].data not in ("rules", "both"):
            return []
        paths = [*self.labelled_pairs, f"{GENERIC_MODEL}/labels.txt"]
        return [path.format(lang=wildcards.lang) for path in paths]

    def generic_part(self, side: str) -> Any:
        """A function for a side of the training or dev pairs; `web` has some separate dev corpora."""

        def path(wildcards: Wildcards) -> str:
            apart = f"{wildcards.part}-{wildcards.lang}" in self.corpora.test_sets
            own = self.pairs_from == "web" and apart
            folder = "build/corpora/generic/{lang}" if own else GENERIC_MODEL
            return f"{folder}/{{part}}.{side}.txt".format(lang=wildcards.lang, part=wildcards.part)

        return path

    def upsampled(self, name: str) -> dict[str, int]:
        """The systems of a figure, with the number of copies of the labelled pairs in their training data."""
        figure = getattr(self.settings.upsampling, name)
        known = self.systems_in(figure.language, self.systems)
        return {
            **{one: 0 for one in known if self.systems[one].kind == "generic"},
            **{f"{figure.system}.x{copies}": copies for copies in figure.copies},
            figure.system: self.tuned[figure.system].copies,
        }

    def upsampled_runs(self, name: str) -> list[tuple[str, str, str, str]]:
        """The output files of a figure's systems, as `runs` lists them for the rows."""
        systems = self.upsampled(name)
        counts = {one: len(self.tuned[one].seeds) if one in self.tuned else 1 for one in systems}
        return self.outputs(getattr(self.settings.upsampling, name).language, counts)


def dev_option(wildcards: Wildcards) -> list[str]:
    """The dev pairs of a generic model."""
    folder = GENERIC_MODEL.format(lang=wildcards.lang)
    return words({f"dev_{side}": f"{folder}/dev.pieces.{side}.txt" for side in ("source", "target")})


def generic_initial(wildcards: Wildcards) -> list[str]:
    """The generic model from which a tuned model is initialised, as an option."""
    return words({"initial": f"{GENERIC_MODEL.format(lang=wildcards.lang)}/model.safetensors"})
