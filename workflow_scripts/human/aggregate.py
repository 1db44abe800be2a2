"""Command: what raters say of each system, with intervals and tests (XFORMAL, Table 7, human half)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.human.judgments import judgments
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import read_key, read_ratings

HEADER = (
    *("system", "metric", "language", "value", "ci_low", "ci_high"),
    *("p", "p_holm", "n", "raters", "signature"),
)


def aggregate(
    scores: Path,
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
    on the sentences that both have ratings of, by paired approximate randomisation of these means, as the
    automatic scores are; the paper does not name its test. Of fewer than two such sentences nothing can be
    said, and there is no p. p_holm is adjusted for all systems of the metric.

    :param scores: CSV to write: system, metric, language, value, ci_low, ci_high, p, p_holm, n (sentences),
        raters, signature; numbers with 6 decimals, empty where there is none
    :param ratings: checked ratings
    :param key: whose the items are
    :param language: the code of the language, for the column of that name
    :param systems: names, in the order of the rows
    :param baseline: the system against which others are tested
    :param resamples: bootstrap resamples, and trials of the randomisation
    :param confidence: share of the samples in an interval, such as 0.95
    :param seed: of all draws
    :param simulated: the raters are, and the signature says so
    """
    fix_threads(1)
    given = read_ratings(ratings)
    found = judgments(given, read_key(key), key)
    rows: list[tuple[object, ...]] = []
    for task in TASKS:
        means = {
            system: {line: sum(numbers) / len(numbers) for line, numbers in sorted(sentences.items())}
            for system, sentences in found.get(task, {}).items()
        }
        raters = len({rating.rater for rating in given if rating.task == task})
        tests = _tests(means, baseline, resamples, seed)
        for system in systems:
            if system not in means:
                continue
            values = list(means[system].values())
            count = sum(map(len, found[task][system].values()))
            low, high = _interval(values, resamples, confidence, seed)
            numbers = (sum(values) / len(values), low, high, *tests.get(system, (None, None)))
            signature = "|".join(
                [
                    "simulated raters" if simulated else "raters",
                    f"task:{task}",
                    f"raters:{raters}",
                    f"ratings:{count}",
                    f"n:{len(values)}",
                    f"bs:{resamples}|ar:{resamples}|seed:{seed}",
                ]
            )
            formatted = ["" if number is None else f"{number:.6f}" for number in numbers]
            rows.append((system, task, language, *formatted, len(values), raters, signature))
    write_csv(scores, HEADER, rows)


def _interval(values: list[float], resamples: int, confidence: float, seed: int) -> tuple[float, float]:
    """The percentile interval of a mean."""
    import numpy as np

    from workflow_scripts.statistics.resampling import bootstrap_sums, interval

    sums = bootstrap_sums(np.array(values)[:, None], resamples, seed)[:, 0]
    return interval(sums / len(values), confidence)


def _tests(
    means: Mapping[str, Mapping[int, float]], baseline: str, resamples: int, seed: int
) -> dict[str, tuple[float, float]]:
    """p and Holm-adjusted p of every system that shares two or more sentences with the baseline."""
    import numpy as np

    from workflow_scripts.statistics.correction import holm
    from workflow_scripts.statistics.resampling import paired_p

    values: dict[str, float] = {}
    for system, own in means.items():
        other = means.get(baseline, {})
        shared = sorted(own.keys() & other.keys())
        if system != baseline and len(shared) > 1:
            one, two = (np.array([side[line] for line in shared]) for side in (own, other))
            values[system] = paired_p(one, two, resamples, seed)
    adjusted = holm([*values.values()])
    return {system: (p, corrected) for (system, p), corrected in zip(values.items(), adjusted, strict=True)}


if __name__ == "__main__":
    run(aggregate)
