"""Command: Table 3 of TyDiP, accuracy on the TyDiP evaluation dataset."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.fields import number
from workflow_scripts.leaves.command import Rows, leaf
from workflow_scripts.leaves.comparison import Cell, Cells, Printed
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature, translator_of
from workflow_scripts.papers.tydip.unreleased import OUTPUTS, other_encoder
from workflow_scripts.politeness.corpus import ENGLISH, binary_file, read_requests
from workflow_scripts.politeness.measures import COLUMNS
from workflow_scripts.politeness.thresholds import POLITE_ABOVE, is_polite

MAJORITY, AVERAGE, DECIMALS = ("Majority", "-"), "avg", 3
KEYS = ("model", "input", "measure", "lang")
# The definition of polite requests, for signatures.
LABEL = f"score>{POLITE_ABOVE:g}"
NO_MODEL = "no such model is configured"
NO_TRANSLATION = "not translated into English"
NO_SCORES = "no file of scores"
UNREAD = "not a language of the encoder"
# In place of a seed: weights that were not trained here.
UNTRAINED = "none"
# The measures of a classifier; the paper prints the first.
ACCURACY, RANGE, AT_MEDIAN, AUC = "accuracy", "range", "at median", "auc"


@dataclass(frozen=True)
class Measured:
    """A classifier's measures on a language's requests, one value per seed each."""

    seeds: tuple[str, ...]
    count: str
    accuracy: tuple[float, ...]
    at_median: tuple[float, ...]
    auc: tuple[float, ...]
    # Model and prompt of a prompted language model; otherwise empty.
    signature: str


# Input and language -> measures.
Measures = dict[tuple[str, str], Measured]


@leaf(*KEYS)
def table3(
    theirs: Printed,
    *,
    corpus: Path,
    languages: list[str],
    measures: list[Path] | None = None,
    labels: list[str] | None = None,
    reads: list[str] | None = None,
    encoders: list[str] | None = None,
    translator: str | None = None,
) -> Rows:
    """Write the accuracy of the majority class and of classifiers trained on English requests.

    `is_polite` decides which requests are polite. The average is over the languages except English, and empty
    if one of them is. Numbers are cut after the third decimal, not rounded, like all of Table 3: no multiple
    of 1/251 rounds to 0.808 (GPT3, English), and the averages 0.706 and 0.668 of GPT3's rows are cut too.

    Classifiers have a line per measure: `accuracy`, the mean over the seeds of their trainings, which is
    compared with the printed one; its `range` over several seeds; the accuracy `at median`, and `auc`
    (`politeness.measures`), which show how well a classifier ranks where its threshold does not fit the
    language. Printed rows without a classifier, and cells without a translation, are empty; the comparison
    gives the reason, and says if the encoder was not trained on the language.

    :param table: CSV to write: model, input, measure, one column per language, avg
    :param corpus: folder with TyDiP in its official layout
    :param measures: files that politeness.measures wrote, one per classifier
    :param labels: the names of their rows
    :param reads: the languages that each encoder was trained on, separated by commas
    :param encoders: their encoders, as in `other_encoder`; by default the paper's
    :param translator: the translators into English (Google in the paper), which translated cells name
    """
    row_encoders: Sequence[str | None] = encoders or [None] * len(labels or [])
    named = list(zip(measures or [], labels or [], reads or [], row_encoders, strict=True))
    columns = [*languages, *([AVERAGE] if set(languages) - {ENGLISH} else [])]
    rows: list[list[str]] = []
    cells: Cells = _empty(
        theirs, {label: NO_SCORES if encoder == OUTPUTS else NO_TRANSLATION for _, label, _, encoder in named}
    )
    _add(rows, cells, (*MAJORITY, ACCURACY), columns, _majority(corpus, languages))
    for path, label, codes, encoder in sorted(named, key=lambda row: _place(theirs, row[1])):
        read, other = _read(path), other_encoder(label, encoder)
        for input_language in dict.fromkeys(input_language for input_language, _ in read):
            known = languages if input_language == ENGLISH else codes.split(",")
            translated_by = None if encoder == OUTPUTS else translator
            for measure, row in _rows(read, input_language, languages, known, translated_by, other).items():
                _add(rows, cells, (label, input_language, measure), columns, row)
    return Rows(cells, ("model", "input", "measure", *columns), rows)


def _empty(theirs: Printed, reasons: dict[str, str]) -> Cells:
    """The printed cells, each with the reason why ours is missing; `reasons` are by label."""
    return {key: Cell("", "", reasons.get(key[0], NO_MODEL)) for key in theirs if key[:2] != MAJORITY}


def _add(
    rows: list[list[str]],
    cells: Cells,
    name: tuple[str, str, str],
    columns: Sequence[str],
    row: dict[str, Cell],
) -> None:
    """Add a row to the table, and its cells to the comparison."""
    rows.append([*name, *(row[column].ours if column in row else "" for column in columns)])
    cells.update({(*name, column): cell for column, cell in row.items()})


def _place(theirs: Printed, label: str) -> int:
    """The place of a label among the printed ones; other labels come after them."""
    printed = list(dict.fromkeys(model for model, *_ in theirs))
    return printed.index(label) if label in printed else len(printed)


def _majority(corpus: Path, languages: Sequence[str]) -> dict[str, Cell]:
    """The accuracy of always predicting the more frequent label."""
    shares: dict[str, float] = {}
    row = {}
    for language in languages:
        file = binary_file(corpus, language)
        scores = [request.score for request in read_requests(file)]
        polite = sum(map(is_polite, scores))
        shares[language] = max(polite, len(scores) - polite) / len(scores)
        facts = signature(file, n=len(scores), polite=polite, label=LABEL, decimals="cut")
        row[language] = Cell(_cut(shares[language]), facts)
    return {**row, **_average(shares, languages)}


def _average(values: dict[str, float], languages: Sequence[str], caveat: str = "") -> dict[str, Cell]:
    """The mean over the languages except English; empty if one has no value."""
    foreign = [language for language in languages if language != ENGLISH]
    if not foreign or not set(foreign) <= values.keys():
        return {}
    average = mean(values[language] for language in foreign)
    return {AVERAGE: Cell(_cut(average), f"mean of {len(foreign)} languages|decimals:cut", caveat)}


def _rows(
    read: Measures,
    input_language: str,
    languages: Sequence[str],
    known: Sequence[str],
    translator: str | None,
    encoder: str,
) -> dict[str, dict[str, Cell]]:
    """The rows of a classifier with an input language, by measure; `encoder`: the caveat of all its cells."""
    rows: defaultdict[str, dict[str, Cell]] = defaultdict(dict)
    values: dict[str, dict[str, float]] = {ACCURACY: {}, AT_MEDIAN: {}, AUC: {}}
    unread = UNREAD if set(languages) - {ENGLISH} - set(known) else ""
    other = {
        code: f"translated into English by {translator_of(translator, code)}, in the paper by Google"
        for code in languages
        if translator and input_language == ENGLISH and code != ENGLISH
    }
    translated = " and ".join(dict.fromkeys(other.values()))
    for language in languages:
        if (input_language, language) not in read:
            continue
        measured = read[input_language, language]
        bounds = (
            f"{_cut(min(measured.accuracy))}-{_cut(max(measured.accuracy))}"
            if len(measured.seeds) > 1
            else ""
        )
        between = f"|range:{bounds}" if bounds else ""
        trained = "" if measured.seeds == (UNTRAINED,) else f"|seeds:{'+'.join(measured.seeds)}{between}"
        facts = f"n:{measured.count}{trained}|label:{LABEL}|decimals:cut"
        facts += f"|{measured.signature}" if measured.signature else ""
        for measure, by_seed in (
            (ACCURACY, measured.accuracy),
            (AT_MEDIAN, measured.at_median),
            (AUC, measured.auc),
        ):
            values[measure][language] = mean(by_seed)
            departure = UNREAD if language not in known else other.get(language, "")
            caveat = ", ".join(filter(None, (encoder, departure)))
            rows[measure][language] = Cell(_cut(mean(by_seed)), facts, caveat)
        if bounds:
            rows[RANGE][language] = Cell(bounds, facts, caveat)
    for measure, by_language in values.items():
        rows[measure] |= _average(
            by_language, languages, ", ".join(filter(None, (encoder, unread or translated)))
        )
    order = (ACCURACY, RANGE, AT_MEDIAN, AUC)
    return {measure: rows[measure] for measure in order if rows[measure]}


def _cut(value: float) -> str:
    return rounded(value, DECIMALS, "cut")


def _read(path: Path) -> Measures:
    """The file that politeness.measures wrote; InputError, naming the line, for an invalid number."""
    lines: defaultdict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for line, (input_language, language, *rest) in read_csv(path, COLUMNS):
        for value in rest[1:-1]:
            number(value, path, line)
        lines[input_language, language].append(rest)
    measures = {}
    for key, group in lines.items():
        seeds, counts, *values, signatures = zip(*group, strict=True)
        accuracy, at_median, auc = (tuple(map(float, column)) for column in values)
        measures[key] = Measured(seeds, counts[0], accuracy, at_median, auc, signatures[0])
    return measures


if __name__ == "__main__":
    run(table3)
