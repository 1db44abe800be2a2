"""Command: Table 5 of CoCoA-MT, precision and recall of M-Acc by the labels of raters."""

from collections import Counter
from pathlib import Path
from statistics import fmean

from workflow_scripts.control.data import TestSet, read_test_set
from workflow_scripts.control.matching import MODES, Mode, label, signature
from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.cocoa_mt.labels import (
    OTHER_SYSTEMS,
    Judged,
    caveat_of,
    raters_of,
    read_sheets,
    with_reasons,
)
from workflow_scripts.papers.cocoa_mt.table5 import AVERAGE, COLUMNS, KEYS, measures
from workflow_scripts.text.levels import LEVELS


@leaf(*KEYS)
def table5_labels(
    theirs: Printed,
    *,
    test_sets: list[Path] | None = None,
    sheets: list[Path] | None = None,
    item_keys: list[Path] | None = None,
    ratings: list[Path] | None = None,
    languages: list[str] | None = None,
    simulated: bool = False,
) -> Table:
    """Write precision and recall of M-Acc's labels FORMAL and INFORMAL, in both modes.

    The true label is the one that all raters of a translation give; translations on which they disagree are
    left out, and counted. The translations of all systems are taken together, as those of A and B in the
    paper. The average is over languages. Without labels the table is empty: the paper's are not released.

    :param table: CSV to write: lang, mode, precision_formal, recall_formal, precision_informal,
        recall_informal
    :param test_sets: source.txt of each language's test set; its other files are in the same folder
    :param sheets: the sheet of each language, as raters saw it
    :param item_keys: the key of each sheet, which names the system behind each text
    :param ratings: checked ratings of the task `level`
    """
    cells: Cells = {}
    by_metric: dict[tuple[str, str], list[float]] = {}
    caveat = caveat_of(OTHER_SYSTEMS, simulated)
    files = {"test_sets": test_sets, "sheets": sheets, "item_keys": item_keys, "ratings": ratings}
    for language, (paths, judged) in read_sheets(languages, **files).items():
        tests = read_test_set(paths["test_sets"].parent)
        rated = sum(len(item.entries) for item in judged if len(item.ratings) > 1)
        for mode in MODES:
            counts = counted(judged, tests, paths["item_keys"], mode, language)
            if not counts:
                continue
            facts = f"{signature(mode, language, counts.total())}|raters:{raters_of(judged)}"
            facts += f"|disagreed:{rated - counts.total()}"
            for level in LEVELS:
                for measure, value in measures(counts, level).items():
                    metric = f"{measure}_{level}"
                    cells[language, mode, metric] = Cell(rounded(value, 2, "half-up"), facts, caveat)
                    by_metric.setdefault((mode, metric), []).append(value)
    for (named, metric), values in by_metric.items():
        mean = rounded(fmean(values), 2, "half-up")
        cells[AVERAGE, named, metric] = Cell(mean, f"mean of {len(values)} languages", caveat)
    return with_reasons(cells, COLUMNS, theirs)


def counted(
    judged: list[Judged], tests: TestSet, key: Path, mode: Mode, language: str
) -> Counter[tuple[str, str]]:
    """The number of translations with an agreed level, by this level and by M-Acc's label."""
    counts: Counter[tuple[str, str]] = Counter()
    for item in judged:
        if not item.agreed:
            continue
        for entry in item.entries:
            if not 1 <= entry.sentence <= len(tests.source):
                raise InputError(f"the test set has no sentence {entry.sentence}", path=key)
            marked = [tests.annotated[level][entry.sentence - 1] for level in LEVELS]
            counts[item.agreed, label(item.item.text, *marked, mode=mode, language=language)] += 1
    return counts


if __name__ == "__main__":
    run(table5_labels)
