"""Command: Table 6 of XFORMAL, number of training instances for each model."""

from dataclasses import dataclass, field
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import lines, progress
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.filtering.sampling import common
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed, read_printed
from workflow_scripts.papers.xformal.departures import departures
from workflow_scripts.papers.xformal.table7_layout import in_order

COLUMNS = ("label", "corpus", "language", "file")
# The sample of a pool that a cell has, and the table of the lines that the pool's samples share.
SAMPLES = ("label", "corpus", "language", "sample", "counts")
# The sample of the language models' text.
LANGUAGE_MODEL = "lm"
# The paper's columns. The last is headed "L6 Yahoo!" there; the text says that it is the French L26.
GYAFC = "gyafc"
CORPORA = (GYAFC, "opensubtitles", "yahoo")
# The paper's models that learn from two unpaired texts; all others learn from pairs.
UNPAIRED = ("UNMT/DLSM", "UNMT/DLSM (IN-DOMAIN)")
# Rows that are not models: the two pools of L26, whose sizes footnote 11 gives.
POOLS = ("L26, FORMAL", "L26, INFORMAL")
KEYS = ("system", "corpus", "lang")
TESTED = "dropped:tested"


@dataclass
class _Count:
    """The files of a cell, the instances in each, and the number of dropped ones."""

    files: list[Path] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    dropped: int | None = None
    # The sentences of its corpus that were left out because systems are tested on them.
    tested: int | None = None
    # The number of its sentences that the language model also learnt from.
    shared: int | None = None

    @property
    def instances(self) -> int:
        """The number that the table shows."""
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
        """The number, with its unit and its parts in the signature."""
        unit = "sentences" if label in POOLS else "sentences per side" if label in UNPAIRED else "pairs"
        facts = f"unit:{unit}|files:{' '.join(map(str, self.counts))}"
        if self.dropped is not None:
            facts += f"|dropped:{self.dropped}"
        if self.shared is not None:
            facts += f"|in the language model's text:{self.shared}"
        if self.tested is not None:
            facts += f"|tested sentences left out:{self.tested}"
        return Cell(str(self.instances), facts, caveat)


def _printed(path: Path) -> Printed:
    """The printed numbers, checked."""
    printed = read_printed(path, *KEYS)
    for key, text in printed.items():
        if key[1] not in CORPORA or not text.isdigit():
            raise InputError(f"unknown cell {', '.join(key)}, or '{text}' is not a number", path=path)
    return printed


@leaf(*KEYS, read=_printed)
def table6(theirs: Printed, *, files: Path, samples: Path, backend: str, encoder: str) -> Rows:
    """Count the training instances in the files that models were trained on.

    For models that learn from pairs an instance is a sentence pair, which counts once even though it is used
    in both directions, and even though MULTI-TASK TAG-STYLE repeats GYAFC. For the subtitles of BACKTRANSLATE
    it is a synthetic pair that is kept after copies were dropped. For UNMT/DLSM it is a sentence of one side:
    if the sides differ in size the smaller one counts, and the signature has both. Like the paper's, these
    numbers are the sizes of samples, before a model's limit on length.

    Two more rows have the sizes of L26's two pools, the source of in-domain text (footnote 11). The paper
    does not say whether they were counted before or after the filters, so these cells are not comparable.

    The paper prints one number for all languages, with which each language is compared. In-domain text only
    exists in French.

    :param table: CSV to write in the paper's layout, rows in its order: system (the label),
        <corpus>_<language> for corpora in gyafc, opensubtitles, yahoo, without columns that no system fills
    :param comparison: CSV to write: system, corpus, lang, printed, ours, difference, comparable, signature; a
        signature has the unit, the instances in each file, the number of dropped pairs (copies and empty
        ones), and the number of formal subtitles that the language model also learnt from, whose perplexity
        judges the system (Section 5.3)
    :param files: manifest of the files: label (the row's name in the paper; rows that the paper lacks come
        last), corpus (the column: gyafc, opensubtitles or yahoo), language (its code; columns keep their
        order), file. A file is text, one sentence per line, maybe .gz: one or both sides of the pairs, both
        sides of unpaired text. Or it is a table of counts (.tsv) with a step `kept`, as transfer.synthetic
        writes, or with a step `dropped:tested`, as filtering.curate writes: the sentences left out of the
        corpus because systems are tested on them, which are only noted
    :param samples: manifest of the cells that share their pool with the language model's text: label, corpus,
        language, sample (its name), counts (the table of `filtering.sample`)
    :param printed: the printed table: system, corpus, lang, printed
    :param backend: the translators, such as aws, or aws de=nmt if German has another one
    :param encoder: hub name of the regressors' encoder, or the kind of an encoder outside the hub
    """
    used = [
        (label, corpus, language, Path(path))
        for label, corpus, language, path in read_manifest(files, COLUMNS)
    ]
    labels, languages = [label for label, *_ in used], [language for _, _, language, _ in used]
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
    # GYAFC has as many pairs in any translation; the regressors sorted all other text.
    caveats = {code: departures(code, backend=backend, encoder=encoder) for code in dict.fromkeys(languages)}
    our_cells: Cells = {
        key: count.cell(key[0], "" if key[1] == GYAFC else caveats[key[2]]) for key, count in ours.items()
    }
    return Rows(
        our_cells,
        ("system", *(f"{corpus}_{language}" for corpus, language in columns)),
        [
            [
                label,
                *(ours[key].instances if (key := (label, *column)) in ours else "" for column in columns),
            ]
            for label in dict.fromkeys(key[0] for key in cells if key in ours)
        ],
        cells,
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
    """The number of lines that a sample shares with the language model's text."""
    steps, step = read_counts(path), common(LANGUAGE_MODEL, sample)
    if step not in steps:
        raise InputError(f"no step '{step}'", path=path, fix=nearest(step, steps))
    return steps[step]


if __name__ == "__main__":
    run(table6)
