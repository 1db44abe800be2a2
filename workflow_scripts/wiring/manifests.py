"""What leaves of XFORMAL list: systems, the files that these are trained on, and texts."""

from __future__ import annotations

import os
from collections.abc import Iterable

from workflow_scripts.wiring.corpora import STYLES
from workflow_scripts.wiring.systems import Systems

TEXT_COLUMNS = ("language", "label", "text")
POOLS = "build/filtering/opensubtitles/"


class Manifests:
    """The manifests of a run's leaves."""

    def __init__(self, systems: Systems) -> None:
        """By their names, a row per file or system, the columns first."""
        self.systems, self.languages = systems, systems.settings.languages
        trained_on, compared = self._trained_on(), self._compared()
        # Where the references of M-Acc are annotated.
        self.annotated = self.languages if systems.settings.corpora.xformal == "cocoa-mt" else []
        self.plotted = [name for name in systems.rows if systems.named[name].kind != "gold"]
        self.rows: dict[str, list[tuple[str, ...]]] = {
            "table7": [("system", "label"), *self._labels(systems.rows)],
            "figure4": [("system", "label"), *self._labels(self.plotted)],
            "table6": [("label", "corpus", "language", "file"), *trained_on],
            "table6-samples": [
                ("label", "corpus", "language", "sample", "counts"),
                *dict.fromkeys(_of_formal_pool(trained_on)),
            ],
            # Of each label the first run.
            "table8": [TEXT_COLUMNS, *reversed({row[:2]: row for row in reversed(compared)}.values())],
            "figure3": [TEXT_COLUMNS, *compared],
            "m-acc": [TEXT_COLUMNS, *(row for lang in self.annotated for row in self._outputs(lang))],
        }

    def files(self, *names: str) -> list[str]:
        """The files that manifests list, each in the last column."""
        return [row[-1] for name in names for row in self.rows[name][1:]]

    def _labels(self, names: Iterable[str]) -> list[tuple[str, str]]:
        return [(name, self.systems.named[name].label) for name in names]

    def _trained_on(self) -> list[tuple[str, str, str, str]]:
        """What each row of Table 6 counts: (the paper's label, corpus, language, file).

        UNMT and DLSM share theirs. Where something is trained on samples of the pools of L26 (footnote 11),
        these pools count too, and how many sentences were left out before, since systems are tested on them.
        """
        rows = list(dict.fromkeys(self.systems.trained_on()))
        return rows + [
            (f"L26, {style.upper()}", "yahoo", lang, f"build/filtering/yahoo-fr/{lang}/{name}")
            for lang in dict.fromkeys(row[2] for row in rows if "/yahoo-fr/" in row[3])
            for style in reversed(STYLES)
            for name in (f"{style}.{lang}.txt.gz", "curated.counts.tsv")
        ]

    def _outputs(self, lang: str, *without: str) -> list[tuple[str, str, str]]:
        """The outputs of the rows of a language without some kinds."""
        return [
            (lang, self.systems.named[name].label, path)
            for name in self.systems.rows_in(lang)
            if self.systems.named[name].kind not in without
            for path in self.systems.runs(lang, name)
        ]

    def _compared(self) -> list[tuple[str, str, str]]:
        """The informal sentences, the first rewrite, and what systems make of them."""
        return [
            row
            for lang in self.languages
            for row in (
                (lang, "INFORMAL", f"build/corpora/xformal/{lang}/informal.txt"),
                (lang, "XFORMAL REWRITE", f"build/corpora/xformal/{lang}/formal.ref0.txt"),
                *self._outputs(lang, "gold", "copy"),
            )
        ]


def _of_formal_pool(rows: Iterable[tuple[str, str, str, str]]) -> list[tuple[str, ...]]:
    """Those of some files that are samples of the pool that the language model's text is of.

    (label, corpus, language, sample, table of what samples share)
    """
    return [
        (*row, os.path.basename(path).split(".")[1], f"{os.path.dirname(path)}/formal.samples.tsv")
        for *row, path in rows
        if path.startswith(POOLS) and os.path.basename(path).startswith("formal.")
    ]
