"""Command: Table 13 of CoCoA-MT, WinoMT, formality and BLEU scores by gender of the target data."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from workflow_scripts.control.matching import COMPARED
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_keyed
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import number
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.cocoa_mt.accuracies import GENERIC, SHARES, cell_of, columns_of, read_scores
from workflow_scripts.papers.cocoa_mt.made_of import count_sources, read_made_of

GENDERS = ("accuracy", "f1_female", "f1_male")
COLUMNS = (*GENDERS, *SHARES, *GENERIC)
RULES = "genders by articles and endings, not by a tagger"
PRINTED_IN = "es"


@leaf("system", "metric")
def table13(
    *,
    scores: list[Path],
    systems: list[str],
    language: str,
    paper_data: Path,
    training_pairs: int,
    made_of: list[str] | None = None,
    trained: list[Path] | None = None,
    rows: list[str] | None = None,
    accuracies: Path | None = None,
    pairs: list[Path] | None = None,
) -> Table:
    """Write accuracy over all sentences, F1 of either gender, M-Acc over all domains and BLEU, in per cent.

    The trained systems are the rows `base` (without control), `msc-trg` and `fem-trg` (tuned on masculine and
    on feminine references). Their M-Acc uses the mode `released` and the masculine references, as in the
    paper; numbers are means over a system's runs. Vendors only have Spanish translations of WinoMT.

    :param table: CSV to write: system, accuracy, f1_female, f1_male, f, i, avg, wmt, ted
    :param scores: the file that `control.winomt` wrote for each vendor
    :param systems: the vendors' labels, in the order of the rows
    :param paper_data: CSV of the sources of the paper's systems: lang, part, source, pairs,
        unavailable
    :param training_pairs: the most pairs that a generic model is trained on
    :param made_of: the sources of our systems, each as LANG.PART=SOURCE
    :param trained: the file that `control.winomt` wrote for each run of a trained system
    :param rows: the row and system of each such file: `msc-trg=cocoa-mt`
    :param accuracies: the file that `control.score` wrote for the language
    :param pairs: the source sides of each tuned system's data, as SYSTEM/LANGUAGE/FILE in any folder
    """
    if len(scores) != len(systems):
        raise InputError(f"{len(systems)} systems have {len(scores)} files of scores")
    if len(trained or []) != len(rows or []) or (rows and accuracies is None):
        raise InputError(
            f"{len(rows or [])} runs have {len(trained or [])} files of scores, or no accuracies"
        )
    data = read_made_of(paper_data, made_of or [], training_pairs)
    named = dict(row.partition("=")[::2] for row in rows or [])
    sources = {path.parent.parent.name: count_sources(path) for path in pairs or []}
    lacking: dict[str, dict[str, list[str]]] = {
        row: {
            metric: data.lacking(
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
        by_system = read_scores(accuracies)
        for row, name in named.items():
            if name not in by_system:
                raise InputError(f"no row for system '{name}'", path=accuracies)
            cells |= _control(row, by_system[name], lacking[row])
            for metric in GENERIC if language == PRINTED_IN else ():
                cells.setdefault((row, metric), Cell("", "", data.untested(language, metric)))
    for system, path in zip(systems, scores, strict=True):
        cells |= _genders(system, [path], RULES)
    return Table(cells, COLUMNS)


def _genders(row: str, paths: list[Path], caveat: str) -> Cells:
    """The mean of each of WinoMT's numbers over the runs, and their range in the signature."""
    values: dict[str, list[float]] = {metric: [] for metric in GENDERS}
    facts = ""
    for path in paths:
        scores = {
            metric: (number(value, path, line), signature)
            for line, (metric, value, signature) in read_keyed(path, ("metric", "value", "signature"))
        }
        for metric in GENDERS:
            if metric not in scores:
                raise InputError(f"no row {metric}", path=path)
            value, facts = scores[metric]
            values[metric].append(value)
    return {
        (row, metric): Cell(rounded(fmean(numbers), 1), _ranged(facts, numbers), caveat)
        for metric, numbers in values.items()
    }


def _ranged(facts: str, values: list[float]) -> str:
    """The signature, with the number and the range of the runs if there are several."""
    if len(values) == 1:
        return facts
    return f"{facts}|runs:{len(values)}|range:{rounded(min(values), 1)}..{rounded(max(values), 1)}"


def _control(
    row: str, scores: Mapping[tuple[str, str, str], dict[str, str]], lacking: Mapping[str, Sequence[str]]
) -> Cells:
    """M-Acc over all domains, and BLEU of the generic test sets."""
    columns = columns_of(dict(scores), {"all": ""}, COMPARED)
    return {
        (row, metric): replace(cell_of(*columns[metric]), caveat=", ".join(lacking[metric]))
        for metric in (*SHARES, *GENERIC)
        if metric in columns
    }


if __name__ == "__main__":
    run(table13)
