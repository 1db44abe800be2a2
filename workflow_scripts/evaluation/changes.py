"""Command: two experiments beside each other: did a change of a setting change the scores?"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.evaluation.evaluate import HEADER as SCORES
from workflow_scripts.evaluation.evaluate import Draws, Result, System, read_nats, read_scores, read_text
from workflow_scripts.evaluation.outputs import Outputs, read_outputs

METRICS = ("self_bleu", "formality", "perplexity", "multi_bleu")
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

    def system(self, name: str, mark: str) -> System:
        """A system's outputs and sentence scores; `mark` tells it from that of the other experiment."""
        informal = _sentences(self.folder, self.language) / "informal.txt"
        paths = [self.folder / one.output for one in self.runs[name]]
        scores = {
            metric: [
                read(self.folder / file, path, len(self.informal))
                for file, path in zip(files, paths, strict=True)
            ]
            for metric, read, files in (
                ("formality", read_scores, [one.formality for one in self.runs[name]]),
                ("perplexity", read_nats, [one.fluency for one in self.runs[name]]),
            )
        }
        texts = [read_text(path, len(self.informal), informal) for path in paths]
        return System(f"{name} {mark}", "multi_bleu" not in self.signatures[name], texts, scores)

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
    """Write the four metrics of every system that both experiments have, and test their differences.

    An experiment is the folder in which the workflow ran; its `build/evaluation` has scores, and manifests of
    the outputs that they belong to. Values are those of the evaluation. BLEU is
    tested by a paired bootstrap, formality and perplexity by paired approximate randomisation, over the same
    sentences; systems of several runs are resampled over runs too. p_holm is adjusted for all tests of the
    table. A system whose texts and scores are the same in both is not tested and has no interval.

    Raises InputError for a folder without scores, for experiments with other sentences or references, and
    where they have no language or no system in common. What only one of them has is named on stderr.

    :param table: CSV to write: language, system, metric, first, second, difference (second - first), ci_low,
        ci_high (of the difference), p, p_holm, n (sentences), runs_first, runs_second, scorer (`same`, or
        `another` where the model or the tool behind the metric differs), signature (of the second)
    :param first: folder of an experiment
    :param second: folder of the other one
    :param languages: only these; by default all that both have
    :param resamples: bootstrap resamples, and trials of the randomisation
    :param confidence: share of the samples in an interval, such as 0.95
    :param seed: of all draws
    """
    fix_threads(1)
    if resamples < 1 or not 0 < confidence < 1:
        raise InputError("resamples must be at least 1 and confidence between 0 and 1")
    rows: list[dict[str, object]] = []
    has = [
        [code for code in _languages(folder) if code in (languages or [code])] for folder in (first, second)
    ]
    for language in _common("language", first, second, *has):
        one, two = _experiment(first, language), _experiment(second, language)
        _same_sentences(one, two)
        names = _common(f"{language}: system", first, second, list(one.runs), list(two.runs))
        pairs = [(one.system(name, "first"), two.system(name, "second")) for name in names]
        measured = _measured(pairs, two, resamples, seed)
        for name, (before, after) in zip(names, pairs, strict=True):
            for metric in METRICS:
                if before.name in (found := measured[metric]) and after.name in found:
                    row = _row(found[before.name], found[after.name], confidence)
                    row |= {"language": language, "system": name, "metric": metric, "n": len(one.informal)}
                    row |= {"runs_first": len(one.runs[name]), "runs_second": len(two.runs[name])}
                    same = one.scorer(name, metric) == two.scorer(name, metric)
                    rows.append(row | {"scorer": "same" if same else "another"})
    _adjust(rows)
    for metric in METRICS:
        if any(row["metric"] == metric and row["scorer"] == "another" for row in rows):
            print(f"{metric}: the two experiments measure it with another model or tool", file=sys.stderr)
    write_csv(table, HEADER, [[_text(row[name]) for name in HEADER] for row in rows])


def _languages(folder: Path) -> list[str]:
    found = sorted(path.parent.name for path in (folder / "build/evaluation").glob("*/scores.csv"))
    if not found:
        raise InputError(
            "no build/evaluation/*/scores.csv in it", path=folder, fix="make results/table7.csv there first"
        )
    return found


def _common(what: str, first: Path, second: Path, one: list[str], two: list[str]) -> list[str]:
    """What both have, in the order of the first; the rest is named."""
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
    runs = {name: [one for one in outputs if one.system == name] for name in signatures}
    for name in signatures:
        if not runs[name]:
            raise InputError(f"no outputs of system '{name}', which has scores", path=listed)
    place = _sentences(folder, language)
    references = sorted(place.glob("formal.ref*.txt"))
    return _Experiment(
        folder,
        language,
        read_lines(place / "informal.txt"),
        [read_lines(reference) for reference in references],
        runs,
        signatures,
    )


def _same_sentences(one: _Experiment, two: _Experiment) -> None:
    """Paired tests need the same sentences, and the same references to measure them by."""
    for what, same in (
        ("test sentences", one.informal == two.informal),
        ("references", one.references == two.references),
    ):
        if not same:
            raise InputError(
                f"other {what} than in {_sentences(one.folder, one.language)}",
                path=_sentences(two.folder, two.language),
                fix="only experiments on the same ones can be compared",
            )


def _measured(
    pairs: list[tuple[System, System]], second: _Experiment, resamples: int, seed: int
) -> dict[str, dict[str, Result]]:
    """Each metric of every system of both experiments, those of the second tested against the first's."""
    rows = [side for pair in pairs for side in pair]
    # Where nothing differs no test can find anything, and Holm's correction need not count it.
    against = {
        two.name: one.name for one, two in pairs if (one.outputs, one.scores) != (two.outputs, two.scores)
    }
    draws = Draws(rows, len(second.informal), resamples, seed, against)
    some = next(iter(second.runs))
    return {
        "self_bleu": draws.bleu([second.informal], rows),
        **{
            metric: draws.means(metric, second.scorer(some, metric)) for metric in ("formality", "perplexity")
        },
        "multi_bleu": draws.bleu(second.references, [row for row in rows if not row.gold]),
    }


def _row(first: Result, second: Result, confidence: float) -> dict[str, object]:
    """What the table says of a metric of a system."""
    from workflow_scripts.statistics.resampling import interval

    low, high = (None, None) if second.p is None else interval(second.samples - first.samples, confidence)
    return {
        "first": first.value,
        "second": second.value,
        "difference": second.value - first.value,
        "ci_low": low,
        "ci_high": high,
        "p": second.p,
        "p_holm": None,
        "signature": second.signature,
    }


def _adjust(rows: list[dict[str, object]]) -> None:
    """Set p_holm from p, over the whole table."""
    from workflow_scripts.statistics.correction import holm

    tested = [row for row in rows if row["p"] is not None]
    for row, adjusted in zip(tested, holm([float(str(row["p"])) for row in tested]), strict=True):
        row["p_holm"] = adjusted


def _text(value: object) -> object:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else value


if __name__ == "__main__":
    run(changes)
