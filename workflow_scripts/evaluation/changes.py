"""Command: two experiments beside each other: did a change of a setting change the scores?"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.evaluation.evaluate import HEADER as SCORES
from workflow_scripts.evaluation.evaluate import Results, Row, measured, read_run, read_text
from workflow_scripts.evaluation.outputs import Outputs, read_outputs
from workflow_scripts.statistics.comparison import Draws, Result, adjust, texts
from workflow_scripts.statistics.metrics import METRICS, Run, Sentences
from workflow_scripts.statistics.resampling import interval

HEADER = (
    *("language", "system", "metric", "first", "second", "difference", "ci_low", "ci_high", "p", "p_holm"),
    *("n", "runs_first", "runs_second", "scorer", "signature"),
)
# The parts of a signature that do not say how a value is computed.
_DRAWN = re.compile(r"\|(?:runs|bs|ar|rs|seed|n|prompted|prompt):[^|]*")


@dataclass(frozen=True)
class _Experiment:
    """A language of an experiment: the sentences, the references, and the systems of its scores."""

    folder: Path
    language: str
    informal: list[str]
    references: list[list[str]]
    # system -> its runs, and metric -> signature
    runs: dict[str, list[Outputs]]
    signatures: dict[str, dict[str, str]]

    def row(self, name: str, mark: str) -> Row:
        """A system's outputs and sentence scores; `mark` tells the two experiments apart."""
        informal = _sentences(self.folder, self.language) / "informal.txt"
        runs = [read_run(outputs, len(self.informal), informal, self.folder) for outputs in self.runs[name]]
        return Row(f"{name} {mark}", self._is_gold(name, runs), runs)

    def _is_gold(self, name: str, runs: list[Run]) -> bool:
        """Whether a system's outputs are the rewrites: unlike others, it has no score against them."""
        against = {
            metric
            for signatures in self.signatures.values()
            for metric in signatures
            if metric in METRICS and not METRICS[metric].of_rewrites
        }
        if against:
            return against.isdisjoint(self.signatures[name])
        return sorted(list(run.texts) for run in runs) == sorted(self.references)

    def scorer(self, name: str, metric: str) -> str:
        """The model and the tools that measure a system, by the signature of its score."""
        return _DRAWN.sub("", self.signatures[name][metric])


def changes(
    table: Path,
    first: Path,
    second: Path,
    *,
    languages: list[str] | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
) -> None:
    """Write the metrics of every system that both experiments have, and test their differences.

    An experiment is the folder in which the workflow ran; its `build/evaluation` has scores, and manifests of
    the outputs that they belong to. Values and tests are those of the evaluation, of the same sentences;
    systems of several runs are resampled over runs too. p_holm is adjusted for all tests of the table. A
    system whose texts and scores are the same in both is not tested and has no interval.

    Raises InputError for a folder without scores, for experiments with other sentences or references, and
    where they have no language or no system in common. A language or system of only one is named on stderr.

    :param table: CSV to write: language, system, metric, first, second, difference (second - first), ci_low,
        ci_high (of the difference), p, p_holm, n (sentences), runs_first, runs_second, scorer (`same`, or
        `another` where the model or the tool behind the metric differs), signature (of the second)
    :param first: folder of an experiment
    :param second: folder of the other one
    :param languages: only these; by default all that both have
    """
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    rows: list[tuple[tuple[str, str, str], Result, Result, str]] = []
    has = [
        [code for code in _languages(folder) if code in (languages or [code])] for folder in (first, second)
    ]
    for language in _common("language", first, second, *has):
        one, two = _experiment(first, language), _experiment(second, language)
        _same_sentences(one, two)
        names = _common(f"{language}: system", first, second, list(one.runs), list(two.runs))
        pairs = [(one.row(name, "first"), two.row(name, "second")) for name in names]
        by_metric = _measured(pairs, one, two, draws)
        for name, (before, after) in zip(names, pairs, strict=True):
            for metric, results in by_metric.items():
                if before.name in results and after.name in results:
                    same = one.scorer(name, metric) == two.scorer(name, metric)
                    pair = (results[before.name], results[after.name])
                    rows.append(((language, name, metric), *pair, "same" if same else "another"))
    # Over the whole table, not by language and metric.
    adjust(result for _, _, result, _ in rows)
    for metric in dict.fromkeys(key[2] for key, _, _, scorer in rows if scorer == "another"):
        print(f"{metric}: the two experiments measure it with another model or tool", file=sys.stderr)
    write_csv(table, HEADER, [_line(*row, confidence) for row in rows])


def _line(
    key: tuple[str, str, str], before: Result, after: Result, scorer: str, confidence: float
) -> list[object]:
    low, high = (None, None)
    if after.p is not None:
        low, high = interval(after.samples - before.samples, confidence)
    numbers = (before.value, after.value, after.value - before.value, low, high, after.p, after.p_holm)
    counts = (after.sentences, len(before.values), len(after.values))
    return [*key, *texts(*numbers), *counts, scorer, after.signature]


def _languages(folder: Path) -> list[str]:
    languages = sorted(path.parent.name for path in (folder / "build/evaluation").glob("*/scores.csv"))
    if not languages:
        raise InputError(
            "no build/evaluation/*/scores.csv in it", path=folder, fix="make results/table7.csv there first"
        )
    return languages


def _common(what: str, first: Path, second: Path, one: list[str], two: list[str]) -> list[str]:
    """The names that both have, in the order of the first; the others are named on stderr."""
    for name in one + two:
        if (name in one) != (name in two):
            print(f"{what} '{name}' is only in {first if name in one else second}", file=sys.stderr)
    both = [name for name in one if name in two]
    if not both:
        raise InputError(f"{first} and {second} have no {what} in common")
    return both


def _sentences(folder: Path, language: str) -> Path:
    return folder / "build/corpora/xformal" / language


def _experiment(folder: Path, language: str) -> _Experiment:
    signatures: dict[str, dict[str, str]] = {}
    path = folder / f"build/evaluation/{language}/scores.csv"
    listed = path.with_name("scores.manifest.csv")
    outputs = read_outputs(listed)
    for _, fields in read_csv(path, SCORES):
        row = dict(zip(SCORES, fields, strict=True))
        signatures.setdefault(row["system"], {})[row["metric"]] = row["signature"]
    runs = {name: [entry for entry in outputs if entry.system == name] for name in signatures}
    for name in signatures:
        if not runs[name]:
            raise InputError(f"no outputs of system '{name}', which has scores", path=listed)
    place = _sentences(folder, language)
    informal = read_lines(place / "informal.txt")
    references = sorted(place.glob("formal.ref*.txt"))
    return _Experiment(
        folder,
        language,
        informal,
        [read_text(reference, len(informal), place / "informal.txt") for reference in references],
        runs,
        signatures,
    )


def _same_sentences(one: _Experiment, two: _Experiment) -> None:
    """Paired tests need the same sentences, and the same references to measure them by."""
    for kind, same in (
        ("test sentences", one.informal == two.informal),
        ("references", one.references == two.references),
    ):
        if not same:
            raise InputError(
                f"other {kind} than in {_sentences(one.folder, one.language)}",
                path=_sentences(two.folder, two.language),
                fix="only experiments on the same ones can be compared",
            )


def _measured(pairs: list[tuple[Row, Row]], first: _Experiment, second: _Experiment, draws: Draws) -> Results:
    """The metrics of both experiments, of all their systems; those of the second are tested."""
    # Systems that do not differ are not tested, so Holm's correction does not count them.
    against = {two.name: one.name for one, two in pairs if one.runs != two.runs}
    some = second.signatures[next(iter(second.runs))]
    known = [set().union(*experiment.signatures.values()) for experiment in (first, second)]
    sentences = Sentences(
        second.informal, second.references, {metric: _DRAWN.sub("", how) for metric, how in some.items()}
    )
    metrics = [name for name in METRICS if all(name in names for names in known)]
    return measured(metrics, [row for pair in pairs for row in pair], sentences, against, draws)


if __name__ == "__main__":
    run(changes)
