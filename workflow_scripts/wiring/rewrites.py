"""Rewrites by people: the texts of each language, and the annotations that were returned."""

import os

from workflow_scripts.core.errors import stop
from workflow_scripts.wiring.corpora import GYAFC_TEST, Corpora
from workflow_scripts.wiring.run import Run, Wildcards


class Rewrites:
    """The informal sentences of each language first, then their sets of rewrites."""

    def __init__(self, run: Run, corpora: Corpora) -> None:
        """Stop if the folder of annotations is empty. English has GYAFC's test set."""
        settings, folder = run.settings, run.settings.analysis.annotations
        self.texts = {
            lang: [f"build/corpora/xformal/{lang}/{name}.txt" for name in corpora.xformal]
            for lang in settings.languages
        }
        if settings.corpora.gyafc != "cocoa-mt":
            self.texts["en"] = [f"build/corpora/gyafc/{name}.txt" for name in GYAFC_TEST]
        self.languages = list(self.texts)
        known = run.languages
        self.labels = [known[lang]["label"] if lang in known else lang.upper() for lang in self.languages]
        # The returned sheets: from people, at demo scale from a simulation, else none.
        self.annotator = "manual" if folder else "simulated"
        self.sheets: dict[str, str] = {}
        if folder:
            sheets = {lang: f"{folder}/{lang}.csv" for lang in self.languages}
            self.sheets = {lang: path for lang, path in sheets.items() if os.path.exists(path)}
            if not self.sheets and os.path.isdir(folder):
                named = ".csv, ".join(self.languages)
                stop(f"configuration: analysis.annotations: no file {named}.csv in the folder {folder}")
        elif settings.scale == "demo":
            self.sheets = {
                lang: f"build/rewrites/{lang}/annotations.simulated.csv" for lang in self.languages
            }

    def informal(self, wildcards: Wildcards) -> str:
        """The informal sentences."""
        return self.texts[wildcards.lang][0]

    def references(self, wildcards: Wildcards) -> list[str]:
        """The sets of rewrites."""
        return self.texts[wildcards.lang][1:]

    def scores(self, wildcards: Wildcards) -> list[str]:
        """The files with the formality of all these texts."""
        names = [os.path.basename(path).removeprefix("test.") for path in self.texts[wildcards.lang]]
        return [f"build/rewrites/{wildcards.lang}/formality/{name}" for name in names]
