"""Command: Table 3 of TyDiP, accuracy on the binary test parts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.fields import number
from workflow_scripts.leaves.comparison import Cell, Cells, Printed, Scale, read_printed, write_comparison
from workflow_scripts.leaves.rounding import rounded
from workflow_scripts.leaves.signature import signature, translator_of
from workflow_scripts.papers.tydip.unreleased import OUTPUTS, other_encoder
from workflow_scripts.politeness.corpus import ENGLISH, binary_file, read_requests
from workflow_scripts.politeness.measures import COLUMNS
from workflow_scripts.politeness.thresholds import POLITE_ABOVE, is_polite

MAJORITY, AVERAGE, DECIMALS = ("Majority", "-"), "avg", 3
KEYS = ("model", "input", "measure", "lang")
# Which requests are polite, for signatures.
LABEL = f"score>{POLITE_ABOVE:g}"
NO_MODEL = "no such model is configured"
NO_TRANSLATION = "not translated into English"
NO_SCORES = "no file of scores"
UNREAD = "no language of the encoder"
# In the place of a seed: weights that others have trained.
UNTRAINED = "none"
# The measures of a row of classifiers: the first stands in print.
ACCURACY, RANGE, AT_MEDIAN, AUC = "accuracy", "range", "at median", "auc"


@dataclass(frozen=True)
class Measured:
    """A classifier on a language's requests: a value per seed each."""

    seeds: tuple[str, ...]
    count: str
    accuracy: tuple[float, ...]
    at_median: tuple[float, ...]
    auc: tuple[float, ...]
    # Model and prompt, where a language model was asked.
    signature: str


# Input and language -> what was measured.
Measures = dict[tuple[str, str], Measured]


def table3(
    table: Path,
    comparison: Path,
    *,
    corpus: Path,
    printed: Path,
    languages: list[str],
    measures: list[Path] | None = None,
    labels: list[str] | None = None,
    reads: list[str] | None = None,
    encoders: list[str] | None = None,
    scale: Scale | None = None,
    translator: str | None = None,
) -> None:
    """Write the accuracy of the majority class and of classifiers that were trained on English requests.

    `is_polite` says which requests are polite. The average is over the languages but English, and empty
    where one of them is. Numbers are cut after the third decimal, not rounded, as all of Table 3 is: no
    multiple of 1/251 is rounded to 0.808 (GPT3, English), and the averages 0.706 and 0.668 of GPT3's rows are
    cut too.

    Classifiers have a line per measure: `accuracy`, the mean over the seeds of their trainings, which stands
    beside the printed one; its `range` over several seeds; the accuracy `at median`, and `auc`
    (`politeness.measures`), which show what a threshold that does not fit other languages hides. Printed rows
    without a classifier, and cells without a translation, are empty, with the reason in the comparison; so is
    it said where the encoder has never read the language.

    :param table: CSV to write: model, input, measure, one column per language, avg
    :param comparison: CSV to write: model, input, measure, lang, printed, ours, difference, comparable,
        signature
    :param corpus: folder with TyDiP in its official layout
    :param printed: CSV: model, input, measure, lang, printed
    :param languages: codes, in the order of the columns
    :param measures: files that politeness.measures wrote, one per classifier
    :param labels: the names of their rows
    :param reads: the languages that their encoders were trained on, with commas between them
    :param encoders: what they were trained from, as in `other_encoder`; all as in the paper without
    :param scale: the run's scale; none with released data only
    :param translator: who has put requests into English, in the paper Google: translated cells say so
    """
    behind: Sequence[str | None] = encoders or [None] * len(labels or [])
    named = list(zip(measures or [], labels or [], reads or [], behind, strict=True))
    theirs = read_printed(printed, *KEYS)
    columns = [*languages, *([AVERAGE] if set(languages) - {ENGLISH} else [])]
    rows: list[list[str]] = []
    cells: Cells = _empty(
        theirs, {label: NO_SCORES if encoder == OUTPUTS else NO_TRANSLATION for _, label, _, encoder in named}
    )
    _add(rows, cells, (*MAJORITY, ACCURACY), columns, _majority(corpus, languages))
    for path, label, codes, encoder in sorted(named, key=lambda one: _place(theirs, one[1])):
        read, other = _read(path), other_encoder(label, encoder)
        for given in dict.fromkeys(given for given, _ in read):
            known = languages if given == ENGLISH else codes.split(",")
            told = None if encoder == OUTPUTS else translator
            for measure, row in _rows(read, given, languages, known, told, other).items():
                _add(rows, cells, (label, given, measure), columns, row)
    write_comparison(comparison, KEYS, theirs, cells, scale=scale)
    write_csv(table, ("model", "input", "measure", *columns), rows)


def _empty(theirs: Printed, reasons: dict[str, str]) -> Cells:
    """The printed cells, each with the reason why there is no number of ours; `reasons` are by label."""
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
    """Where a label stands among the printed ones; others come after them."""
    printed = list(dict.fromkeys(model for model, *_ in theirs))
    return printed.index(label) if label in printed else len(printed)


def _majority(corpus: Path, languages: Sequence[str]) -> dict[str, Cell]:
    """The accuracy of always giving the more frequent label."""
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
    """The mean over the languages but English; nothing if one has no value."""
    foreign = [language for language in languages if language != ENGLISH]
    if not foreign or not set(foreign) <= values.keys():
        return {}
    average = mean(values[language] for language in foreign)
    return {AVERAGE: Cell(_cut(average), f"mean of {len(foreign)} languages|decimals:cut", caveat)}


def _rows(
    read: Measures,
    given: str,
    languages: Sequence[str],
    known: Sequence[str],
    translator: str | None,
    encoder: str,
) -> dict[str, dict[str, Cell]]:
    """The rows of a classifier with an input, by measure; `encoder` is the caveat of all its cells."""
    found: defaultdict[str, dict[str, Cell]] = defaultdict(dict)
    values: dict[str, dict[str, float]] = {ACCURACY: {}, AT_MEDIAN: {}, AUC: {}}
    unread = UNREAD if set(languages) - {ENGLISH} - set(known) else ""
    other = {
        code: f"put into English by {translator_of(translator, code)}, in the paper by Google"
        for code in languages
        if translator and given == ENGLISH and code != ENGLISH
    }
    translated = " and ".join(dict.fromkeys(other.values()))
    for language in languages:
        if (given, language) not in read:
            continue
        one = read[given, language]
        bounds = f"{_cut(min(one.accuracy))}-{_cut(max(one.accuracy))}" if len(one.seeds) > 1 else ""
        between = f"|range:{bounds}" if bounds else ""
        trained = "" if one.seeds == (UNTRAINED,) else f"|seeds:{'+'.join(one.seeds)}{between}"
        facts = f"n:{one.count}{trained}|label:{LABEL}|decimals:cut"
        facts += f"|{one.signature}" if one.signature else ""
        for measure, each in ((ACCURACY, one.accuracy), (AT_MEDIAN, one.at_median), (AUC, one.auc)):
            values[measure][language] = mean(each)
            own = UNREAD if language not in known else other.get(language, "")
            caveat = ", ".join(filter(None, (encoder, own)))
            found[measure][language] = Cell(_cut(mean(each)), facts, caveat)
        if bounds:
            found[RANGE][language] = Cell(bounds, facts, caveat)
    for measure, by_language in values.items():
        found[measure] |= _average(
            by_language, languages, ", ".join(filter(None, (encoder, unread or translated)))
        )
    order = (ACCURACY, RANGE, AT_MEDIAN, AUC)
    return {measure: found[measure] for measure in order if found[measure]}


def _cut(value: float) -> str:
    return rounded(value, DECIMALS, "cut")


def _read(path: Path) -> Measures:
    """What politeness.measures wrote; InputError, naming the line, for what is no number."""
    lines: defaultdict[tuple[str, str], list[list[str]]] = defaultdict(list)
    for line, (given, language, *rest) in read_csv(path, COLUMNS):
        for value in rest[1:-1]:
            number(value, path, line)
        lines[given, language].append(rest)
    found = {}
    for key, group in lines.items():
        seeds, counts, *values, signatures = zip(*group, strict=True)
        accuracy, at_median, auc = (tuple(map(float, column)) for column in values)
        found[key] = Measured(seeds, counts[0], accuracy, at_median, auc, signatures[0])
    return found


if __name__ == "__main__":
    run(table3)
