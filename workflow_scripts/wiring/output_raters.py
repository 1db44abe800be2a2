"""Raters of outputs, and workers (XFORMAL's Tables 3, 7, 10 and 13): people, or simulated ones."""

from __future__ import annotations

import os

from workflow_scripts.wiring.places import resource
from workflow_scripts.wiring.run import Wildcards, rater_files
from workflow_scripts.wiring.systems import Systems
from workflow_scripts.wiring.words import words


class OutputRaters:
    """What raters and workers are shown, and what they have sent."""

    def __init__(self, systems: Systems) -> None:
        """Stops where what they have sent is of no language."""
        self.systems, self.settings = systems, systems.settings.human
        languages, ratings = systems.settings.languages, self.settings.ratings
        # Only of the demo world's sentences is it known what they say.
        demo = systems.settings.scale == "demo" and systems.settings.corpora.xformal == "demo"
        self.simulated = ratings is None and demo
        self.folder = ratings or "build/human/{lang}/simulated"
        # The rows that are no systems under test: the human rewrites and the informal sentences.
        self.texts = {
            role: next((name for name in systems.rows if systems.named[name].kind == role), None)
            for role in ("gold", "copy")
        }
        # Where no row is to be rated there is nothing to ask raters.
        self.asked = [lang for lang in languages if self.rated(lang)]
        # Without ratings there are sheets, and the leaves hold the printed numbers only.
        self.languages = self.asked if ratings or self.simulated else []
        self.scores = [f"build/human/{lang}/scores.csv" for lang in self.languages]
        # What Table 7 is given of them.
        self.options = words({"human": self.scores, "simulated": self.simulated}) if self.scores else []
        # Languages with a qualification test, and those of them that have workers.
        self.tested = [lang for lang in languages if os.path.exists(qualification(lang))]
        workers, self.reviewed = map(self._sent, ("workers", "reviews"))
        self.screened = [lang for lang in self.tested if self.simulated or lang in workers]

    def _sent(self, part: str) -> dict[str, list[str]]:
        if not self.settings.ratings:
            return {}
        folder, known = f"{self.settings.ratings}/{part}", [*self.systems.run.languages]
        return rater_files("human.ratings", folder, known, single=True)

    def rated(self, lang: str) -> list[str]:
        """The systems whose outputs are rated in a language."""
        wanted = {*self.settings.systems} - {*self.texts.values()}
        return [name for name in self.systems.rows_in(lang) if name in wanted]

    def rated_outputs(self, wildcards: Wildcards) -> list[str]:
        """The first output of each."""
        return [self.systems.runs(wildcards.lang, name)[0] for name in self.rated(wildcards.lang)]

    def rows(self, lang: str) -> list[str]:
        """What has ratings in a language: texts of people, and those systems."""
        return [*filter(None, self.texts.values()), *self.rated(lang)]

    def sheets(self) -> list[str]:
        """What raters and workers get."""
        names = [*self.asked, *(f"{lang}.qualification" for lang in self.tested)]
        return [
            f"results/human/{name}.{kind}" for name in names for kind in ("csv", "spreadsheet.csv", "html")
        ]

    def reviews(self, wildcards: Wildcards) -> list[str]:
        """The reviews of workers' rewrites, if there are any."""
        folder, there = (
            self.folder.format(lang=wildcards.lang),
            self.simulated or wildcards.lang in self.reviewed,
        )
        return [f"{folder}/reviews/{wildcards.lang}.csv"] if there else []

    def native(self, lang: str) -> list[str]:
        """The texts of pages for raters in a language, if these are wanted and written."""
        path = resource(f"resources/raters/{lang}.yaml")
        wanted = self.settings.interface == "native" and lang != "en"
        return [path] if wanted and os.path.exists(path) else []


def qualification(lang: str) -> str:
    """The questions of a language's qualification test."""
    return resource(f"resources/qualification/{lang}.csv")
