"""Raters of translations (CoCoA-MT's Tables 4, 5 and 10): people, or simulated raters at demo scale."""

import os
from typing import Any

from workflow_scripts.core.errors import stop
from workflow_scripts.text.levels import LEVELS, TRAIN_DOMAINS
from workflow_scripts.wiring.control import (
    CONTROL_OUTPUTS,
    HELD_OUT_REFERENCES,
    HELD_OUT_SOURCE,
    TARGETS,
    Control,
)
from workflow_scripts.wiring.run import Wildcards, files_to_check, rater_files
from workflow_scripts.wiring.words import words

TRANSLATION_SHEET = "results/human/translations/{lang}.{sheet}.csv"
TRANSLATION_FILES = "build/human/{lang}/translations/{sheet}"
RATED_SHEETS = ["labels", *LEVELS]


class TranslationRaters:
    """The sheets shown to raters, and the files from raters."""

    def __init__(self, control: Control) -> None:
        """Stop if there are files from raters outside the folders of sheets."""
        self.control, self.settings = control, control.settings.raters
        self.simulated = self.settings.ratings is None and control.demo
        languages: list[str] = list(control.settings.languages)
        # The languages of each sheet.
        self.languages = {
            "labels": [lang for lang in languages if self.labelled_in(lang)],
            **{sheet: [lang for lang in languages if self.compared_in(lang)] for sheet in control.held_out},
        }
        if self.settings.ratings and os.path.isdir(self.settings.ratings):
            self._check(self.settings.ratings)

    def _check(self, folder: str) -> None:
        for sheet in sorted(os.listdir(folder)):
            if sheet not in RATED_SHEETS and not sheet.startswith("."):
                stop(
                    f"configuration: control.raters.ratings: {self.folder(sheet)}: ratings are in the"
                    f" folders {', '.join(RATED_SHEETS)}; rename it, or take it out"
                )
        if not any(self._sent(sheet) for sheet in RATED_SHEETS):
            stop(
                f"configuration: control.raters.ratings: no file of ratings in {folder}; one is called"
                " labels/fr.csv or labels/fr-NAME.csv"
            )

    def labelled_in(self, lang: str) -> list[str]:
        """The systems of a language whose translations are labelled."""
        return [name for name in self.settings.labelled if name in self.control.systems_in(lang)]

    def compared_in(self, lang: str) -> list[str]:
        """The two systems of Table 10, if a language has both."""
        names = [self.settings.baseline, self.settings.compared]
        return names if set(names) <= set(self.control.systems_in(lang)) else []

    def folder(self, sheet: str) -> str:
        """The folder of a sheet's ratings."""
        if self.simulated:
            return f"build/human/{{lang}}/translations/simulated/{sheet}"
        return f"{self.settings.ratings}/{sheet}"

    def files(self, wildcards: Wildcards) -> list[str]:
        """The files in that folder."""
        folder = self.folder(wildcards.sheet)
        return [path.format(lang=wildcards.lang) for path in files_to_check(folder, self.simulated)]

    def _sent(self, sheet: str) -> dict[str, list[str]]:
        return rater_files("control.raters.ratings", self.folder(sheet), TARGETS)

    def rated(self, sheet: str) -> list[str]:
        """The languages of a sheet that have ratings."""
        known = self.languages.get(sheet, [])
        if self.simulated:
            return known
        if not self.settings.ratings:
            return []
        sent = self._sent(sheet)
        return [lang for lang in known if lang in sent]

    def _outputs(self, names: list[str], lang: str, level: str) -> list[str]:
        return [CONTROL_OUTPUTS.format(system=name, lang=lang, level=level, run=0) for name in names]

    def sheet(self, wildcards: Wildcards) -> dict[str, Any]:
        """The translations on a sheet, as named input."""
        lang, sheet = wildcards.lang, wildcards.sheet
        if sheet in LEVELS:
            return {
                "source": HELD_OUT_SOURCE.format(sheet=sheet),
                "outputs": self._outputs(self.compared_in(lang), lang, f"held-out.{sheet}"),
            }
        names = self.labelled_in(lang)
        return {
            "source": f"build/control/test/{lang}/source.txt",
            "outputs": self._outputs(names, lang, "formal"),
            "others": self._outputs(names, lang, "informal"),
        }

    def sheet_options(self, wildcards: Wildcards) -> list[str]:
        """The same and the questions to raters, as options."""
        lang, sheet = wildcards.lang, wildcards.sheet
        held_out = sheet in LEVELS
        return words(
            {
                **self.sheet(wildcards),
                "systems": self.compared_in(lang) if held_out else self.labelled_in(lang),
                "tasks": [f"is_{sheet}", "quality"] if held_out else ["level"],
                "addressed": held_out,
                "sentences": self.settings.held_out if held_out else self.settings.sentences,
                "batch_sentences": 20,
            }
        )

    def marked(self, wildcards: Wildcards) -> dict[str, str]:
        """The marked references of a sheet's sentences, as named input."""
        labels = "build/control/test/{lang}/{level}.annotated.txt"
        path = HELD_OUT_REFERENCES if wildcards.sheet in LEVELS else labels
        named = {"sheet": wildcards.sheet, "lang": wildcards.lang}
        return {level: path.format(level=level, **named) for level in LEVELS}

    def marked_options(self, wildcards: Wildcards) -> list[str]:
        """The same as options, and all marked references of the language, which simulated raters know."""
        train = f"{self.control.corpus}/{wildcards.lang}/train"
        known = {
            f"known_{level}": [f"{train}.{domain}.{level}.annotated.txt" for domain in TRAIN_DOMAINS]
            for level in LEVELS
        }
        return words({**self.marked(wildcards), **known})

    def judged(self, *sheets: str) -> tuple[dict[str, list[str]], list[tuple[str, str]]]:
        """The ratings of some sheets for a leaf, and their (language, sheet) pairs."""
        rated: list[tuple[str, str]] = [
            (lang, sheet)
            for lang in self.control.settings.languages
            for sheet in sheets
            if lang in self.rated(sheet)
        ]
        files = {
            "sheets": TRANSLATION_SHEET,
            "item_keys": f"{TRANSLATION_FILES}.key.csv",
            "ratings": f"{TRANSLATION_FILES}.ratings.csv",
        }
        given = {
            name: [path.format(lang=lang, sheet=sheet) for lang, sheet in rated]
            for name, path in files.items()
        }
        return given if rated else {}, rated
