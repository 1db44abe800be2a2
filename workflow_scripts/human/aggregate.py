"""Command: the ratings of each system, with intervals and tests (XFORMAL, Table 7, human half)."""

from pathlib import Path

import numpy as np

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.human.judgments import judgments
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import read_key, read_ratings
from workflow_scripts.statistics.comparison import Draws, System, adjust, measure, p_of_pair
from workflow_scripts.statistics.metrics import OF_OUTPUTS, Mean

HEADER = (
    *("system", "metric", "language", "value", "ci_low", "ci_high"),
    *("p", "p_holm", "n", "raters", "signature"),
)


def aggregate(
    scores: Path,
    outputs: Path,
    *,
    ratings: Path,
    key: Path,
    language: str,
    systems: list[str],
    baseline: str,
    resamples: int,
    confidence: float,
    seed: int,
    simulated: bool = False,
) -> None:
    """Write the mean ratings of every system: formality, fluency, meaning, ranking (5 for the best of five).

    The ratings of a text are averaged first, then the texts: each sentence counts once, however many raters
    it had. Intervals are percentiles of a bootstrap over sentences. A system is tested against the baseline
    on the sentences that have ratings of both, by paired approximate randomisation of these means, as for the
    automatic scores; the paper does not name its test. With fewer than two such sentences there is no p.
    p_holm is adjusted for all systems of the metric.

    :param scores: CSV to write: system, metric, language, value, ci_low, ci_high, p, p_holm, n (sentences),
        raters, signature; numbers with 6 decimals, empty if there is none
    :param outputs: CSV to write, the mean rating of each output: task, system, sentence (its line), rating,
        ratings (their number)
    :param ratings: checked ratings
    :param key: the systems and sentences of the items
    :param language: the code of the language, for the column of that name
    :param systems: names, in the order of the rows
    :param baseline: the system against which others are tested
    """
    fix_threads(1)
    draws = Draws(resamples, confidence, seed)
    given = read_ratings(ratings)
    entries = read_key(key)
    found = judgments(given, entries, key)
    # A sentence for which all systems wrote the same has places in a ranking that nobody gave.
    judged = {rating.item for rating in given}
    asked = {(entry.task, entry.sentence) for entry in entries if entry.item in judged}
    rows: list[tuple[object, ...]] = []
    rated: list[tuple[object, ...]] = []
    for task in TASKS:
        means = {
            system: {line: sum(numbers) / len(numbers) for line, numbers in sorted(sentences.items())}
            for system, sentences in found.get(task, {}).items()
        }
        raters = len({rating.rater for rating in given if rating.task == task})
        each = {name: np.array([*own.values()])[:, None, None] for name, own in means.items()}
        results = measure(Mean(), {name: System(name, own) for name, own in each.items()}, draws)
        for system, own in means.items():
            other = means.get(baseline, {})
            if system != baseline and len(shared := sorted(own.keys() & other.keys())) > 1:
                pair = np.array([[own[line], other[line]] for line in shared])
                results[system].p = p_of_pair(pair, draws)
        adjust(results.values())
        for system in (name for name in systems if name in results):
            size = results[system].sentences
            counts = {line: len(numbers) for line, numbers in found[task][system].items()}
            rated += [
                (task, system, line, f"{mean:.6f}", counts[line])
                for line, mean in means[system].items()
                if (task, line) in asked
            ]
            signature = "|".join(
                [
                    "simulated raters" if simulated else "raters",
                    f"task:{task}",
                    f"raters:{raters}",
                    f"ratings:{sum(counts.values())}",
                    f"n:{size}",
                    f"bs:{resamples}|ar:{resamples}|seed:{seed}",
                ]
            )
            rows.append((system, task, language, *results[system].fields(draws), size, raters, signature))
    write_csv(outputs, OF_OUTPUTS, rated)
    write_csv(scores, HEADER, rows)


if __name__ == "__main__":
    run(aggregate)
