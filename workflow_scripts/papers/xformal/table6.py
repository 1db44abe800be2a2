"""Command: Table 6 of XFORMAL, the number of training instances of each model, beside the printed one."""

from __future__ import annotations

import csv
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import lines, progress, writing
from workflow_scripts.papers.xformal.table7_layout import comparable, in_order, read_table

# The paper's columns. The last is headed "L6 Yahoo!" there; the text says that it is the French L26.
CORPORA = ("gyafc", "opensubtitles", "yahoo")
# The paper's rows of models that learn from two unpaired texts; all others learn from pairs.
UNPAIRED = ("UNMT/DLSM", "UNMT/DLSM (IN-DOMAIN)")
HEADER = (
    "system",
    "corpus",
    "lang",
    "printed",
    "ours",
    "difference",
    "comparable",
    "unit",
    "files",
    "dropped",
)


@dataclass
class _Cell:
    """What the files of a cell hold: instances in each, and how many had been dropped."""

    files: list[Path] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    dropped: int | None = None

    @property
    def instances(self) -> int:
        """The number of the table."""
        return min(self.counts)

    def add(self, path: Path, count: int, dropped: int | None, *, paired: bool) -> None:
        """Count a file; InputError if the two sides of pairs differ."""
        if paired and self.counts and self.counts[0] != count:
            raise InputError(
                f"has {count} lines but {self.files[0]} has {self.counts[0]}",
                path=path,
                fix="the two sides of pairs need one line per pair",
            )
        self.files.append(path)
        self.counts.append(count)
        if dropped is not None:
            self.dropped = (self.dropped or 0) + dropped


def table6(
    table: Path,
    compare: Path,
    *,
    labels: list[str],
    corpora: list[str],
    languages: list[str],
    files: list[Path],
    printed: Path,
    scale: Literal["demo", "open", "paper"],
) -> None:
    """Count the training instances in the files that models were trained on.

    An instance of the rows that learn from pairs is a pair of sentences, which counts once although it is
    used in both directions, and once although MULTI-TASK TAG-STYLE repeats GYAFC. Of the subtitles of
    BACKTRANSLATE it is a synthetic pair that is kept after copies were dropped. An instance of UNMT/DLSM is a
    sentence of one side: with sides of different size the smaller one counts, and the column `files` has
    both. The paper gives the sizes of samples; so do these numbers, before a model's limit on length.

    The paper prints one number for all languages; it stands beside each language's. In-domain text exists in
    French only.

    :param table: CSV to write in the paper's layout, rows in its order: system (the label),
        <corpus>_<language> for corpora in gyafc, opensubtitles, yahoo, without columns that no system fills
    :param compare: CSV to write, one line per cell of the printed table and of ours: system, corpus, lang,
        printed, ours, difference, comparable (yes, or no and why), unit, files (instances in each file),
        dropped (pairs that are no longer there: copies and empty ones)
    :param labels: for each file, the paper's name of the row; rows that the paper lacks come last
    :param corpora: for each file, the column: gyafc, opensubtitles or yahoo
    :param languages: for each file, the code of its language; columns keep their order
    :param files: text files, one sentence a line, possibly .gz: one or both sides of the pairs, both sides of
        unpaired text; or, with a name in .tsv, a table of counts with a step `kept`, as transfer.synthetic
        writes
    :param printed: the printed table: system, corpus, lang, printed
    :param scale: only numbers of the scale `paper` can be compared with the printed ones
    """
    if len({len(labels), len(corpora), len(languages), len(files)}) > 1:
        raise InputError(
            f"{len(labels)} labels, {len(corpora)} corpora, {len(languages)} languages, {len(files)} files",
            fix="give as many of each",
        )
    theirs = _printed(printed)
    distinct = list(dict.fromkeys(files))
    counted = {path: _count(path) for path in progress(distinct, "Table 6", len(distinct), unit="file")}
    ours: dict[tuple[str, str, str], _Cell] = {}
    for label, corpus, language, path in zip(labels, corpora, languages, files, strict=True):
        if corpus not in CORPORA:
            raise InputError(f"no column '{corpus}'", fix=nearest(corpus, CORPORA))
        cell = ours.setdefault((label, corpus, language), _Cell())
        cell.add(path, *counted[path], paired=label not in UNPAIRED)

    rows = [*(cell[0] for cell in theirs), *labels]
    cells = in_order([*theirs, *ours], rows, CORPORA, [*languages, *(cell[2] for cell in theirs)])
    with writing(table) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        columns = [
            (corpus, language)
            for corpus in CORPORA
            for language in dict.fromkeys(languages)
            if any(cell[1:] == (corpus, language) for cell in ours)
        ]
        writer.writerow(["system", *(f"{corpus}_{language}" for corpus, language in columns)])
        for label in dict.fromkeys(cell[0] for cell in cells if cell in ours):
            mine = [ours.get((label, *column)) for column in columns]
            writer.writerow([label, *("" if cell is None else cell.instances for cell in mine)])
    with writing(compare) as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(HEADER)
        for key in cells:
            found, other = ours.get(key), theirs.get(key, "")
            number = "" if found is None else str(found.instances)
            difference = str(int(number) - int(other)) if number and other else ""
            unit = "sentences per side" if key[0] in UNPAIRED else "pairs"
            each = "" if found is None else " ".join(map(str, found.counts))
            dropped = "" if found is None or found.dropped is None else found.dropped
            judged = comparable(scale, number, other)
            writer.writerow([*key, other, number, difference, judged, unit, each, dropped])


def _count(path: Path) -> tuple[int, int | None]:
    """The instances in a file and, if it is a table of counts, those that were dropped before."""
    if path.suffix != ".tsv":
        return sum(1 for _ in lines(path)), None
    steps = read_counts(path)
    if "kept" not in steps:
        raise InputError("no step 'kept'", path=path, fix=nearest("kept", steps))
    return steps["kept"], sum(count for step, count in steps.items() if step.startswith("dropped:"))


def _printed(path: Path) -> dict[tuple[str, str, str], str]:
    """The printed numbers: row, column, language."""
    found: dict[tuple[str, str, str], str] = {}
    for row in read_table(path, ("system", "corpus", "lang", "printed")):
        key = (row["system"], row["corpus"], row["lang"])
        if row["corpus"] not in CORPORA or not row["printed"].isdigit() or key in found:
            raise InputError(f"unknown or second cell {', '.join(key)}", path=path)
        found[key] = row["printed"]
    return found


if __name__ == "__main__":
    run(table6)
