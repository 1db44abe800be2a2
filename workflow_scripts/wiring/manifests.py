"""The manifests of XFORMAL's leaves: systems, training files, and texts."""

import os
from collections.abc import Iterable

from workflow_scripts.wiring.corpora import STYLES
from workflow_scripts.wiring.systems import Systems

TEXT_COLUMNS = ("language", "label", "text")
POOLS = "build/filtering/opensubtitles/"


class Manifests:
    """The manifests of a run's leaves."""

    def __init__(self, systems: Systems) -> None:
        """Collect the manifests by name: the column names first, then a row per file or system."""
        self.systems, self.languages = systems, systems.settings.languages
        trained_on, compared = self._trained_on(), self._compared()
        # The languages whose references are annotated for M-Acc.
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
            # Only the first run of each label.
            "table8": [TEXT_COLUMNS, *reversed({row[:2]: row for row in reversed(compared)}.values())],
            "figure3": [TEXT_COLUMNS, *compared],
            "m-acc": [TEXT_COLUMNS, *(row for lang in self.annotated for row in self._outputs(lang))],
        }

    def files(self, *names: str) -> list[str]:
        """The files listed in the last column of some manifests."""
        return [row[-1] for name in names for row in self.rows[name][1:]]

    def _labels(self, names: Iterable[str]) -> list[tuple[str, str]]:
        return [(name, self.systems.named[name].label) for name in names]

    def _trained_on(self) -> list[tuple[str, str, str, str]]:
        """The files counted in each row of Table 6: (the paper's label, corpus, language, file).

        UNMT and DLSM share their files. If a system is trained on samples of the pools of L26 (footnote 11),
        the whole pools are listed too, with the counts of sentences removed because they are in a test set.
        """
        rows = list(dict.fromkeys(self.systems.trained_on()))
        return rows + [
            (f"L26, {style.upper()}", "yahoo", lang, f"build/filtering/yahoo-fr/{lang}/{name}")
            for lang in dict.fromkeys(row[2] for row in rows if "/yahoo-fr/" in row[3])
            for style in reversed(STYLES)
            for name in (f"{style}.{lang}.txt.gz", "curated.counts.tsv")
        ]

    def _outputs(self, lang: str, *without: str) -> list[tuple[str, str, str]]:
        """The outputs of the rows in a language, except for some kinds of systems."""
        return [
            (lang, self.systems.named[name].label, path)
            for name in self.systems.rows_in(lang)
            if self.systems.named[name].kind not in without
            for path in self.systems.runs(lang, name)
        ]

    def _compared(self) -> list[tuple[str, str, str]]:
        """The informal sentences, the first rewrites, and the outputs of the systems."""
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
    """The files that are samples of the formal pool, from which the language model's text is drawn too.

    Rows of (label, corpus, language, sample, table of the overlap of samples).
    """
    return [
        (*row, os.path.basename(path).split(".")[1], f"{os.path.dirname(path)}/formal.samples.tsv")
        for *row, path in rows
        if path.startswith(POOLS) and os.path.basename(path).startswith("formal.")
    ]
