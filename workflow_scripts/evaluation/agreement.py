"""Command: how far each metric agrees with people's ratings of the outputs, in a language."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import read_keyed, write_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.fields import number, whole
from workflow_scripts.evaluation.evaluate import further_models, read_run, read_sentences
from workflow_scripts.evaluation.outputs import read_outputs
from workflow_scripts.leaves.agreements import HEADER, OUTPUTS
from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.statistics.metrics import METRICS, OF_OUTPUTS, RATINGS, Bleu, OutputMetric, Run, Scored
from workflow_scripts.statistics.rank_agreement import (
    Agreement,
    Judge,
    Rated,
    adjust,
    agreements,
    exchange_p,
    within_sentences,
)

# The task whose ratings are of the outputs for a sentence relative to each other.
RANKED = "ranking"
# task -> (system, index of the sentence) -> mean rating
ByTask = dict[str, dict[tuple[str, int], float]]


def agreement(
    table: Path,
    *,
    language: str,
    informal: Path,
    references: list[Path],
    runs: Path,
    ratings: Path,
    systems: list[str],
    regressor: Path,
    lm: Path,
    order: int,
    resamples: int,
    confidence: float,
    seed: int,
    simulated: bool = False,
    scorers: list[str] | None = None,
    models: list[Path] | None = None,
) -> None:
    """Write the rank correlation of each metric with the ratings of each task.

    Spearman's is over all rated outputs of the systems, Kendall's over the systems
    (`statistics.rank_agreement`). Every metric of `statistics.metrics` is there, whether Table 7 has it or
    not, but for those of models that did not score the outputs. With rankings the metric's order of the
    outputs for each sentence is correlated. p is of the difference from the metric that Table 7 shows in the
    same column as the task's ratings; p_holm is adjusted for the other metrics of the task. A correlation
    with constant numbers is empty.

    :param table: CSV to write, as `leaves.agreements` describes it; the texts are outputs
    :param language: the code of the language, for the column of that name
    :param informal: the source sentences
    :param references: the sets of formal rewrites, parallel to `informal`
    :param runs: manifest of all outputs and their scores, as `evaluate` reads it; of each system the first
        run is the rated one
    :param ratings: the mean rating of each output: task, system, sentence, rating, ratings
    :param systems: the names of the rated systems; ratings of other rows, such as the rewrites, do not count
    :param regressor: folder of the model behind the scores of formality, for the signature
    :param lm: file of the model behind the scores of fluency, for the signature
    :param order: the longest n-gram of `lm`, for the signature
    :param scorers: the stages behind further metrics
    :param models: for signatures, the folder of the model of each of them, or the CSV of facts that `judge`
        wrote
    """
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    further = further_models(scorers, models)
    sentences = read_sentences(informal, references, regressor, lm, order, further)
    count = len(sentences.source)
    metrics = {
        name: kind(sentences)
        for name, kind in METRICS.items()
        if name in sentences.scorers or not issubclass(kind, Scored)
    }
    first: dict[str, Run] = {}
    listed = read_outputs(runs, further)
    for one in listed:
        if one.system in systems and one.system not in first:
            first[one.system] = read_run(one, count, informal)
    if missing := [name for name in systems if name not in first]:
        fix = nearest(missing[0], {one.system for one in listed})
        raise InputError(f"no system '{missing[0]}', which --systems names", path=runs, fix=fix)
    each = {
        name: {system: (metric.of_each(run), metric.statistics(run)) for system, run in first.items()}
        for name, metric in metrics.items()
    }
    raters = "simulated raters" if simulated else "raters"
    rows: list[tuple[str, ...]] = []
    for task, means in _ratings(ratings, systems, count).items():
        rated = Rated(
            np.array([*means.values()]),
            np.array([sentence for _, sentence in means]),
            np.array([systems.index(system) for system, _ in means]),
        )
        judges = {name: _judge(metrics[name], each[name], [*means]) for name in metrics}
        if task == RANKED:
            # Raters compare the outputs for a sentence: a metric's order of these is what can agree.
            for name, judge in judges.items():
                judges[name] = replace(judge, values=within_sentences(judge.values, rated.sentences))
        found = agreements(rated, judges, draws)
        _compare(found, rated, judges, RATINGS[task].column, draws)
        adjust(found.values())
        for name, own in found.items():
            effective = ["of each output:eff:yes"] if isinstance(metrics[name], Bleu) else []
            signature = own.signature(raters, task, draws, metrics[name].signature(), *effective, tested=True)
            rows.append((language, OUTPUTS, task, name, *own.fields(), signature))
    write_csv(table, HEADER, rows)


def _ratings(path: Path, systems: Sequence[str], count: int) -> ByTask:
    """The ratings of some systems, by task in the order of Table 7's columns."""
    by_task: ByTask = {task: {} for task in RATINGS}
    for line, (task, system, sentence, rating, _) in read_keyed(path, OF_OUTPUTS, keys=3):
        if task not in by_task:
            raise InputError(f"no task '{task}'", path=path, line=line, fix=nearest(task, by_task))
        place = whole(sentence, path, line, least=1)
        if place > count:
            raise InputError(f"a rating of line {place} of {count} sentences", path=path, line=line)
        if (system, place - 1) in by_task[task]:
            raise InputError(f"a second rating of {system}, sentence {place}", path=path, line=line)
        if system in systems:
            by_task[task][system, place - 1] = number(rating, path, line)
    return {task: means for task, means in by_task.items() if means}


def _judge(
    metric: OutputMetric, each: dict[str, tuple[np.ndarray, np.ndarray]], keys: list[tuple[str, int]]
) -> Judge:
    """A metric of the rated outputs, by system and index of the sentence."""
    values, statistics = (np.array([each[system][part][place] for system, place in keys]) for part in (0, 1))
    return Judge(metric, values, statistics)


def _compare(
    found: dict[str, Agreement], rated: Rated, judges: dict[str, Judge], shown: str, draws: Draws
) -> None:
    """Set p of the metrics other than the one that Table 7 shows."""
    for name in found.keys() - {shown}:
        found[name].p = exchange_p(rated, judges[name], judges[shown], draws)


if __name__ == "__main__":
    run(agreement)
