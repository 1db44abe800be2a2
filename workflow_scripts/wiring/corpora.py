"""The paths of corpora, and the files that the rules that read them depend on."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.text.levels import SHARED_TASKS, language_of
from workflow_scripts.wiring.places import resource, shared
from workflow_scripts.wiring.run import Row, Run, Wildcards
from workflow_scripts.wiring.words import one_of, words

STYLES = ["informal", "formal"]
# GYAFC's test set: informal sentences and their four rewrites; the version `cocoa-mt` has no test set.
GYAFC_TEST = ["test.informal", *(f"test.formal.ref{i}" for i in range(4))]
# The folders with the submissions to IWSLT 2022's task on formality control, by team.
SUBMITTED = {
    "umd": "UMD/EN-{upper}/unconstrained/formality",
    "uos": "slt-cdt-uos_pack/en-{target}/{condition}",
    "alexa": "Alexa_AI/EN-{upper}/unconstrained/formality",
}


def rated_sentences(lang: str, part: str) -> str:
    """PT16's rated sentences in a language: the originals in English, else translations."""
    if lang == "en":
        return f"build/corpora/pt16/{part}.sentences.txt"
    return f"build/translation/pt16/{lang}/{part}.txt"


class Corpora:
    """The corpora of a run, in the configured versions."""

    def __init__(self, run: Run) -> None:
        """Use only the registry; no corpus is read."""
        self.run, self.versions = run, run.settings.corpora
        self.licensed = shared(run.settings.licensed)
        opened = [row for row in run.registry if row.access == "open"]
        # Open corpora by path: the rows of single files, and the rows of folders of many files.
        self.files = {row.path: row for row in opened if not row.files}
        self.folders = {row.path: row for row in opened if row.files}

    def entries(self, corpus: str, version: str | None = None) -> dict[str, Row]:
        """The registry's rows for a version of a corpus, by default the configured version, by part."""
        version = version or getattr(self.versions, corpus.replace("-", "_"))
        return {row.part: row for row in self.run.registry if (row.corpus, row.version) == (corpus, version)}

    def path(self, row: Row) -> str:
        """The path of a row's file or folder."""
        if row.access == "on request":
            return f"{self.licensed}/{row.path}"
        return f"build/corpora/{'demo' if row.access == 'generated' else 'downloads'}/{row.path}"

    def official(self, corpus: str, part: str = "") -> str:
        """The path of an official file or folder, as given to the command that reads it."""
        return self.path(self.entries(corpus)[part])

    def awaited(self, corpus: str, part: str = "") -> str:
        """The input of a rule that reads a part: the file itself, or the check of a licensed folder."""
        row = self.entries(corpus)[part]
        return f"build/corpora/licensed/{row.id}.txt" if row.access == "on request" else self.path(row)

    def folder(self, corpus: str) -> str:
        """The folder of a corpus of many files, in its official layout; it exists only when complete."""
        return self.path(next(row for row in self.folders.values() if row.corpus == corpus))

    @cached_property
    def mirror(self) -> dict[str, str]:
        """The folder from which downloads are copied instead of the network, if a mirror is configured."""
        return {"mirror": shared(self.run.settings.mirror)} if self.run.settings.mirror else {}

    def mirror_option(self, row: Row) -> list[str]:
        """The mirror, and the path of a row's file in it, as options."""
        return (
            words({**self.mirror, "mirror_path": row.mirror_path}) if self.mirror and row.mirror_path else []
        )

    @cached_property
    def gyafc(self) -> list[str]:
        """The files of GYAFC in the canonical layout, without their extension."""
        rewrites = [f"{style}.ref{i}" for style in ("formal", "informal") for i in self.dev_references]
        return [*(f"train.{style}" for style in STYLES), *(f"dev.{part}" for part in [*STYLES, *rewrites])]

    @property
    def dev_references(self) -> range:
        """The numbers of rewrites of a dev sentence."""
        return range(self.versions.gyafc_references)

    @property
    def references(self) -> range:
        """The numbers of rewrites of a test sentence."""
        return range(self.versions.xformal_references)

    @property
    def xformal(self) -> list[str]:
        """The files of XFORMAL in a language, without extension: informal sentences, sets of rewrites."""
        return ["informal", *(f"formal.ref{i}" for i in self.references)]

    @property
    def yahoo_languages(self) -> list[str]:
        """The languages whose Yahoo Answers are read; the demo world's are used only at the scale `demo`."""
        settings = self.run.settings
        read = self.versions.yahoo != "demo" or settings.scale == "demo"
        return [lang for lang in settings.languages if read and self.run.languages[lang]["yahoo_language"]]

    def bitext_of_kind(self, is_open: bool) -> str:
        """A wildcard pattern for the bitexts that are, or are not, concatenations of small open corpora."""
        versions = {"opensubtitles": self.versions.opensubtitles, "bitext": self.versions.bitext}
        return one_of(name for name, version in versions.items() if (version == "open") is is_open)

    @property
    def multiwoz_folds(self) -> dict[str, str]:
        """The folds of the configured MultiWOZ; for 2.1 the file of each, with the dev set as `train`."""
        if self.versions.multiwoz != "2.1":
            return {fold: "" for fold in ("train", "dev", "test")}
        return {"train": "val.json.zip", "test": "test.json.zip"}

    @property
    def multiwoz_goals(self) -> tuple[str, str]:
        """The paths of MultiWOZ 2.2 and of the goals of 2.1; the demo world's have the same layout."""
        if self.versions.multiwoz == "demo":
            return "build/corpora/demo/MultiWOZ/data/MultiWOZ_2.2", "build/corpora/demo/MultiWOZ/data.json"
        folder = "build/corpora/downloads/multiwoz-2.2"
        return folder, f"{folder}/MultiWOZ_2.1.zip"

    def multiwoz_files(self) -> list[str]:
        """The input of the rules that read MultiWOZ."""
        return sorted(map(self.path, self.entries("multiwoz").values()))

    def multiwoz_databases(self) -> list[str]:
        """The files of the databases; the attraction database is next to the dialogues of 2.1."""
        domains = ("hotel", "restaurant", "train")
        if self.versions.multiwoz == "demo":
            return [f"{self.official('multiwoz')}/db/{domain}_db.json" for domain in domains]
        return [
            f"{self.folder('multiwoz')}/data/multiwoz/db/attraction_db.json",
            *(f"{self.folder('multiwoz-db')}/db/{domain}_db.json" for domain in domains),
        ]

    def multiwoz_database_folders(self) -> list[str]:
        """The folders of the databases, as input; a folder exists only once it is complete."""
        if self.versions.multiwoz == "demo":
            return [self.official("multiwoz")]
        return [self.folder("multiwoz"), self.folder("multiwoz-db")]

    def impolite(self) -> tuple[str, list[str]]:
        """The file of the impolite corpus, and the input of the rules that read it; both may be empty."""
        version = self.versions.impolite
        if version == "none":
            return "", []
        if version == "transfer":
            made = "build/users/corpus/impolite.jsonl"
            return made, [made]
        place = self.official("impolite")
        return place if version == "demo" else f"{place}/impolite.jsonl", [self.awaited("impolite")]

    def submission(self, wildcards: Wildcards) -> str:
        """The released file of a submission; the first two of UoS's four submissions are constrained."""
        target, number = language_of(wildcards.target), wildcards.number
        condition = "constrained" if int(number) < 3 else "unconstrained"
        names = {"target": target, "upper": target.upper(), "condition": condition}
        place = f"formality-control_{SUBMITTED[wildcards.team].format(**names)}/blind-test"
        folder = f"{self.folder('iwslt2022')}/IWSLT2022/submissions/{place}"
        return f"{folder}/formality-control-{number}.{wildcards.level}.{target}"

    def submitted_source(self, wildcards: Wildcards) -> str:
        """The file of English sentences that the teams translated."""
        pair = f"en-{language_of(wildcards.target)}"
        return f"{self.folder('iwslt2022')}/IWSLT2022/data/test/{pair}/formality-control.test.{pair}.en"

    def submitted_order(self, wildcards: Wildcards) -> list[str]:
        """CoCoA-MT in a submission's language, in whose order its translations are put, if it has it."""
        target = wildcards.target
        return [] if target in SHARED_TASKS else [f"build/corpora/cocoa-mt/{target}"]

    def shared_task(self, wildcards: Wildcards, split: str = "test") -> list[str]:
        """The folder of a shared task's test or training sets, and the language of one, as options."""
        target, _, year = wildcards.lang.partition("-")
        return words(
            {
                "folder": f"{self.folder(f'iwslt{year}')}/IWSLT{year}/data/{split}",
                "language": target,
            }
        )

    def open_corpora(self, lang: str) -> dict[str, str]:
        """The small open corpora that contain a language, with the code of the language in each."""
        row = self.run.languages[lang]
        return {name: row[name] for name in self.versions.open_bitext if row[name]}

    def open_generic(self, target: str, part: str) -> dict[str, str]:
        """The open corpora of the generic training pairs or test set, with the language's code in each."""
        known = self.open_corpora(target) if target in self.run.languages else {}
        row = self.run.generic_languages.get(target, {})
        further = {name: code for name, code in row.items() if name != "code" and code}
        return {
            name: code for name, code in {**known, **further}.items() if (name == "ntrex") is (part == "wmt")
        }

    @cached_property
    def test_sets(self) -> dict[str, Mapping[str, str]]:
        """The test sets of `corpora.generic: web`, with the files in the archives that each is made from."""
        path = Path(resource("resources/test-sets.csv"))
        return {row["part"]: row for _, row in read_rows(path, ("part", "source", "target"))}

    def test_set_archives(self, part: str) -> list[str]:
        """The archives of a test set: one for both sides, or one for each side."""
        rows = self.entries("generic", "web")
        return [self.path(rows[name]) for name in (part, f"{part}.target") if name in rows]

    def curation_options(self, wildcards: Wildcards) -> list[str]:
        """The limits and domains by which a language's sentences are filtered, as options."""
        filtering = self.run.settings.filtering
        given: dict[str, Any] = {"min_tokens": filtering.min_tokens, "max_tokens": filtering.max_tokens}
        return words({**given, "domains": self.run.languages[wildcards.lang]["domains"].split() or None})

    def punkt(self, lang: str) -> dict[str, str]:
        """The folder of a language's sentence splitter, as a named input."""
        own = f"trained/{lang}" if self.versions.punkt == "trained" else "official"
        return {"punkt": f"build/corpora/punkt/{own}"}

    def punkt_model(self, lang: str, folder: str) -> str:
        """The path of a language's model in that folder; NLTK's package names the languages in English."""
        if self.versions.punkt == "trained":
            return folder
        return f"{folder}/punkt_tab/{self.run.languages.get(lang, {'punkt': 'english'})['punkt']}"
