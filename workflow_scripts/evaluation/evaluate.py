"""Command: values, intervals and tests of all systems of a language (XFORMAL, Section 5.3, Table 7)."""

import hashlib
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import digest, progress, read_lines, read_numbers
from workflow_scripts.core.provenance import versions
from workflow_scripts.evaluation.outputs import Outputs, read_outputs
from workflow_scripts.prompting.made_by import read_signatures
from workflow_scripts.statistics.comparison import Draws, Result, System, measure, set_p
from workflow_scripts.statistics.metrics import (
    SCORED,
    Formality,
    Further,
    Perplexity,
    Run,
    Scored,
    Sentences,
    metric_of,
)
from workflow_scripts.text.lexical import COLLAPSED, distinct

HEADER = (
    *("system", "metric", "language", "value", "ci_low", "ci_high"),
    *("p", "p_holm", "n", "runs", "signature"),
)
# The paper's perplexity is read as nats per token; the paper names no base. The same number in other units
# has the same p-values: unit -> how much of it is one nat.
UNITS = {"bits": 1 / math.log(2), "log10": 1 / math.log(10)}
# metric -> system -> result
Results = dict[str, dict[str, Result]]


@dataclass(frozen=True)
class Row:
    """A row of the table, and its runs; `gold`: the runs are the sets of rewrites."""

    name: str
    gold: bool
    runs: list[Run]


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
    metrics: list[str],
    resamples: int,
    confidence: float,
    seed: int,
    made_by: list[Path] | None = None,
    scorers: list[str] | None = None,
    models: list[Path] | None = None,
) -> None:
    """Write the metrics of every system, with intervals and paired tests against the baseline.

    `statistics.metrics` describes the metrics; perplexity, in nats, is also given in bits and as log10. A
    system with several runs gets the mean over them. GOLD STANDARD is the mean over the reference sets and
    is not measured against them. distinct is the number of different outputs for every 100 different source
    sentences, without an interval and a test; a system below 50 is named on stderr, since its other numbers
    say little.

    Intervals are percentiles of a bootstrap over sentences and over reruns, tests are paired
    (`statistics.comparison`); p_holm is adjusted for all systems of the metric. Without the baseline among
    the systems there are no p-values.

    :param scores: CSV to write: system, metric, language, value, ci_low, ci_high, p, p_holm, n (sentences),
        runs, signature; numbers with 6 decimals, empty where there is none
    :param language: the code of the language, for the column of that name
    :param informal: the source sentences
    :param references: the sets of formal rewrites, parallel to `informal`
    :param runs: manifest of all outputs and their scores, systems in the order of the rows: system, run,
        output, formality, fluency, and the stages of further metrics
    :param gold: names of systems whose runs are the reference sets
    :param regressor: folder of the model behind the scores of formality, for the signature
    :param lm: file of the model behind the scores of fluency, for the signature
    :param order: the longest n-gram of `lm`, for the signature
    :param baseline: the system against which others are tested
    :param metrics: names of `statistics.metrics`
    :param made_by: the models behind the outputs of some systems, for signatures; CSV: system, signature, ...
    :param scorers: the stages behind further metrics
    :param models: for signatures, the folder of the model of each of them, or the CSV of facts that `judge`
        wrote
    """
    # Sums have the same last bits on every machine, and one thread is enough for seconds of work.
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    further = further_models(scorers, models)
    for asked in map(metric_of, metrics):
        if issubclass(asked, Further) and asked.stage not in further:
            raise InputError(f"--metrics has {asked.name}, but --scorers lacks {asked.stage}")
    sentences = read_sentences(informal, references, regressor, lm, order, further)
    source = sentences.source
    rows = _read(read_outputs(runs, further), runs, gold, informal, source)
    names = [row.name for row in rows]
    makers = read_signatures(made_by or [], names)
    if baseline not in names:
        print(f"no p-values: the baseline '{baseline}' is not among the systems", file=sys.stderr)
    against = {name: baseline for name in names if name != baseline}
    table = _in_units(measured(metrics, rows, sentences, against, draws))
    lines: list[tuple[object, ...]] = []
    for row in rows:
        outputs = [run.texts for run in row.runs]
        maker = makers.get(row.name, "")
        varied = sum(distinct(texts, source) for texts in outputs) / len(outputs)
        if varied < COLLAPSED:
            print(
                f"warning: {row.name} has {varied:.0f} different outputs for 100 different sentences in"
                f" {language}: it ignores most of its input",
                file=sys.stderr,
            )
        count = (len(source), len(outputs))
        for metric, results in table.items():
            if result := results.get(row.name):
                signature = result.signature + maker
                lines.append((row.name, metric, language, *result.fields(draws), *count, signature))
        value = (f"{varied:.6f}", *[""] * 4, *count)
        signature = f"distinct|outputs:text|per:100|runs:{len(outputs)}{maker}"
        lines.append((row.name, "distinct", language, *value, signature))
    write_csv(scores, HEADER, lines)


def measured(
    metrics: Sequence[str],
    rows: Sequence[Row],
    sentences: Sentences,
    against: Mapping[str, str],
    draws: Draws,
) -> Results:
    """Each metric of all rows that have it; `against`: system -> the system it is tested against."""
    table: Results = {}
    for metric in (metric_of(name)(sentences) for name in metrics):
        having = [row for row in rows if metric.of_rewrites or not row.gold]
        systems = {}
        for row in progress(having, metric.label, len(having), unit="system"):
            statistics = np.stack([metric.statistics(run) for run in row.runs], axis=1)
            systems[row.name] = System(row.name, statistics, fixed=row.gold)
        table[metric.name] = measure(metric, systems, draws, metric.signature(draws))
        set_p(table[metric.name], against)
    return table


def _in_units(table: Results) -> Results:
    """Add perplexity in other units; a constant factor changes no p-value."""
    with_units: Results = {}
    for metric, results in table.items():
        with_units[metric] = results
        if metric == Perplexity.name:
            for unit, factor in UNITS.items():
                with_units[f"{metric}_{unit}"] = {
                    name: replace(
                        result,
                        values=result.values * factor,
                        samples=result.samples * factor,
                        signature=result.signature.replace("unit:nats", f"unit:{unit}"),
                    )
                    for name, result in results.items()
                }
    return with_units


def further_models(scorers: Sequence[str] | None, models: Sequence[Path] | None) -> dict[str, Path]:
    """What stands behind further metrics, by stage: folders of models, or files of facts.

    Raises InputError for lists that are not parallel, or an unknown stage.
    """
    scorers, models = scorers or [], models or []
    if len(scorers) != len(models):
        raise InputError(f"{len(scorers)} scorers but {len(models)} models", fix="give as many of each")
    for stage in scorers:
        if stage not in SCORED:
            raise InputError(f"no scorer '{stage}'", fix=nearest(stage, SCORED))
    return dict(zip(scorers, models, strict=True))


def read_sentences(
    informal: Path,
    references: Sequence[Path],
    regressor: Path,
    lm: Path,
    order: int,
    further: Mapping[str, Path],
) -> Sentences:
    """The texts with which outputs are compared, and the models that scored these; options as of `evaluate`.

    `further`: of `further_models`. Raises InputError for files that are not parallel, without a sentence, and
    for a missing model.
    """
    source = read_lines(informal, filled=True)
    if not source:
        raise InputError("no sentence to evaluate on", path=informal)
    rewrites = [read_text(path, len(source), informal) for path in references]
    scorers = {}
    for stage, model in {Formality.stage: regressor, Perplexity.stage: lm, **further}.items():
        metric = SCORED[stage]
        facts = [metric.name, identity(model), *([f"order:{order}"] if metric is Perplexity else [])]
        scorers[metric.name] = "|".join([*facts, metric.unit])
    return Sentences(source, rewrites, scorers)


def identity(model: Path) -> str:
    """The part of a signature that names a model and the versions of the packages that scored with it.

    A CSV has the facts of a language model that was asked, a text the signature itself.
    """
    if not model.exists():
        raise InputError("no such model", path=model)
    if model.suffix == ".csv":
        return next((row["signature"] for _, row in read_rows(model, ("signature",))), "none")
    if model.suffix == ".txt":
        return " ".join(read_lines(model))
    if model.is_dir():
        whole = hashlib.sha256()
        for path in sorted(path for path in model.rglob("*") if path.is_file()):
            whole.update(f"{path.relative_to(model).as_posix()} {digest(path)}\n".encode())
        kind, sha256, used = "model", whole.hexdigest(), versions("torch", "transformers")
    else:
        kind, sha256, used = "lm", digest(model), versions("ufal-kenlm")
    return "|".join([f"{kind}:{sha256[:12]}", *(f"{name}:{version}" for name, version in used.items())])


def _read(
    listed: Sequence[Outputs], manifest: Path, gold: list[str], informal: Path, source: Sequence[str]
) -> list[Row]:
    """The systems with their texts and scores, checked."""
    systems: dict[str, list[Run]] = {}
    for outputs in listed:
        systems.setdefault(outputs.system, []).append(read_run(outputs, len(source), informal))
    for name in gold:
        if name not in systems:
            raise InputError(
                f"no system '{name}', which --gold names", path=manifest, fix=nearest(name, systems)
            )
    return [Row(name, name in gold, runs) for name, runs in systems.items()]


def read_run(one: Outputs, count: int, informal: Path, folder: Path = Path()) -> Run:
    """The texts and scores of a run, as many as there are sentences; its paths are relative to `folder`."""
    output = folder / one.output
    scores = {
        SCORED[stage].name: read_scores(SCORED[stage], folder / path, output, count)
        for stage, path in one.scores.items()
    }
    return Run(read_text(output, count, informal), scores)


def read_text(path: Path, count: int, beside: Path) -> list[str]:
    """As many filled lines as `beside` has; InputError otherwise."""
    return _parallel(path, count, beside, lambda path: read_lines(path, filled=True))


def read_scores(metric: type[Scored], path: Path, beside: Path, count: int) -> list[float]:
    """As many scores as `beside` has lines; InputError otherwise, and for one beyond the metric's bounds."""
    numbers = _parallel(path, count, beside, read_numbers)
    low, high = metric.bounds
    for line, number in enumerate(numbers, 1):
        if not low <= number <= high:
            raise InputError(
                f"{number:g} is no score for {metric.label}: none is below {low:g} or above {high:g}",
                path=path,
                line=line,
                fix="score the sentences again",
            )
    return numbers


def _parallel(path: Path, count: int, beside: Path, read: Callable[[Path], list]) -> list:
    """The lines of a file, as many as there are sentences."""
    lines = read(path)
    if len(lines) != count:
        raise InputError(
            f"{len(lines)} lines where {beside} has {count}", path=path, fix="it needs one line per sentence"
        )
    return lines


if __name__ == "__main__":
    run(evaluate)
