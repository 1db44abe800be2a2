"""Command: Table 10 of CoCoA-MT, what raters say of a system under control on sentences of other domains."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.scales import MATCHES, QUALITY
from workflow_scripts.leaves.comparison import Cell, Cells, read_printed
from workflow_scripts.leaves.layout import by_language, write_leaf
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.cocoa_mt.labels import (
    OTHER_SENTENCES,
    SIMULATED,
    Judged,
    raters_of,
    read_judged,
    with_reasons,
)

KEYS = ("lang", "set", "metric")
COLUMNS = ("accuracy", "accuracy_gain", "score", "score_gain")


def table10(
    table: Path,
    comparison: Path,
    *,
    sheets: list[Path] | None = None,
    item_keys: list[Path] | None = None,
    ratings: list[Path] | None = None,
    rated: list[str] | None = None,
    baseline: str,
    controlled: str,
    simulated: bool = False,
    printed: Path,
    scale: Literal["demo", "open", "paper"],
) -> None:
    """Write how many translations are as formal as they should be, how good they are, and the gains.

    `informal` sentences are translated informally and `formal` ones formally. Accuracy is the share of yes in
    per cent, score the mean from 1 to 6, each the mean over the texts of their raters' mean. The gain in
    accuracy is a difference, that in score is relative, in per cent, both over the baseline on the same
    sentences. Without ratings the table is empty: those of the paper are not released.

    :param table: CSV to write: lang, set, accuracy, accuracy_gain, score, score_gain
    :param comparison: CSV to write: lang, set, metric, printed, ours, difference, comparable, signature
    :param sheets: what raters were shown, of each language and set
    :param item_keys: whose texts these are
    :param ratings: checked ratings of the tasks `is_formal` or `is_informal`, and `quality`
    :param rated: the language and set of each, as LANGUAGE.SET, in the order of the rows
    :param baseline: the system that no level was asked of
    :param controlled: the other one
    :param simulated: the raters are
    :param printed: CSV: lang, set, metric, printed
    :param scale: of the run
    """
    cells: Cells = {}
    caveat = f"{OTHER_SENTENCES}, {SIMULATED}" if simulated else OTHER_SENTENCES
    files = {"sheets": sheets or [], "item_keys": item_keys or [], "ratings": ratings or []}
    for name, own in by_language(rated or [], **files).items():
        language, _, level = name.partition(".")
        if level not in MATCHES:
            raise InputError(f"--rated {name}", fix="write, for example, fr.formal")
        judged = read_judged(own["sheets"], own["item_keys"], own["ratings"])
        means = {
            task: [mean(judged, task, system) for system in (baseline, controlled)]
            for task in (MATCHES[level].name, QUALITY.name)
        }
        (no, yes), (before, after) = means.values()
        if no is None or yes is None or before is None or after is None:
            continue
        items = sum(
            entry.system == controlled
            for one in judged
            if one.item.task == QUALITY.name
            for entry in one.entries
        )
        facts = signature(own["ratings"], raters=raters_of(judged), n=items)
        numbers = (100 * yes, 100 * (yes - no), after, 100 * (after / before - 1))
        for column, number in zip(COLUMNS, numbers, strict=True):
            told = f"{facts}|baseline:{baseline}" if column.endswith("gain") else facts
            text = rounded(number, 1, "half-up")
            cells[language, level, column] = Cell(text, told, caveat)
    rows = dict.fromkeys(key[:-1] for key in cells or read_printed(printed, *KEYS))
    cells = with_reasons(cells, read_printed(printed, *KEYS))
    write_leaf(table, comparison, cells, keys=KEYS, columns=COLUMNS, printed=printed, rows=rows, scale=scale)


def mean(judged: list[Judged], task: str, system: str) -> float | None:
    """The mean over a system's texts of what their raters say, yes as 1 and no as 0; None without any."""
    numbers = {"yes": 1.0, "no": 0.0}
    found = [
        fmean(
            numbers[rating.value] if rating.value in numbers else float(rating.value)
            for rating in one.ratings.values()
        )
        for one in judged
        if one.item.task == task and one.ratings
        for entry in one.entries
        if entry.system == system
    ]
    return fmean(found) if found else None


if __name__ == "__main__":
    run(table10)
