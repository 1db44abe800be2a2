"""Command: Table 13 of CoCoA-MT, genders of WinoMT after tuning to masculine and to feminine references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Literal

from workflow_scripts.control.matching import COMPARED
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.layout import write_leaf
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.cocoa_mt.accuracies import GENERIC, SHARES, cell_of, columns_of, read_scores
from workflow_scripts.papers.cocoa_mt.made_of import count_sources, read_made_of

GENDERS = ("accuracy", "f1_female", "f1_male")
COLUMNS = (*GENDERS, *SHARES, *GENERIC)
RULES = "genders by articles and endings, not by a tagger"
PRINTED_IN = "es"


def table13(
    table: Path,
    comparison: Path,
    *,
    scores: list[Path],
    systems: list[str],
    language: str,
    printed: Path,
    scale: Literal["demo", "open", "paper"],
    paper_data: Path,
    training_pairs: int,
    made_of: list[str] | None = None,
    trained: list[Path] | None = None,
    rows: list[str] | None = None,
    accuracies: Path | None = None,
    pairs: list[Path] | None = None,
) -> None:
    """Write accuracy over all sentences, F1 of either gender, M-Acc over all domains and BLEU, in per cent.

    Trained systems are the rows `base` (without control), `msc-trg` and `fem-trg` (tuned to masculine and to
    feminine references). Their M-Acc is in the mode `released` and by masculine references, as in the paper;
    numbers are means over the runs of a system. Vendors have Spanish translations of WinoMT only.

    :param table: CSV to write: system, accuracy, f1_female, f1_male, f, i, avg, wmt, ted
    :param comparison: CSV to write: system, metric, printed, ours, difference, comparable, signature
    :param scores: what `control.winomt` has written, of each vendor
    :param systems: the vendors' labels, in the order of the rows
    :param language: code of the language of the trained systems
    :param printed: CSV: system, metric, printed
    :param scale: of the run
    :param paper_data: CSV of what the paper's systems are made of: lang, part, source, pairs,
        unavailable
    :param training_pairs: how many a generic model learns from at most
    :param made_of: what ours are made of, each as LANG.PART=SOURCE
    :param trained: what `control.winomt` has written, of each run of a trained system
    :param rows: for each of these its row and system: `msc-trg=cocoa-mt`
    :param accuracies: what `control.score` has written of the language
    :param pairs: the source sides that tuned systems were tuned on, as SYSTEM/LANGUAGE/FILE in any folder
    """
    if len(scores) != len(systems):
        raise InputError(f"{len(systems)} systems have {len(scores)} files of scores")
    if len(trained or []) != len(rows or []) or (rows and accuracies is None):
        raise InputError(
            f"{len(rows or [])} runs have {len(trained or [])} files of scores, or no accuracies"
        )
    known = read_made_of(paper_data, made_of or [], training_pairs)
    named = dict(row.partition("=")[::2] for row in rows or [])
    sources = {path.parent.parent.name: count_sources(path) for path in pairs or []}
    lacking: dict[str, dict[str, list[str]]] = {
        row: {
            metric: known.lacking(
                language,
                metric if metric in GENERIC else "",
                labelled=[sources[name]] if name in sources else [],
            )
            if language == PRINTED_IN
            else [f"{language}, not {PRINTED_IN}"]
            for metric in COLUMNS
        }
        for row, name in named.items()
    }
    runs: dict[str, list[Path]] = {row: [] for row in named}
    for row, path in zip(rows or [], trained or [], strict=True):
        runs[row.partition("=")[0]].append(path)
    cells: Cells = {}
    for row, paths in runs.items():
        cells |= _genders(row, paths, ", ".join([*lacking[row][GENDERS[0]], RULES]))
    if accuracies is not None:
        found = read_scores(accuracies)
        for row, name in named.items():
            if name not in found:
                raise InputError(f"no row of system '{name}'", path=accuracies)
            cells |= _control(row, found[name], lacking[row])
            for metric in GENERIC if language == PRINTED_IN else ():
                cells.setdefault((row, metric), Cell("", "", known.untested(language, metric)))
    for system, path in zip(systems, scores, strict=True):
        cells |= _genders(system, [path], RULES)
    write_leaf(
        table, comparison, cells, keys=("system", "metric"), columns=COLUMNS, printed=printed, scale=scale
    )


def _genders(row: str, paths: list[Path], caveat: str) -> Cells:
    """The mean of each of WinoMT's numbers over the runs, and their range in the signature."""
    values: dict[str, list[float]] = {metric: [] for metric in GENDERS}
    facts = ""
    for path in paths:
        found = {
            metric: (number(value, path, line), signature)
            for line, (metric, value, signature) in read_keyed(path, ("metric", "value", "signature"))
        }
        for metric in GENDERS:
            if metric not in found:
                raise InputError(f"no row {metric}", path=path)
            value, facts = found[metric]
            values[metric].append(value)
    return {
        (row, metric): Cell(rounded(fmean(own), 1), _ranged(facts, own), caveat)
        for metric, own in values.items()
    }


def _ranged(facts: str, values: list[float]) -> str:
    """The signature, and of several runs how many and their range."""
    if len(values) == 1:
        return facts
    return f"{facts}|runs:{len(values)}|range:{rounded(min(values), 1)}..{rounded(max(values), 1)}"


def _control(
    row: str, found: Mapping[tuple[str, str, str], dict[str, str]], lacking: Mapping[str, Sequence[str]]
) -> Cells:
    """M-Acc over all domains, and BLEU of the generic test sets."""
    columns = columns_of(dict(found), {"all": ""}, COMPARED)
    return {
        (row, metric): replace(cell_of(*columns[metric]), caveat=", ".join(lacking[metric]))
        for metric in (*SHARES, *GENERIC)
        if metric in columns
    }


if __name__ == "__main__":
    run(table13)
