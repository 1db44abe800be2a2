"""Command: Table 10 of CoCoA-MT, human evaluation of formality-controlled models on held-out domains."""

from pathlib import Path
from statistics import fmean

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.scales import MATCHES, QUALITY
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.cocoa_mt.labels import (
    OTHER_SENTENCES,
    Judged,
    caveat_of,
    raters_of,
    read_sheets,
    with_reasons,
)

KEYS = ("lang", "set", "metric")
COLUMNS = ("accuracy", "accuracy_gain", "score", "score_gain")


@leaf(*KEYS)
def table10(
    theirs: Printed,
    *,
    sheets: list[Path] | None = None,
    item_keys: list[Path] | None = None,
    ratings: list[Path] | None = None,
    rated: list[str] | None = None,
    baseline: str,
    controlled: str,
    simulated: bool = False,
) -> Table:
    """Write formality accuracy and translation quality, and the gains over the baseline.

    Sentences of an `informal` set are translated informally, those of a `formal` set formally. Accuracy is
    the per cent of `yes` answers, score the mean quality from 1 to 6; a text's raters are averaged first,
    then the texts. The gain in accuracy is an absolute difference, the gain in score is relative, in per
    cent; both are over the baseline on the same sentences. Without ratings the table is empty: the paper's
    are not released.

    :param table: CSV to write: lang, set, accuracy, accuracy_gain, score, score_gain
    :param sheets: the sheet of each language and set, as raters saw it
    :param item_keys: the key of each sheet, which names the system behind each text
    :param ratings: checked ratings of the tasks `is_formal` or `is_informal`, and `quality`
    :param rated: the language and set of each sheet, as LANGUAGE.SET, in the order of the rows
    :param baseline: the system without control
    :param controlled: the formality-controlled system
    """
    cells: Cells = {}
    caveat = caveat_of(OTHER_SENTENCES, simulated)
    files = {"sheets": sheets, "item_keys": item_keys, "ratings": ratings}
    for name, (paths, judged) in read_sheets(rated, **files).items():
        language, _, level = name.partition(".")
        if level not in MATCHES:
            raise InputError(f"--rated {name}", fix="write, for example, fr.formal")
        means = {
            task: [mean(judged, task, system) for system in (baseline, controlled)]
            for task in (MATCHES[level].name, QUALITY.name)
        }
        (no, yes), (before, after) = means.values()
        if no is None or yes is None or before is None or after is None:
            continue
        items = sum(
            entry.system == controlled
            for item in judged
            if item.item.task == QUALITY.name
            for entry in item.entries
        )
        facts = signature(paths["ratings"], raters=raters_of(judged), n=items)
        numbers = (100 * yes, 100 * (yes - no), after, 100 * (after / before - 1))
        for column, number in zip(COLUMNS, numbers, strict=True):
            cell_facts = f"{facts}|baseline:{baseline}" if column.endswith("gain") else facts
            text = rounded(number, 1, "half-up")
            cells[language, level, column] = Cell(text, cell_facts, caveat)
    return with_reasons(cells, COLUMNS, theirs)


def mean(judged: list[Judged], task: str, system: str) -> float | None:
    """The mean over a system's texts of their mean rating, yes as 1 and no as 0; None without ratings."""
    numbers = {"yes": 1.0, "no": 0.0}
    means = [
        fmean(
            numbers[rating.value] if rating.value in numbers else float(rating.value)
            for rating in item.ratings.values()
        )
        for item in judged
        if item.item.task == task and item.ratings
        for entry in item.entries
        if entry.system == system
    ]
    return fmean(means) if means else None


if __name__ == "__main__":
    run(table10)
