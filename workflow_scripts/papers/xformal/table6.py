"""Command: Table 6 of XFORMAL, the number of training instances of each model, beside the printed one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import lines, progress
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.filtering.sampling import common
from workflow_scripts.leaves.comparison import Cell, Cells, Printed, read_printed, write_comparison
from workflow_scripts.papers.xformal.departures import departures
from workflow_scripts.papers.xformal.table7_layout import in_order

COLUMNS = ("label", "corpus", "language", "file")
# Of a cell: which sample of a pool it has, and the table of what the pool's samples share.
SAMPLES = ("label", "corpus", "language", "sample", "counts")
# The sample of the language models' text.
LANGUAGE_MODEL = "lm"
# The paper's columns. The last is headed "L6 Yahoo!" there; the text says that it is the French L26.
GYAFC = "gyafc"
CORPORA = (GYAFC, "opensubtitles", "yahoo")
# The paper's rows of models that learn from two unpaired texts; all others learn from pairs.
UNPAIRED = ("UNMT/DLSM", "UNMT/DLSM (IN-DOMAIN)")
# Rows that are no model's: the two pools of L26 that footnote 11 has the sizes of.
POOLS = ("L26, FORMAL", "L26, INFORMAL")
KEYS = ("system", "corpus", "lang")
TESTED = "dropped:tested"


@dataclass
class _Count:
    """What the files of a cell hold: instances in each, and how many had been dropped."""

    files: list[Path] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    dropped: int | None = None
    # How many sentences of its corpus were left out since systems are tested on them.
    tested: int | None = None
    # How many of its sentences the language model has learnt from too.
    shared: int | None = None

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

    def cell(self, label: str, caveat: str) -> Cell:
        """The number with what it counts."""
        unit = "sentences" if label in POOLS else "sentences per side" if label in UNPAIRED else "pairs"
        facts = f"unit:{unit}|files:{' '.join(map(str, self.counts))}"
        if self.dropped is not None:
            facts += f"|dropped:{self.dropped}"
        if self.shared is not None:
            facts += f"|in the language model's text:{self.shared}"
        if self.tested is not None:
            facts += f"|tested sentences left out:{self.tested}"
        return Cell(str(self.instances), facts, caveat)


def table6(
    table: Path,
    compare: Path,
    *,
    files: Path,
    samples: Path,
    printed: Path,
    scale: Literal["demo", "open", "paper"],
    backend: str,
    encoder: str,
) -> None:
    """Count the training instances in the files that models were trained on.

    An instance of the rows that learn from pairs is a pair of sentences, which counts once although it is
    used in both directions, and once although MULTI-TASK TAG-STYLE repeats GYAFC. Of the subtitles of
    BACKTRANSLATE it is a synthetic pair that is kept after copies were dropped. An instance of UNMT/DLSM is a
    sentence of one side: with sides of different size the smaller one counts, and the signature has
    both. The paper gives the sizes of samples; so do these numbers, before a model's limit on length.

    Footnote 11's sizes of L26's two pools, of which in-domain text is drawn, are two more rows. It does not
    say whether they were counted before or after the filters, so that these cells are not comparable.

    The paper prints one number for all languages; it stands beside each language's. In-domain text exists in
    French only.

    :param table: CSV to write in the paper's layout, rows in its order: system (the label),
        <corpus>_<language> for corpora in gyafc, opensubtitles, yahoo, without columns that no system fills
    :param compare: CSV to write: system, corpus, lang, printed, ours, difference, comparable, signature; a
        signature has the unit, the instances in each file, how many pairs are no longer there (dropped:
        copies and empty ones), and how many of the formal subtitles the language model has learnt from too,
        whose perplexity judges the system (Section 5.3)
    :param files: manifest of the files: label (the paper's name of the row; rows that the paper lacks come
        last), corpus (the column: gyafc, opensubtitles or yahoo), language (its code; columns keep their
        order), file: a text file, one sentence a line, possibly .gz: one or both sides of the pairs, both
        sides of unpaired text; or, with a name in .tsv, a table of counts with a step `kept`, as
        transfer.synthetic writes, or with a step `dropped:tested`, as filtering.curate writes, which is only
        noted: how many sentences were left out of the corpus since systems are tested on them
    :param samples: manifest of the cells with a sample of the pool that the language model's text is of:
        label, corpus, language, sample (its name), counts: the table of `filtering.sample`
    :param printed: the printed table: system, corpus, lang, printed
    :param scale: the run's scale; only numbers of the scale `paper` are comparable with the printed ones
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    :param encoder: hub name of the regressors' encoder, or the kind of an encoder outside the hub
    """
    used = [
        (label, corpus, language, Path(path))
        for label, corpus, language, path in read_manifest(files, COLUMNS)
    ]
    labels, languages = [label for label, *_ in used], [language for _, _, language, _ in used]
    theirs = _printed(printed)
    distinct = list(dict.fromkeys(path for *_, path in used))
    counted = {path: _count(path) for path in progress(distinct, "Table 6", len(distinct), unit="file")}
    ours: dict[tuple[str, ...], _Count] = {}
    for label, corpus, language, path in used:
        if corpus not in CORPORA:
            raise InputError(f"no column '{corpus}'", fix=nearest(corpus, CORPORA))
        cell = ours.setdefault((label, corpus, language), _Count())
        if path.suffix == ".tsv" and TESTED in (steps := read_counts(path)):
            cell.tested = steps[TESTED]
        else:
            cell.add(path, *counted[path], paired=label not in UNPAIRED)
    for label, corpus, language, sample, drawn in read_manifest(samples, SAMPLES):
        key = (label, corpus, language)
        if key not in ours:
            raise InputError(f"a sample of {', '.join(key)}, which has no file", path=samples)
        ours[key].shared = _shared(Path(drawn), sample)

    rows = [*(cell[0] for cell in theirs), *labels]
    cells = in_order([*theirs, *ours], rows, CORPORA, [*languages, *(cell[2] for cell in theirs)])
    columns = [
        (corpus, language)
        for corpus in CORPORA
        for language in dict.fromkeys(languages)
        if any(cell[1:] == (corpus, language) for cell in ours)
    ]
    # Pairs of GYAFC are as many in any translation; all other text the regressors have sorted.
    caveats = {code: departures(code, backend=backend, encoder=encoder) for code in dict.fromkeys(languages)}
    found: Cells = {
        key: count.cell(key[0], "" if key[1] == GYAFC else caveats[key[2]]) for key, count in ours.items()
    }
    write_comparison(compare, KEYS, theirs, found, scale=scale, order=cells)
    write_csv(
        table,
        ("system", *(f"{corpus}_{language}" for corpus, language in columns)),
        [
            [
                label,
                *(ours[key].instances if (key := (label, *column)) in ours else "" for column in columns),
            ]
            for label in dict.fromkeys(key[0] for key in cells if key in ours)
        ],
    )


def _count(path: Path) -> tuple[int, int | None]:
    """The instances in a file and, if it is a table of counts, those that were dropped before."""
    if path.suffix != ".tsv":
        return sum(1 for _ in lines(path)), None
    steps = read_counts(path)
    if TESTED in steps:
        return 0, None
    if "kept" not in steps:
        raise InputError("no step 'kept'", path=path, fix=nearest("kept", steps))
    return steps["kept"], sum(count for step, count in steps.items() if step.startswith("dropped:"))


def _shared(path: Path, sample: str) -> int:
    """How many lines of its pool a sample shares with the language model's text."""
    steps, step = read_counts(path), common(LANGUAGE_MODEL, sample)
    if step not in steps:
        raise InputError(f"no step '{step}'", path=path, fix=nearest(step, steps))
    return steps[step]


def _printed(path: Path) -> Printed:
    """The printed numbers, checked."""
    found = read_printed(path, *KEYS)
    for key, text in found.items():
        if key[1] not in CORPORA or not text.isdigit():
            raise InputError(f"unknown cell {', '.join(key)}, or no number '{text}'", path=path)
    return found


if __name__ == "__main__":
    run(table6)
