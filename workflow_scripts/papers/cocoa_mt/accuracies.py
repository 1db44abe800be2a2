"""Accuracy and BLEU of formality-controlled models: Tables 6 and 8 of CoCoA-MT."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

from workflow_scripts.control.data import ALL
from workflow_scripts.control.matching import MODES, Mode
from workflow_scripts.control.score import BOTH, HEADER, m_acc_in
from workflow_scripts.core.csv_files import read_keyed, read_rows
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.fields import number, whole
from workflow_scripts.leaves.command import Table, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.layout import by_language
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.papers.cocoa_mt.made_of import (
    OTHER_SYSTEM,
    Labelled,
    MadeOf,
    read_labelled,
    read_made_of,
)
from workflow_scripts.statistics.metrics import Bleu, MAcc
from workflow_scripts.text.levels import LEVELS

KEYS = ("lang", "system", "mode", "metric")
AVERAGE = "average"
# The columns of accuracy, by level: formal, informal and their mean.
SHARES = {"f": LEVELS[0], "i": LEVELS[1], "avg": BOTH}
# Columns that the paper does not print: per cent of translations that M-Acc counts, and their BLEU.
MATCHED = "matched"
FURTHER = (MATCHED, Bleu.name)
GENERIC = ("wmt", "ted")
# The column with the number of labelled sources, if the conditions are shown.
SOURCES = "sources"
# The numeric columns of scores; all but `value` may be empty.
NUMBERS = ("value", "lowest", "highest", "ci_low", "ci_high", "p_holm", "matched")
# The remark on the cells of a language without a column of ours.
UNTRANSLATED = "{} is not among control.languages, for which models are trained or given"
Scores = dict[tuple[str, str, str], dict[str, str]]


class Labels(dict[str, str]):
    """The labels of systems by name."""

    def __init__(self, path: Path, labels: Iterable[tuple[str, str]]) -> None:
        super().__init__(labels)
        self.path = path

    def __missing__(self, name: str) -> str:
        """InputError, naming their file, for a system without one."""
        raise InputError(f"no label for system '{name}'", path=self.path, fix=nearest(name, self))


def labels_of(systems: Path) -> Labels:
    """The label of each system, in the order of the rows; CSV: system, label."""
    return Labels(systems, ((name, label) for _, (name, label) in read_keyed(systems, ("system", "label"))))


def read_scores(path: Path) -> dict[str, Scores]:
    """The rows of `control.score` by system; InputError for an invalid number and for a repeated row."""
    by_system: dict[str, Scores] = {}
    for line, row in read_rows(path, HEADER):
        key = (row["level"], row["part"], row["metric"])
        scores = by_system.setdefault(row["system"], {})
        if key in scores:
            raise InputError(f"a second row of {', '.join(key)}", path=path, line=line)
        whole(row["sentences"], path, line, least=1)
        for column in NUMBERS:
            if row[column] or column == "value":
                number(row[column], path, line)
        scores[key] = row
    return by_system


def accuracies(
    parts: Mapping[str, str],
    *,
    averaged: bool = False,
    conditions: Callable[[Labelled], Mapping[str, Cell]] | None = None,
    words: Collection[str] = (),
) -> Callable[..., None]:
    """The command of a table.

    `parts`: the prefix of the accuracy columns, by part of the test set. `averaged`: whether the mean over
    the languages is written too, for each system that has scores in all of them. `conditions`: the cells of
    further columns, placed first, which describe a system's labelled data; `words`: the words that these
    cells may contain instead of numbers.
    """

    @leaf(*KEYS, intervals=True, words=words)
    def table_of(
        theirs: Printed,
        *,
        printed: Path,
        scores: list[Path],
        languages: list[str],
        systems: Path,
        paper_data: Path,
        training_pairs: int,
        made_of: list[str] | None = None,
        trained: list[str] | None = None,
        pairs: list[Path] | None = None,
        data: list[str] | None = None,
    ) -> Table:
        """Write M-Acc of formal and informal translations and their mean, in both modes, and BLEU.

        The printed numbers are compared with the mode `released`. The paper does not print two columns:
        `matched`, the share of translations that M-Acc counts, and `bleu`, the BLEU of the controlled
        translations themselves. Numbers are means over a system's runs; their range is in the signature. A
        cell is comparable only if the system has the same sources as the paper's.

        :param table: CSV to write: lang, system, mode, columns that describe the labelled data, f, i and avg
            of each part of the test set, wmt, ted, matched, bleu
        :param scores: the file that `control.score` wrote for each language
        :param languages: codes of the target languages, in the order of the rows
        :param systems: CSV of the rows: system, label
        :param paper_data: CSV of the sources of the paper's systems: lang, part, source, pairs, unavailable
        :param training_pairs: the most pairs that a generic model is trained on
        :param made_of: the sources of our systems, each as LANG.PART=SOURCE
        :param trained: the systems that are trained here
        :param pairs: the source sides of each tuned system's data, as SYSTEM/LANGUAGE/FILE in any folder
        :param data: the kind of labelled data of each tuned system, as SYSTEM=KIND
        """
        labelled = read_labelled(pairs or [], data or [])
        for (*_, metric), number_of in theirs.items():
            if metric == SOURCES and not number_of.isdecimal():
                raise InputError(f"printed sources '{number_of}' are not a whole number", path=printed)
        return _table(
            theirs,
            scores=scores,
            languages=languages,
            labels=labels_of(systems),
            parts=parts,
            averaged=averaged,
            made_of=read_made_of(paper_data, made_of or [], training_pairs),
            trained=trained or [],
            labelled=labelled,
            conditions={key: conditions(tuned) for key, tuned in labelled.items()} if conditions else {},
        )

    return table_of


def _table(
    theirs: Printed,
    *,
    scores: Sequence[Path],
    languages: Sequence[str],
    labels: Labels,
    parts: Mapping[str, str],
    averaged: bool,
    made_of: MadeOf,
    trained: Collection[str],
    labelled: Mapping[tuple[str, str], Labelled],
    conditions: Mapping[tuple[str, str], Mapping[str, Cell]],
) -> Table:
    """The table with a row per language, system and mode of M-Acc.

    `labelled`, `conditions`: by language and system. The paper's number of labelled sources is the printed
    row's `sources`, if there is one.
    """
    cells: Cells = {}
    values: dict[tuple[str, str, str], list[float]] = {}
    lacking: dict[tuple[str, str, str], dict[str, None]] = {}
    for language, files in by_language(languages, scores=scores).items():
        for system, system_scores in read_scores(files["scores"]).items():
            for mode in MODES:
                row_cells = dict(conditions.get((language, system), {}))
                shown = columns_of(system_scores, parts, mode)
                row_cells |= {metric: cell_of(*column) for metric, column in shown.items()}
                wanted = theirs.get((language, labels[system], mode, SOURCES), "")
                tuned = labelled.get((language, system))
                for metric, cell in row_cells.items():
                    key = (language, labels[system], mode, metric)
                    reasons = [OTHER_SYSTEM]
                    if system in trained:
                        reasons = made_of.lacking(
                            language,
                            metric if metric in GENERIC else "",
                            labelled=[tuned.sources] if tuned else [],
                            their_labelled=int(wanted) if wanted else None,
                            # The conditions do not depend on which lists labelled the data.
                            kind=tuned.kind if tuned and metric in shown else "",
                        )
                    cells[key] = replace(cell, caveat=", ".join(reasons) if key in theirs else "")
                    if metric not in shown:
                        continue
                    lacking.setdefault(key[1:], {}).update(dict.fromkeys(reasons))
                    values.setdefault(key[1:], []).append(float(shown[metric][0]["value"]))
    if averaged:
        columns = {f"{before}{share}" for before in parts.values() for share in SHARES}
        for (label, named, metric), numbers in values.items():
            if metric in columns and len(numbers) == len(languages) > 1:
                facts = f"mean over {'+'.join(languages)}"
                caveats = list(lacking[label, named, metric])
                if tuple(languages) != made_of.languages:
                    caveats = [f"{facts}, not over {'+'.join(made_of.languages)}", *caveats]
                mean = rounded(fmean(numbers), MAcc.decimals, "half-up")
                cells[AVERAGE, label, named, metric] = Cell(mean, facts, ", ".join(caveats))
    described = dict.fromkeys(metric for condition in conditions.values() for metric in condition)
    names = [*described, *(f"{before}{share}" for before in parts.values() for share in SHARES)]
    rows = dict.fromkeys(key[:-1] for key in cells)
    for printed_key in theirs:
        language, *_, metric = printed_key
        if language not in (*languages, AVERAGE):
            cells[printed_key] = Cell("", "", UNTRANSLATED.format(language))
        elif metric in GENERIC and printed_key[:-1] in rows:
            cells.setdefault(printed_key, Cell("", "", made_of.untested(language, metric)))
    return Table(cells, (*names, *GENERIC, *FURTHER), rows)


def columns_of(scores: Scores, parts: Mapping[str, str], mode: Mode) -> dict[str, tuple[dict[str, str], int]]:
    """The row that each column of a system shows, and the number of decimals."""
    columns: dict[str, tuple[dict[str, str], int]] = {}
    for part, before in parts.items():
        for share, level in SHARES.items():
            if row := scores.get((level, part, m_acc_in(mode))):
                columns[f"{before}{share}"] = row, MAcc.decimals
    for name in GENERIC:
        if row := scores.get((name, ALL, Bleu.name)):
            columns[name] = row, Bleu.decimals
    if row := scores.get((BOTH, ALL, m_acc_in(mode))):
        matched = 100 * float(row["matched"]) / (2 * int(row["sentences"]))
        empty = dict.fromkeys(("lowest", "highest", "ci_low", "ci_high"), "")
        columns[MATCHED] = {**row, **empty, "value": f"{matched:.6f}"}, MAcc.decimals
    if row := scores.get((BOTH, ALL, Bleu.name)):
        columns[Bleu.name] = row, Bleu.decimals
    return columns


def cell_of(row: Mapping[str, str], decimals: int) -> Cell:
    """A number as the table shows it, with its interval, its test and the range of its runs."""
    facts = row["signature"]
    if row["lowest"] != row["highest"]:
        low, high = (rounded(row[name], decimals, "half-up") for name in ("lowest", "highest"))
        facts += f"|range:{low}..{high}"
    if row["p_holm"]:
        facts += f"|p_holm:{float(row['p_holm']):.4f}"
    low, high = (rounded(row[name], decimals, "half-up") for name in ("ci_low", "ci_high"))
    return Cell(rounded(row["value"], decimals, "half-up"), facts, interval=(low, high))
