"""One comparison of systems: values, intervals, paired tests, Holm's correction, the numbers of their rows.

A system is an array of the metric's summed statistics per sentence, for each of its runs. All draws come from
the seed, the number of sentences and the name of a system with several runs: they do not depend on the other
systems.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from workflow_scripts.core.errors import InputError
from workflow_scripts.statistics.correction import holm
from workflow_scripts.statistics.metrics import Metric
from workflow_scripts.statistics.resampling import (
    Array,
    bootstrap_p,
    bootstrap_sums,
    exact_p,
    flipped_sums,
    interval,
    randomisation_p,
    run_weights,
)

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Draws:
    """Bootstrap resamples, and trials of a randomisation; the share of them in an interval; their seed."""

    resamples: int
    confidence: float
    seed: int

    def __post_init__(self) -> None:
        """InputError for a number that is out of range."""
        if self.resamples < 1 or not 0 < self.confidence < 1:
            raise InputError("resamples must be at least 1 and confidence between 0 and 1")


@dataclass(frozen=True)
class System:
    """A system to be compared."""

    # Its runs are drawn by this name.
    name: str
    # The statistics summed by the metric: sentences x runs x columns.
    statistics: Array
    # Whether its runs are not a sample: then all of them count in every resample.
    fixed: bool = False


@dataclass(frozen=True)
class Exchange:
    """The quantities of a system for the paired randomisation of a mean."""

    # Per sentence: sentences x runs.
    scores: Array
    # Means with random signs: trials x runs.
    flipped: Array
    # The weights of the runs in each trial: trials x runs.
    weights: Array


@dataclass
class Result:
    """A metric of a system."""

    # Of each run.
    values: Array
    # Of each resample, over the drawn runs.
    samples: Array
    # The number of sentences that the metric counts, for each run.
    counted: Array
    sentences: int
    signature: str
    exchange: Exchange | None = None
    p: float | None = None
    p_holm: float | None = None

    @property
    def value(self) -> float:
        """The mean over the runs."""
        return float(self.values.mean())

    def interval(self, draws: Draws) -> tuple[float, float]:
        """The percentile interval over sentences and runs."""
        return interval(self.samples, draws.confidence)

    def fields(self, draws: Draws) -> list[str]:
        """The numbers of a row: value, ci_low, ci_high, p, p_holm."""
        return texts(self.value, *self.interval(draws), self.p, self.p_holm)


def texts(*numbers: float | None) -> list[str]:
    """Numbers with six decimals, empty where there is none."""
    return ["" if number is None else f"{number:.6f}" for number in numbers]


def measure(
    metric: Metric, systems: Mapping[Key, System], draws: Draws, signature: str = ""
) -> dict[Key, Result]:
    """A metric of each system, and in every resample; `signature` says how, and gets the number of runs.

    Systems of as many sentences have the same resamples of them.
    """
    found: dict[Key, Result] = {}
    for sentences in dict.fromkeys(len(one.statistics) for one in systems.values()):
        alike = {key: one for key, one in systems.items() if len(one.statistics) == sentences}
        every = np.concatenate([one.statistics for one in alike.values()], axis=1)
        flat, shape = every.reshape(sentences, -1), (draws.resamples, *every.shape[1:])
        whole = every.sum(axis=0)
        values, counted = metric.value(whole, sentences), metric.counted(whole, sentences)
        samples = metric.value(bootstrap_sums(flat, draws.resamples, draws.seed).reshape(shape), sentences)
        flipped = flipped_sums(flat, draws.resamples, draws.seed) / sentences if metric.is_mean else None
        end = 0
        for key, one in alike.items():
            runs = one.statistics.shape[1]
            place, end = slice(end, end + runs), end + runs
            weights = run_weights(one.name, runs, draws.resamples, draws.seed, fixed=one.fixed)
            found[key] = Result(
                values[place],
                (weights * samples[:, place]).sum(axis=1),
                counted[place],
                sentences,
                f"{signature}|runs:{runs}",
            )
            if flipped is not None:
                found[key].exchange = Exchange(one.statistics[..., 0], flipped[:, place], weights)
    return {key: found[key] for key in systems}


def set_p(results: Mapping[Key, Result], against: Mapping[Key, Key]) -> None:
    """Set p of the systems tested against another one, and p_holm; `against`: system -> the other one.

    Means over sentences are tested by paired randomisation, exactly if there are no more exchanges than
    trials, other metrics by a paired bootstrap. Systems without the metric are left out.
    """
    for key, other in against.items():
        if key in results and other in results:
            results[key].p = _p(results[key], results[other])
    adjust(results.values())


def p_of_pair(scores: Array, draws: Draws) -> float:
    """p of two means over the same sentences, tested as in `set_p`; `scores`: sentences x 2."""
    sentences, trials = len(scores), draws.resamples
    if 2**sentences <= trials:
        return exact_p(scores[:, 0], scores[:, 1])
    one, two = np.split(flipped_sums(scores, trials, draws.seed) / sentences, 2, axis=1)
    means = np.split(scores.sum(axis=0) / sentences, 2)
    return randomisation_p(one, two, (np.ones((trials, 1)),) * 2, (means[0], means[1]))


def adjust(results: Iterable[Result]) -> None:
    """Set p_holm of all tested systems, from their p."""
    tested = [(result, result.p) for result in results if result.p is not None]
    for (result, _), adjusted in zip(tested, holm([p for _, p in tested]), strict=True):
        result.p_holm = adjusted


def _p(one: Result, two: Result) -> float:
    mine, theirs = one.exchange, two.exchange
    if mine is None or theirs is None:
        return bootstrap_p(one.samples - two.samples, one.value - two.value)
    if len(one.values) == len(two.values) == 1 and 2**one.sentences <= len(one.samples):
        return exact_p(mine.scores[:, 0], theirs.scores[:, 0])
    weights = (mine.weights, theirs.weights)
    return randomisation_p(mine.flipped, theirs.flipped, weights, (one.values, two.values))
