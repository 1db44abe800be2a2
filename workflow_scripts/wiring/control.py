"""Translators that are told how formal to be: kinds, files, options (the section `control`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from workflow_scripts.config.control import RELEASED, AnyControlled, Asked, OwnOutputs, SharedTask, Tuned
from workflow_scripts.text.levels import LEVELS, TEST_DOMAINS, TRAIN_DOMAINS
from workflow_scripts.wiring.corpora import Corpora
from workflow_scripts.wiring.language_models import LanguageModels
from workflow_scripts.wiring.run import Run, Wildcards, of_kind
from workflow_scripts.wiring.words import one_of, words

# CoCoA-MT's languages in the paper's order; Portuguese is released, but not in the paper.
TARGETS = list(RELEASED)
LANGUAGE_NAMES = ["German", "Spanish", "French", "Hindi", "Italian", "Japanese", "Portuguese"]
TARGET_NAMES = dict(zip(TARGETS, LANGUAGE_NAMES, strict=True))
# Which kinds of systems translate the generic test sets (Table 6: WMT, TED), untagged.
GENERIC_KINDS = ["generic", "tuned"]
# Kinds of systems that have one translation for both levels.
UNTAGGED = ["backend", "generic"]
# Whose translations WinoMT's repository has, and what the table calls them.
VENDORS = {"google": "Google", "bing": "Bing", "aws": "Amazon", "systran": "Systran"}
# The rows of the trained systems in Table 13, and the keys of `control.genders` that name these.
GENDER_ROWS = {"base": "base", "msc-trg": "masculine", "fem-trg": "feminine"}

# The test set of a language, line by line.
TEST_FILES = [
    f"build/control/test/{{lang}}/{kind}.txt"
    for kind in ["source", "domains", *LEVELS, *(f"{level}.annotated" for level in LEVELS)]
]
HELD_OUT_SOURCE = "build/corpora/demo/held-out/{sheet}.en.txt"
HELD_OUT_REFERENCES = "build/corpora/demo/held-out/{sheet}.{lang}.{level}.annotated.txt"
CONTROL_OUTPUTS = "build/control/outputs/{system}/{lang}/{level}/run{run}.txt"
# What trained systems make of sentences whose English says the gender of somebody at work (Table 13).
WINOMT_OUTPUT = "build/control/winomt/{system}/{lang}/run{run}.txt"
WINOMT_SCORES = "build/control/winomt/{system}/{lang}/run{run}.csv"
# The model of each language that knows of no formality, and those that are tuned from it.
GENERIC_MODEL = "build/control/generic/{lang}"
TUNED_MODEL = "build/control/tuned/{system}/{lang}/run{run}"


class Control:
    """The translators of a run."""

    def __init__(self, run: Run, corpora: Corpora, models: LanguageModels) -> None:
        """Which there are, which are rows, and what they translate."""
        self.run, self.corpora, self.models = run, corpora, models
        self.settings, versions = run.settings.control, run.settings.corpora
        self.systems: dict[str, AnyControlled] = dict(self.settings.systems)
        # The names of the rows, in their order.
        self.rows = [
            name for name in self.systems if self.settings.rows is None or name in self.settings.rows
        ]
        # Those whose level says nothing of M-Acc's labels (Table 5): not asked for any, and the references
        # beside others.
        kinds = {name: self.systems[name].kind for name in self.rows}
        self.unasked = [name for name in self.rows if kinds[name] in UNTAGGED]
        if any(kind not in (*UNTAGGED, "references") for kind in kinds.values()):
            self.unasked += [name for name in self.rows if kinds[name] == "references"]
        # Whether CoCoA-MT is the demo world's, and its folder, in the canonical layout.
        self.demo = versions.cocoa_mt == "demo"
        self.corpus = f"build/corpora/cocoa-mt{'-demo' * self.demo}"
        # Which generic pairs there are, of `web` in which languages; further ones in small open corpora only.
        self.pairs_from = versions.generic
        self.web = [lang for lang in TARGETS if f"train-{lang}" in corpora.entries("generic", "web")]
        self.generic_languages = self.web if self.pairs_from == "web" else [*run.languages]
        if self.pairs_from == "open":
            self.generic_languages += run.generic_languages
        # The generic test sets that all languages have, and the languages that have TED all the same.
        self.generic_sets = ["wmt", "ted"] if self.pairs_from == "demo" else ["wmt"]
        ted = [lang for lang in self.web if f"ted-{lang}" in corpora.test_sets]
        self.with_ted = ted if self.pairs_from == "web" else []
        # Sentences of other domains, by the level at which they are to be translated (Table 10).
        self.held_out = list(LEVELS) if self.demo else []
        # What the models of generic kinds translate.
        self.translated = [*LEVELS, *self.generic_sets, *(f"held-out.{level}" for level in self.held_out)]
        # The generic pairs, of which some are drawn, and those that rules label: of the web those drawn.
        ending = ".txt" + ".gz" * (self.pairs_from == "web")
        self.generic_pairs = [
            f"build/corpora/generic/{{lang}}/train.{side}{ending}" for side in ("en", "target")
        ]
        drawn = [f"{GENERIC_MODEL}/train.{side}.txt" for side in ("en", "target")]
        self.labelled_pairs = drawn if self.pairs_from == "web" else self.generic_pairs
        # The tuned systems, and those of Figures 1 and 2, whose names no system of a user can have.
        self.tuned = {name: one for name, one in self.systems.items() if isinstance(one, Tuned)}
        for figure in (self.settings.upsampling.figure1, self.settings.upsampling.figure2):
            own = self.tuned[figure.system]
            for copies in figure.copies:
                more = own.model_copy(update={"copies": copies, "seeds": figure.seeds})
                self.tuned[f"{figure.system}.x{copies}"] = more
        # What trained systems translate of WinoMT.
        self.winomt_files, self.winomt = (
            (["build/corpora/demo/winomt.txt"], "build/corpora/demo/winomt.txt")
            if self.demo
            else ([corpora.folder("winomt")], f"{corpora.folder('winomt')}/data/aggregates/en.txt")
        )
        # Where the translations of a kind come from; each is brought into the order of the test set.
        self.given: dict[str, Any] = {
            "references": "build/control/test/{lang}/{level}.txt",
            "outputs": self.own_outputs,
            "iwslt2022": self.submission,
            "backend": "build/translation/controlled/{lang}.txt",
        }

    def of_kind(self, kind: str) -> str:
        """A pattern for the systems of a kind."""
        return one_of(name for name, one in self.systems.items() if one.kind == kind)

    def systems_in(self, lang: str, names: Iterable[str] | None = None) -> list[str]:
        """The rows, or other systems, of a language; a generic model needs pairs to be trained."""
        without = [] if lang in self.generic_languages else GENERIC_KINDS
        known = {name: self.systems[name] for name in (self.rows if names is None else names)}
        return [
            name
            for name, one in known.items()
            if (one.kind not in without if one.languages is None else lang in one.languages)
        ]

    def sets_of(self, lang: str) -> list[str]:
        """The generic test sets of a language."""
        return [*self.generic_sets, *(["ted"] if lang in self.with_ted else [])]

    def levels_of(self, name: str, lang: str) -> list[str]:
        """The levels at which a system has translations: both, and the generic test sets."""
        kind = self.systems[name.partition(".")[0]].kind
        return [*LEVELS, *(self.sets_of(lang) if kind in GENERIC_KINDS else [])]

    def outputs(self, lang: str, counts: Mapping[str, int]) -> list[tuple[str, str, str, str]]:
        """The files of some systems by their numbers of runs: (system, level, run, file)."""
        return [
            (name, level, f"run{run}", CONTROL_OUTPUTS.format(system=name, lang=lang, level=level, run=run))
            for name, count in counts.items()
            for level in self.levels_of(name, lang)
            for run in range(count)
        ]

    def runs(self, lang: str) -> list[tuple[str, str, str, str]]:
        """The same of all systems of a language."""
        return self.outputs(lang, {name: self.systems[name].runs for name in self.systems_in(lang)})

    def at_levels(self, names: Collection[str]) -> list[str]:
        """Of the outputs that manifests list those of some systems at both levels, and the test sets."""
        languages = self.settings.languages
        outputs = [
            path
            for lang in languages
            for name, level, _, path in self.runs(lang)
            if name in names and level in LEVELS
        ]
        return outputs + [path.format(lang=lang) for path in TEST_FILES for lang in languages]

    def gender_rows(self) -> list[tuple[str, str, str]]:
        """The trained rows of Table 13, one per run: (row, system, scores of its translations)."""
        lang = self.settings.genders.language
        named = {row: getattr(self.settings.genders, key) for row, key in GENDER_ROWS.items()}
        return [
            (row, name, WINOMT_SCORES.format(system=name, lang=lang, run=run))
            for row, name in named.items()
            if name in self.systems_in(lang)
            for run in range(self.systems[name].runs)
        ]

    def generic_sources(self, lang: str) -> dict[str, str]:
        """The sources of a language's generic pairs (`train`), of its dev set, and of each test set."""
        if lang not in self.generic_languages:
            return {}
        held_out = {"dev": "pairs held out of the training pairs"}
        if self.pairs_from != "open":
            rows = self.corpora.entries("generic")
            parts = ["train", *(["dev"] if f"dev-{lang}" in rows else []), *self.sets_of(lang)]
            return held_out | {part: rows[f"{part}-{lang}"].id for part in parts}
        names = {part: self.corpora.open_generic(lang, part) for part in ("train", *self.generic_sets)}
        return held_out | {part: "+".join(sources) for part, sources in names.items() if sources}

    def made_of(self, *langs: str) -> dict[str, Any]:
        """The sources of the generic models and test sets of some languages, as options."""
        sources = [
            f"{lang}.{part}={source}" for lang in langs for part, source in self.generic_sources(lang).items()
        ]
        return {"training_pairs": self.settings.generic.train_sentences, "made_of": sources or None}

    def sets_translated(self, wildcards: Wildcards) -> list[str]:
        """The generic test sets of a language: none where no row translates them, as those of figures do."""
        kinds = {self.systems[name].kind for name in self.systems_in(wildcards.lang)}
        translated = wildcards.get("figure") or kinds.intersection(GENERIC_KINDS)
        return self.sets_of(wildcards.lang) if translated else []

    def generic_references(self, wildcards: Wildcards) -> list[str]:
        """The references of the generic test sets."""
        folder = f"build/corpora/generic/{wildcards.lang}"
        return [f"{folder}/{name}.target.txt" for name in self.sets_translated(wildcards)]

    def generic_option(self, wildcards: Wildcards) -> list[str]:
        """The same by the names of the sets."""
        named = zip(self.sets_translated(wildcards), self.generic_references(wildcards), strict=True)
        return words({"generic": [f"{name}={path}" for name, path in named] or None})

    def own_outputs(self, wildcards: Wildcards) -> list[str]:
        """The translations of a system of one's own, a file or one per domain."""
        name = wildcards.system
        system = of_kind(self.systems[name], OwnOutputs)
        domains = TEST_DOMAINS if "{domain}" in system.path else [""]

        def files(lang: str, level: str, run: int | str) -> dict[str, str]:
            """Of a language, a level and a run, each with the language's name."""
            paths = [system.path.format(lang=lang, level=level, domain=domain, run=run) for domain in domains]
            return dict.fromkeys(paths, TARGET_NAMES[lang])

        named = {
            file: of
            for lang in self.settings.languages
            if name in self.systems_in(lang)
            for level in LEVELS
            for run in range(system.runs)
            for file, of in files(lang, level, run).items()
        }
        needed = files(wildcards.lang, wildcards.level, wildcards.run)
        return self.run.files(f"control.systems.{name}.path", needed, named)

    def submission(self, wildcards: Wildcards) -> str:
        """The translations of a team of the shared task."""
        system = of_kind(self.systems[wildcards.system], SharedTask)
        folder = f"build/corpora/iwslt2022/{wildcards.lang}"
        return f"{folder}/{system.team}-{system.number}.{wildcards.level}.txt"

    def asked_in(self, wildcards: Wildcards) -> list[str]:
        """What says which language models translated into a language."""
        facts = CONTROL_OUTPUTS.replace(".txt", ".prompted.csv")
        return [
            facts.format(system=name, lang=wildcards.lang, level=level, run=0)
            for name in self.systems_in(wildcards.lang)
            if isinstance(self.systems[name], Asked)
            for level in LEVELS
        ]

    def asked_input(self, wildcards: Wildcards) -> dict[str, str]:
        """What a language model is asked with: the level's template, examples, its own files."""
        system = of_kind(self.systems[wildcards.system], Asked)
        own = f"{system.prompts}/{wildcards.level}.txt" if system.prompts else None
        setting = f"control.systems.{wildcards.system}.prompts"
        default = f"resources/prompts/translate/{wildcards.level}.txt"
        needed = {"template": self.run.file(setting, own, default)}
        if system.examples:
            needed["pairs"] = f"{self.corpus}/{wildcards.lang}"
        return needed | self.models.input(system.model)

    def asked_options(self, wildcards: Wildcards) -> list[str]:
        """The language model, its examples, and how the template calls their sides and the language."""
        system = of_kind(self.systems[wildcards.system], Asked)
        train = f"{self.corpus}/{wildcards.lang}/train"
        pairs = {
            "informal": [f"{train}.{domain}.en.txt" for domain in TRAIN_DOMAINS],
            "formal": [f"{train}.{domain}.{wildcards.level}.txt" for domain in TRAIN_DOMAINS],
        }
        return words(
            {
                "model": system.model,
                "examples": system.examples,
                "language": TARGET_NAMES[wildcards.lang],
                "sides": ["english", "translation"],
                **(pairs if system.examples else {}),
            }
        )

    def labelled_data(self, wildcards: Wildcards) -> list[str]:
        """What is labelled for a system, how much of it in a language, and how often it is seen."""
        own = self.tuned[wildcards.system]
        size = own.sizes.get(wildcards.lang, own.size)
        return words({"data": own.data, "size": size, "copies": own.copies})

    def segments(self, wildcards: Wildcards) -> list[str]:
        """The files of the contrastive training pairs, for a system that learns from them."""
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
        """Generic pairs and their levels by rules, for a system that learns from them."""
        if self.tuned[wildcards.system].data not in ("rules", "both"):
            return []
        paths = [*self.labelled_pairs, f"{GENERIC_MODEL}/labels.txt"]
        return [path.format(lang=wildcards.lang) for path in paths]

    def generic_part(self, side: str) -> Any:
        """A side of the training pairs or of the dev pairs, which the web's have apart."""

        def path(wildcards: Wildcards) -> str:
            apart = f"{wildcards.part}-{wildcards.lang}" in self.corpora.test_sets
            own = self.pairs_from == "web" and apart
            folder = "build/corpora/generic/{lang}" if own else GENERIC_MODEL
            return f"{folder}/{{part}}.{side}.txt".format(lang=wildcards.lang, part=wildcards.part)

        return path

    def upsampled(self, name: str) -> dict[str, int]:
        """The systems of a figure, and how many copies of labelled pairs each has seen."""
        figure = getattr(self.settings.upsampling, name)
        known = self.systems_in(figure.language, self.systems)
        return {
            **{one: 0 for one in known if self.systems[one].kind == "generic"},
            **{f"{figure.system}.x{copies}": copies for copies in figure.copies},
            figure.system: self.tuned[figure.system].copies,
        }

    def upsampled_runs(self, name: str) -> list[tuple[str, str, str, str]]:
        """The files of a figure's systems, as `runs` has those of the rows."""
        systems = self.upsampled(name)
        counts = {one: len(self.tuned[one].seeds) if one in self.tuned else 1 for one in systems}
        return self.outputs(getattr(self.settings.upsampling, name).language, counts)


def dev_option(wildcards: Wildcards) -> list[str]:
    """The dev pairs of a generic model."""
    folder = GENERIC_MODEL.format(lang=wildcards.lang)
    return words({f"dev_{side}": f"{folder}/dev.pieces.{side}.txt" for side in ("source", "target")})


def generic_initial(wildcards: Wildcards) -> list[str]:
    """The model that a tuned one starts from."""
    return words({"initial": f"{GENERIC_MODEL.format(lang=wildcards.lang)}/model.safetensors"})
