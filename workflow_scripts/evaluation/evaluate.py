"""Command: values, intervals and tests of all systems of a language (XFORMAL, Section 5.3, Table 7)."""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import digest, progress, read_lines, read_numbers
from workflow_scripts.core.provenance import versions
from workflow_scripts.evaluation.outputs import Outputs, read_outputs
from workflow_scripts.prompting.made_by import read_signatures
from workflow_scripts.text.lexical import COLLAPSED, distinct

if TYPE_CHECKING:
    from numpy.typing import NDArray

HEADER = (
    "system",
    "metric",
    "language",
    "value",
    "ci_low",
    "ci_high",
    "p",
    "p_holm",
    "n",
    "runs",
    "signature",
)
# The paper's perplexity is read as nats per token; the paper names no base. The same number in other units
# has the same p-values.
UNITS = {"perplexity": ("nats", 1.0), "perplexity_bits": ("bits", 1 / math.log(2))}
UNITS["perplexity_log10"] = ("log10", 1 / math.log(10))
# More nats per token no language model gives: exp of them is not finite.
MOST_NATS = 700


@dataclass
class System:
    """One row of the table: texts and scores of its runs (the reference sets of GOLD STANDARD are runs)."""

    name: str
    gold: bool
    outputs: list[list[str]]
    # metric -> one column of sentence scores per run
    scores: dict[str, list[list[float]]]


@dataclass
class Result:
    """A metric of a system: its value, its value in every resample, and its test against the baseline."""

    value: float
    samples: Any
    signature: str
    p: float | None = None
    p_holm: float | None = field(default=None)


def evaluate(
    scores: Path,
    *,
    language: str,
    informal: Path,
    references: list[Path],
    runs: Path,
    gold: list[str],
    regressor: Path,
    lm: Path,
    order: int,
    baseline: str,
    resamples: int,
    confidence: float,
    seed: int,
    made_by: list[Path] | None = None,
) -> None:
    """Write the four metrics of every system, with intervals and paired tests against the baseline.

    self_bleu is sacreBLEU of the output against the informal source (meaning preservation), multi_bleu
    against all reference sets; formality is the mean score of the regressor; perplexity is the mean over
    sentences of the negative log-likelihood per token in nats, and again in bits and as log10. A system with
    several runs gets the mean over them. GOLD STANDARD is the mean over the reference sets and has no
    multi_bleu. distinct is the number of different outputs for every 100 different source sentences, without
    an interval and a test; a system below 50 is named on stderr, since its other numbers say little.

    Intervals are percentiles of a bootstrap over sentences and over reruns. BLEU is tested by a paired
    bootstrap, the other two by paired approximate randomisation; p_holm is adjusted for all systems of the
    metric. Without the baseline among the systems there are no p-values.

    :param scores: CSV to write: system, metric, language, value, ci_low, ci_high, p, p_holm, n (sentences),
        runs, signature; numbers with 6 decimals, empty where there is none
    :param language: the code of the language, for the column of that name
    :param informal: the source sentences
    :param references: the sets of formal rewrites, parallel to `informal`
    :param runs: manifest of all outputs and their scores, systems in the order of the rows: system, run,
        output, formality, fluency
    :param gold: names of systems whose runs are the reference sets
    :param regressor: folder of the model behind the scores of formality, for the signature
    :param lm: file of the model behind the scores of fluency, for the signature
    :param order: the longest n-gram of `lm`, for the signature
    :param baseline: the system against which others are tested
    :param resamples: bootstrap resamples, and trials of the randomisation
    :param confidence: share of the samples in an interval, such as 0.95
    :param seed: of all draws
    :param made_by: what made the outputs of some systems, for their signatures; CSV: system, signature, ...
    """
    # Sums have the same last bits on every machine, and one thread is enough for seconds of work.
    fix_threads(1)
    if resamples < 1 or not 0 < confidence < 1:
        raise InputError("resamples must be at least 1 and confidence between 0 and 1")
    source = read_lines(informal, filled=True)
    if not source:
        raise InputError("no sentence to evaluate on", path=informal)
    rewrites = [read_text(path, len(source), informal) for path in references]
    rows = _read(runs, gold, informal, source)
    makers = read_signatures(made_by or [], [row.name for row in rows])
    identity = {"formality": _identity(regressor), "perplexity": _identity(lm)}
    systems = [row.name for row in rows]
    if baseline not in systems:
        print(f"no p-values: the baseline '{baseline}' is not among the systems", file=sys.stderr)

    against = {name: baseline for name in systems if name != baseline and baseline in systems}
    draws = Draws(rows, len(source), resamples, seed, against)
    table = {"self_bleu": draws.bleu([source], rows)}
    for metric, unit in (("formality", "scale:-3..3"), ("perplexity", f"order:{order}|unit:nats/token")):
        table[metric] = draws.means(metric, f"{metric}|{identity[metric]}|{unit}")
    for metric, (unit, factor) in list(UNITS.items())[1:]:
        table[metric] = {name: _scaled(result, unit, factor) for name, result in table["perplexity"].items()}
    table["multi_bleu"] = draws.bleu(rewrites, [row for row in rows if not row.gold])
    for results in table.values():
        _adjust(results)
    lines: list[tuple[object, ...]] = []
    for row in rows:
        maker = makers.get(row.name, "")
        varied = sum(distinct(texts, source) for texts in row.outputs) / len(row.outputs)
        if varied < COLLAPSED:
            print(
                f"warning: {row.name} has {varied:.0f} different outputs for 100 different sentences in"
                f" {language}: it ignores most of what it reads",
                file=sys.stderr,
            )
        for metric, results in table.items():
            if row.name in results:
                result = results[row.name]
                numbers = (result.value, *draws.interval(result, confidence), result.p, result.p_holm)
                formatted = ["" if number is None else f"{number:.6f}" for number in numbers]
                count = (len(source), len(row.outputs))
                lines.append((row.name, metric, language, *formatted, *count, result.signature + maker))
        value = (f"{varied:.6f}", *[""] * 4, len(source), len(row.outputs))
        signature = f"distinct|outputs:text|per:100|runs:{len(row.outputs)}{maker}"
        lines.append((row.name, "distinct", language, *value, signature))
    write_csv(scores, HEADER, lines)


class Draws:
    """Metrics of all systems on the same resamples; `against`: a system -> the one it is tested against."""

    def __init__(
        self, rows: Sequence[System], sentences: int, resamples: int, seed: int, against: Mapping[str, str]
    ) -> None:
        from workflow_scripts.statistics import resampling

        self.rows, self.sentences, self.resamples, self.seed = rows, sentences, resamples, seed
        self.against = against
        self.tests = resampling
        self.weights = {
            row.name: resampling.run_weights(row.name, len(row.outputs), resamples, seed, fixed=row.gold)
            for row in rows
        }

    def bleu(self, references: list[list[str]], rows: Sequence[System]) -> dict[str, Result]:
        """Corpus BLEU of some systems against reference sets."""
        import numpy as np

        from workflow_scripts.statistics.bleu import COLUMNS, Reference, bleu_of_sums

        reference = Reference(references)
        what = f"BLEU, {len(references)} reference set{'s' if len(references) > 1 else ''}"
        texts = [text for row in rows for text in row.outputs]
        values, statistics = [], []
        for text in progress(texts, what, total=len(texts), unit="run"):
            values.append(reference.score(text))
            statistics.append(reference.statistics(text))
        if not texts:
            return {}
        sums = self.tests.bootstrap_sums(np.hstack(statistics), self.resamples, self.seed)
        samples = bleu_of_sums(sums.reshape(self.resamples, len(texts), COLUMNS))
        results = self._average(rows, values, samples, reference.signature(self.resamples, self.seed))
        for name, other in self.against.items():
            if name in results and other in results:
                result, base = results[name], results[other]
                difference = result.value - base.value
                result.p = self.tests.bootstrap_p(result.samples - base.samples, difference)
        return results

    def means(self, metric: str, signature: str) -> dict[str, Result]:
        """Means of sentence scores of all systems."""
        import numpy as np

        columns = np.array([column for row in self.rows for column in row.scores[metric]]).T
        values = columns.mean(axis=0)
        samples = self.tests.bootstrap_sums(columns, self.resamples, self.seed) / self.sentences
        tests = f"bs:{self.resamples}|ar:{self.resamples}|seed:{self.seed}"
        results = self._average(self.rows, values, samples, f"{signature}|{tests}|n:{self.sentences}")
        if self.against:
            flipped = self.tests.flipped_sums(columns, self.resamples, self.seed) / self.sentences
            places = self._places(self.rows)
            for name, other in self.against.items():
                place, base = places[name], places[other]
                results[name].p = self.tests.randomisation_p(
                    flipped[:, place],
                    flipped[:, base],
                    (self.weights[name], self.weights[other]),
                    (values[place], values[base]),
                )
        return results

    def interval(self, result: Result, confidence: float) -> tuple[float, float]:
        """The bootstrap interval of a result."""
        return self.tests.interval(result.samples, confidence)

    def _average(
        self, rows: Sequence[System], values: Any, samples: NDArray, signature: str
    ) -> dict[str, Result]:
        """Means over the runs of each system; `values`: one per run; `samples`: resamples x runs."""
        results = {}
        for name, place in self._places(rows).items():
            runs = place.stop - place.start
            mean = float(sum(values[place]) / runs)
            averages = (self.weights[name] * samples[:, place]).sum(axis=1)
            results[name] = Result(mean, averages, f"{signature}|runs:{runs}")
        return results

    @staticmethod
    def _places(rows: Sequence[System]) -> dict[str, slice]:
        """The columns of each system."""
        places, start = {}, 0
        for row in rows:
            places[row.name] = slice(start, start + len(row.outputs))
            start += len(row.outputs)
        return places


def _scaled(result: Result, unit: str, factor: float) -> Result:
    """A result in another unit; a factor changes no p-value."""
    signature = result.signature.replace("unit:nats", f"unit:{unit}")
    return Result(result.value * factor, result.samples * factor, signature, result.p)


def _adjust(results: dict[str, Result]) -> None:
    """Set p_holm from p, over the systems of one metric."""
    from workflow_scripts.statistics.correction import holm

    tested = [(result, result.p) for result in results.values() if result.p is not None]
    for (result, _), adjusted in zip(tested, holm([p for _, p in tested]), strict=True):
        result.p_holm = adjusted


def _identity(model: Path) -> str:
    """The part of a signature that names a model and the versions of what computed its scores."""
    if not model.exists():
        raise InputError("no such model", path=model)
    if model.is_dir():
        whole = hashlib.sha256()
        for path in sorted(path for path in model.rglob("*") if path.is_file()):
            whole.update(f"{path.relative_to(model).as_posix()} {digest(path)}\n".encode())
        kind, sha256, used = "model", whole.hexdigest(), versions("torch", "transformers")
    else:
        kind, sha256, used = "lm", digest(model), versions("ufal-kenlm")
    return "|".join([f"{kind}:{sha256[:12]}", *(f"{name}:{version}" for name, version in used.items())])


def _read(manifest: Path, gold: list[str], informal: Path, source: list[str]) -> list[System]:
    """The systems with their texts and scores, checked."""
    systems: dict[str, list[Outputs]] = {}
    for one in read_outputs(manifest):
        systems.setdefault(one.system, []).append(one)
    for name in gold:
        if name not in systems:
            raise InputError(f"--gold: no system '{name}'", fix=nearest(name, systems))
    return [
        System(
            name,
            name in gold,
            [read_text(one.output, len(source), informal) for one in runs],
            {
                "formality": [read_scores(one.formality, one.output, len(source)) for one in runs],
                "perplexity": [read_nats(one.fluency, one.output, len(source)) for one in runs],
            },
        )
        for name, runs in systems.items()
    ]


def read_text(path: Path, count: int, beside: Path) -> list[str]:
    """As many filled lines as `beside` has; InputError otherwise."""
    return _parallel(path, count, beside, lambda path: read_lines(path, filled=True))


def read_scores(path: Path, beside: Path, count: int) -> list[float]:
    """As many numbers as `beside` has lines; InputError otherwise."""
    return _parallel(path, count, beside, read_numbers)


def read_nats(path: Path, beside: Path, count: int) -> list[float]:
    """The same of a language model; InputError for what is no negative log-likelihood of a token."""
    numbers = read_scores(path, beside, count)
    for line, number in enumerate(numbers, 1):
        if not 0 <= number <= MOST_NATS:
            raise InputError(
                f"{number:g} is no score of a language model: none is below 0 or above {MOST_NATS}",
                path=path,
                line=line,
                fix="score the sentences again",
            )
    return numbers


def _parallel(path: Path, count: int, beside: Path, read: Callable[[Path], list]) -> list:
    """The lines of a file, as many as there are sentences."""
    found = read(path)
    if len(found) != count:
        raise InputError(
            f"{len(found)} lines where {beside} has {count}", path=path, fix="it needs one line per sentence"
        )
    return found


if __name__ == "__main__":
    run(evaluate)
