"""Raters of outputs, and workers (XFORMAL's Tables 3, 7, 10 and 13), human or simulated."""

import os

from workflow_scripts.wiring.places import resource
from workflow_scripts.wiring.run import Wildcards, rater_files
from workflow_scripts.wiring.systems import Systems
from workflow_scripts.wiring.words import words


class OutputRaters:
    """The sheets for raters and workers, and the files that they have returned."""

    def __init__(self, systems: Systems) -> None:
        """Stop if a returned file does not belong to a language."""
        self.systems, self.settings = systems, systems.settings.human
        languages, ratings = systems.settings.languages, self.settings.ratings
        # Ratings can be simulated only for the demo world's sentences, whose meaning is known.
        demo = systems.settings.scale == "demo" and systems.settings.corpora.xformal == "demo"
        self.simulated = ratings is None and demo
        self.folder = ratings or "build/human/{lang}/simulated"
        # The rows that are not systems under test: the human rewrites and the informal sentences.
        self.texts = {
            role: next((name for name in systems.rows if systems.named[name].kind == role), None)
            for role in ("gold", "copy")
        }
        # The languages with rows to rate.
        self.asked = [lang for lang in languages if self.rated(lang)]
        # The authors' own ratings and metrics, by language.
        known, folder = [*systems.run.languages, "en"], systems.settings.evaluation.released
        self.released = rater_files("evaluation.released", folder, known, single=True) if folder else {}
        # Without ratings, only sheets are made, and the leaves contain only the printed numbers.
        self.languages = self.asked if ratings or self.simulated else []
        self.scores = [f"build/human/{lang}/scores.csv" for lang in self.languages]
        # The options of Table 7 for these scores.
        self.options = words({"human": self.scores, "simulated": self.simulated}) if self.scores else []
        # The languages with a qualification test, and the languages among them that have workers.
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

    def agreements(self) -> list[str]:
        """The agreement of metrics with raters: in each language here, and in each released file."""
        return [
            *(f"build/evaluation/{lang}/agreement.csv" for lang in self.languages),
            *(f"build/evaluation/{lang}/released.csv" for lang in self.released),
        ]

    def rated_outputs(self, wildcards: Wildcards) -> list[str]:
        """The first output file of each rated system."""
        return [self.systems.runs(wildcards.lang, name)[0] for name in self.rated(wildcards.lang)]

    def rows(self, lang: str) -> list[str]:
        """The rated rows of a language: the informal sentences, the human rewrites, and the rated systems."""
        return [*filter(None, self.texts.values()), *self.rated(lang)]

    def sheets(self) -> list[str]:
        """The files of the sheets for raters and workers."""
        names = [*self.asked, *(f"{lang}.qualification" for lang in self.tested)]
        return [
            f"results/human/{name}.{kind}" for name in names for kind in ("csv", "spreadsheet.csv", "html")
        ]

    def reviews(self, wildcards: Wildcards) -> list[str]:
        """The file of reviews of workers' rewrites, if there is one."""
        folder, there = (
            self.folder.format(lang=wildcards.lang),
            self.simulated or wildcards.lang in self.reviewed,
        )
        return [f"{folder}/reviews/{wildcards.lang}.csv"] if there else []

    def native(self, lang: str) -> list[str]:
        """The native-language texts of rater pages, if they are configured and available."""
        path = resource(f"resources/raters/{lang}.yaml")
        wanted = self.settings.interface == "native" and lang != "en"
        return [path] if wanted and os.path.exists(path) else []


def qualification(lang: str) -> str:
    """The file of questions in a language's qualification test."""
    return resource(f"resources/qualification/{lang}.csv")
