"""Command: Table 5 of CoCoA-MT, precision and recall of classifying outputs as formal or informal."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from workflow_scripts.control.data import Output, TestSet, read_outputs, read_test_set, read_translations
from workflow_scripts.control.matching import MODES, Mode, label, signature
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.text.levels import LEVELS

KEYS = ("lang", "mode", "metric")
AVERAGE = "average"
MEASURES = ("precision", "recall")
COLUMNS = tuple(f"{measure}_{level}" for level in LEVELS for measure in MEASURES)
SILVER = "the requested level counts as the true label"


@leaf(*KEYS)
def table5(
    *, test_sets: list[Path], outputs: list[Path], languages: list[str], leave_out: list[str] | None = None
) -> Table:
    """Write precision and recall of M-Acc's labels FORMAL and INFORMAL, in both modes.

    The true label is silver: the requested level, over the outputs of all systems together, since the labels
    of the paper's translators are not released. Translations that miss the requested level lower both
    numbers, which are therefore lower bounds. The average is over languages.

    :param table: CSV to write: lang, mode, precision_formal, recall_formal, precision_informal,
        recall_informal
    :param test_sets: source.txt of each language's test set; its other files are in the same folder
    :param outputs: manifest of the outputs of each language: system, level, run, output
    :param leave_out: systems without a requested level, or which are the references
    """
    cells: Cells = {}
    by_metric: dict[tuple[str, str], list[float]] = {}
    for language, files in by_language(languages, test_sets=test_sets, outputs=outputs).items():
        tests = read_test_set(files["test_sets"].parent)
        asked = [
            output
            for output in read_outputs(files["outputs"], (*LEVELS, "wmt", "ted"))
            if output.level in LEVELS and output.system not in (leave_out or [])
        ]
        if not asked:
            continue
        for mode in MODES:
            names = "+".join(sorted({output.system for output in asked}))
            counts = count(tests, asked, mode, language)
            for level in LEVELS:
                for measure, value in measures(counts, level).items():
                    metric = f"{measure}_{level}"
                    facts = f"{signature(mode, language, counts.total())}|systems:{names}"
                    cells[language, mode, metric] = Cell(rounded(value, 2, "half-up"), facts, SILVER)
                    by_metric.setdefault((mode, metric), []).append(value)
    if not cells:
        raise InputError("no system was asked for a level", path=outputs[0], fix="see control.systems")
    for (named, metric), values in by_metric.items():
        mean = rounded(fmean(values), 2, "half-up")
        cells[AVERAGE, named, metric] = Cell(mean, f"mean of {len(values)} languages", SILVER)
    return Table(cells, COLUMNS)


def count(tests: TestSet, asked: Sequence[Output], mode: Mode, language: str) -> Counter[tuple[str, str]]:
    """The number of translations by requested level and label."""
    marked = [tests.annotated[level] for level in LEVELS]
    counts: Counter[tuple[str, str]] = Counter()
    for output in asked:
        texts = read_translations(output.path, len(tests.source))
        counts.update(
            (output.level, label(*row, mode=mode, language=language))
            for row in zip(texts, *marked, strict=True)
        )
    return counts


def measures(counts: Counter[tuple[str, str]], level: str) -> dict[str, float]:
    """Precision and recall of a level's label; 0 if no translation has the label, or the level."""
    right = counts[level, level.upper()]
    labelled = sum(number for (_, name), number in counts.items() if name == level.upper())
    true = sum(number for (name, _), number in counts.items() if name == level)
    return {"precision": right / labelled if labelled else 0.0, "recall": right / true if true else 0.0}


if __name__ == "__main__":
    run(table5)
