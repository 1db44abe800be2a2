"""Raters, real or simulated, of TyDiP's requests and of requests from dumps, which become a corpus."""

import os
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import stop
from workflow_scripts.wiring.politeness import TYDIP, Politeness
from workflow_scripts.wiring.run import Wildcards, rater_files
from workflow_scripts.wiring.words import words

DEMO_DUMPS = "build/corpora/demo/talk"
# The sheets of TyDiP's requests.
REQUEST_SHEETS = [f"results/politeness/{lang}.csv" for lang in TYDIP]
# Rated requests of dumps become a corpus in TyDiP's layout, with English.
DUMP_CORPUS = "results/politeness/rated"


class RequestRaters:
    """Dumps of user talk pages, the sheets for raters, and the files from raters."""

    def __init__(self, politeness: Politeness) -> None:
        """Stop if the raters' folder has files that cannot be assigned to a sheet."""
        self.politeness, self.settings = politeness, politeness.settings.raters
        # The folder of dumps: the demo world's, or a configured one.
        self.dumps = politeness.settings.dumps or (DEMO_DUMPS if politeness.demo else None)
        self.crawled = [lang for lang in TYDIP if self.dump_of(lang)]
        # The files from raters, by language: of TyDiP's requests, and of requests from dumps.
        requests = self._sent("ratings", self.settings.ratings, TYDIP)
        self.dump_files = self._sent("dump_ratings", self.settings.dump_ratings, self.crawled)
        self.dumps_rated = [lang for lang in self.crawled if lang in self.dump_files]
        self.dumps_scored = ["en", *self.dumps_rated]
        self.dump_ratings = [f"build/politeness/dumps/{lang}.csv" for lang in self.dumps_rated]
        self.dump_numbered = [f"build/politeness/rated/{lang}.ratings.csv" for lang in self.dumps_rated]
        # The raters shown in the leaves: people, for TyDiP's requests or else for dumps; or simulated raters.
        self.kind = "people"
        if not self.settings.ratings and (self.dumps_rated or politeness.demo):
            self.kind = "dumps" if self.dumps_rated else "simulated"
        # The files of ratings of TyDiP's requests by language, and their folder; simulated ratings are made
        # by a rule.
        self.folder, self.files = self.settings.ratings, requests
        if self.kind == "simulated":
            self.folder = "build/politeness/simulated"
            self.files = {lang: [f"{self.folder}/{lang}.csv"] for lang in TYDIP}
        self.languages = [lang for lang in TYDIP if lang in self.files]
        # The ratings to be checked, and the options for the ratings that are shown.
        self.checked = [f"build/politeness/raters/{lang}.csv" for lang in self.languages]
        self.shown, shown_languages = self.checked, self.languages
        self.corpus = politeness.corpora.awaited("tydip")
        if self.kind == "dumps":
            self.shown, shown_languages, self.corpus = self.dump_numbered, self.dumps_rated, DUMP_CORPUS
        self.options = words({"ratings": self.shown, "languages": shown_languages}) if shown_languages else []

    def dump_of(self, lang: str) -> str | None:
        """The dump of a language; empty without one."""
        if self.dumps == DEMO_DUMPS:
            return f"{self.dumps}/{lang}wiki-pages-meta-current.xml.bz2"
        dumps = sorted(Path(self.dumps).glob(f"{lang}wiki-*pages-meta-current*.xml*")) if self.dumps else []
        return str(dumps[0]) if len(dumps) == 1 else None

    def _sent(self, setting: str, folder: str | None, languages: list[str]) -> dict[str, Any]:
        if not folder:
            return {}
        sent = rater_files(f"politeness.raters.{setting}", folder, TYDIP)
        if os.path.isdir(folder) and not sent.keys() & set(languages):
            wanted = ", ".join(f"{lang}.csv" for lang in languages)
            named = f"one is called {wanted} or the same with a name, fr-NAME.csv"
            stop(
                f"configuration: politeness.raters.{setting}: no file of ratings in the folder {folder};"
                f" {named if wanted else 'there are no dumps'}"
            )
        return sent

    def rated_options(self, wildcards: Wildcards) -> list[str]:
        """The scores on which a classifier is measured for requests of dumps that people rated."""
        name, politeness = wildcards.classifier, self.politeness
        rows = [(seed, lang) for seed in politeness.seeds(name) for lang in self.dumps_scored]
        return words(
            {
                "scores": [f"build/politeness/{name}/seed{seed}/rated/{lang}.txt" for seed, lang in rows],
                "gold": [f"build/politeness/rated/{lang}.test.scores.txt" for _, lang in rows],
                "seeds": [politeness.seed_told(name, seed) for seed, _ in rows],
                "inputs": ["target"] * len(rows),
                "languages": [lang for _, lang in rows],
            }
        )
