"""Command: what raters say of each system, with intervals and tests (XFORMAL, Table 7, human half)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from workflow_scripts.core.command import fix_threads, run
from workflow_scripts.core.provenance import versions
from workflow_scripts.human.judgments import judgments
from workflow_scripts.human.scales import TASKS
from workflow_scripts.human.sheets import read_key, read_ratings
from workflow_scripts.leaves.table import write_csv

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    automatic scores are; the paper does not name its test. p_holm is adjusted for all systems of the metric.

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
    found = judgments(given, read_key(key))
    used = "|".join(f"{name}:{version}" for name, version in versions("scipy", "statsmodels").items())
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
                    used,
                ]
            )
            formatted = ["" if number is None else f"{number:.6f}" for number in numbers]
            rows.append((system, task, language, *formatted, len(values), raters, signature))
    write_csv(scores, HEADER, rows)


def _interval(values: list[float], resamples: int, confidence: float, seed: int) -> tuple[float, float]:
    """The percentile interval of a mean."""
    import numpy as np
    from scipy.stats import bootstrap

    if len(set(values)) < 2:
        return values[0], values[0]
    bounds = bootstrap(
        (np.array(values),),
        np.mean,
        n_resamples=resamples,
        confidence_level=confidence,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return float(bounds.low), float(bounds.high)


def _tests(
    means: Mapping[str, Mapping[int, float]], baseline: str, resamples: int, seed: int
) -> dict[str, tuple[float, float]]:
    """p and Holm-adjusted p of every system that shares sentences with the baseline."""
    import numpy as np
    from statsmodels.stats.multitest import multipletests

    pairs = {}
    for system, own in means.items():
        other = means.get(baseline, {})
        shared = sorted(own.keys() & other.keys())
        if system != baseline and shared:
            pairs[system] = np.array([[own[line] for line in shared], [other[line] for line in shared]])
    values = [randomisation_p(*pair, resamples=resamples, seed=seed) for pair in pairs.values()]
    if not values:
        return {}
    adjusted = multipletests(values, method="holm")[1]
    return {system: (p, float(holm)) for system, p, holm in zip(pairs, values, adjusted, strict=True)}


def randomisation_p(
    one: NDArray[np.float64], two: NDArray[np.float64], *, resamples: int, seed: int
) -> float:
    """Two-sided p of paired randomisation for the difference of two means; exact where pairs are few."""
    import numpy as np
    from scipy.stats import permutation_test

    if np.array_equal(one, two):
        return 1.0

    def difference(x: NDArray, y: NDArray, axis: int) -> NDArray:
        return np.mean(x - y, axis=axis)

    result = permutation_test(
        (one, two),
        difference,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        alternative="two-sided",
        rng=np.random.default_rng(seed),
    )
    return float(result.pvalue)


if __name__ == "__main__":
    run(aggregate)
