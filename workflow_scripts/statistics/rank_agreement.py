"""Agreement of metrics with ratings: rank correlations over outputs and over systems, intervals and tests.

A metric agrees with raters if it orders outputs, or systems, as they do (Briakou et al., EMNLP 2021). All
draws are of source sentences, with the outputs of all systems for each, and come from the seed alone. Rated
texts that no system wrote are the outputs of one system, each for a sentence of its own.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

import numpy as np
from scipy.stats import rankdata

from workflow_scripts.core.files import progress
from workflow_scripts.statistics.comparison import Draws, texts
from workflow_scripts.statistics.correction import holm
from workflow_scripts.statistics.metrics import Mean, Metric
from workflow_scripts.statistics.resampling import Array, interval, two_sided_p

# Numbers that are equal in exact arithmetic are ties on every processor.
DECIMALS = 9
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class Rated:
    """Rated outputs: each array has an element per output."""

    ratings: Array
    # The index of its source sentence, and of its system.
    sentences: Array
    systems: Array

    @classmethod
    def of_texts(cls, ratings: Array) -> Rated:
        """Texts that no system wrote, each drawn by itself: over one system there is no Kendall."""
        places = np.arange(len(ratings), dtype=float)
        return cls(ratings, places, np.zeros_like(places))


@dataclass(frozen=True)
class Judge:
    """A metric of the same outputs."""

    metric: Metric
    # The metric of each output by itself.
    values: Array
    # What the metric sums: outputs x columns.
    statistics: Array

    @classmethod
    def of_mean(cls, values: Array) -> Judge:
        """Numbers whose mean is the metric; higher is better."""
        return cls(Mean(), values, values[:, None])


@dataclass
class Agreement:
    """Spearman's correlation over outputs, Kendall's over systems; nan where numbers are constant."""

    spearman: float
    spearman_interval: tuple[float, float]
    kendall: float
    kendall_interval: tuple[float, float]
    # The numbers of rated outputs, of their source sentences and of their systems.
    outputs: int
    sentences: int
    systems: int
    # Of the difference from another metric's correlation over outputs, if the two were compared, and
    # Holm-adjusted (`adjust`).
    p: float | None = None
    p_holm: float | None = None

    def fields(self, *, over_systems: bool = True) -> list[str]:
        """The columns `spearman` to `systems` of `leaves.agreements`; the last four are empty for texts."""
        numbers = (self.spearman, *self.spearman_interval, self.p, self.p_holm)
        kendall = [*_texts(self.kendall, *self.kendall_interval), str(self.systems)]
        return [*_texts(*numbers), str(self.outputs), *(kendall if over_systems else [""] * len(kendall))]

    def signature(self, raters: str, task: str, draws: Draws, *further: str, tested: bool) -> str:
        """Whose ratings, of what and how many sentences; the draws, of tests too if any is `tested`."""
        facts = (raters, f"task:{task}", f"rated:{self.sentences}", f"bs:{draws.resamples}")
        tests = (f"ar:{draws.resamples}",) if tested else ()
        return "|".join((*facts, *tests, f"seed:{draws.seed}", *further))


def agreements(rated: Rated, judges: Mapping[Key, Judge], draws: Draws) -> dict[Key, Agreement]:
    """Each metric's correlations with the ratings, and percentile intervals of a bootstrap over sentences.

    A metric whose lower values are better counts with the opposite sign: agreement is positive. A system's
    rating is the mean of its outputs', its metric that of all its rated outputs together; the interval of
    Kendall's is for these systems, however few. Resamples without a correlation, such as those of equal
    ratings, are left out; there is no interval if their share is more than 1 - `draws.confidence`.
    """
    signs = np.array([-1.0 if one.metric.lower_is_better else 1.0 for one in judges.values()])
    values = signs[:, None] * np.round([one.values for one in judges.values()], DECIMALS)
    members = (np.unique(rated.systems)[:, None] == rated.systems).astype(float)

    def of(chosen: Array | slice) -> tuple[Array, Array]:
        """Both correlations of each metric, for some of the outputs."""
        belongs = members[:, chosen]
        counts = belongs.sum(axis=1)
        scores = np.array(
            [_by_system(one.metric, belongs @ one.statistics[chosen], counts) for one in judges.values()]
        )
        # A system without a chosen output has no number, and no pair with it counts.
        means = _by_system(Mean(), (belongs @ rated.ratings[chosen])[:, None], counts)
        over_systems = np.array([kendall(means, own) for own in signs[:, None] * scores])
        return spearman_with(rated.ratings[chosen], values[:, chosen]), over_systems

    found = of(slice(None))
    drawn = progress(_resamples(rated, draws), "bootstrap", draws.resamples, unit="resample")
    samples = np.array([of(chosen) for chosen in drawn])
    return {
        name: Agreement(
            float(found[0][place]),
            _interval(samples[:, 0, place], draws),
            float(found[1][place]),
            _interval(samples[:, 1, place], draws),
            *(len(rated.ratings), len(set(rated.sentences)), len(members)),
        )
        for place, name in enumerate(judges)
    }


def adjust(found: Iterable[Agreement]) -> None:
    """Set `p_holm` of those that have a p, adjusted for all of them."""
    tested = [(own, own.p) for own in found if own.p is not None]
    for (own, _), adjusted in zip(tested, holm([p for _, p in tested]), strict=True):
        own.p_holm = adjusted


def spearman_with(ratings: Array, values: Array) -> Array:
    """Spearman's correlation of ratings with each row of values; ties share ranks, nan if all are tied."""
    ranks = rankdata(np.vstack([ratings, values]), axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    norms = np.sqrt((ranks**2).sum(axis=1))
    products = norms[1:] * norms[0]
    return np.divide(ranks[1:] @ ranks[0], products, out=np.full(len(values), np.nan), where=products > 0)


def kendall(one: Array, two: Array) -> float:
    """Kendall's tau-b of two lists of numbers, over the pairs that both have; nan if all are tied in one.

    As SciPy's, which takes 0.2 ms for five systems, and there are thousands of resamples of every metric.
    """
    places = np.array([*combinations(range(len(one)), 2)], dtype=int).reshape(-1, 2)
    first, second = (np.sign(own[places[:, 0]] - own[places[:, 1]]) for own in (one, two))
    both = ~(np.isnan(first) | np.isnan(second))
    first, second = first[both], second[both]
    product = float(np.abs(first).sum() * np.abs(second).sum())
    return float(first @ second) / product**0.5 if product else np.nan


def exchange_p(rated: Rated, one: Judge, two: Judge, draws: Draws) -> float | None:
    """Two-sided p of the difference of two metrics' Spearman correlations; None without correlations.

    Paired randomisation (Deutsch et al., TACL 2021): without a difference the two metrics' ranks of an output
    could be exchanged. Each trial exchanges those of random sentences.
    """
    signed = [-own.values if own.metric.lower_is_better else own.values for own in (one, two)]
    ranks = rankdata(np.round(signed, DECIMALS), axis=1)

    def difference(mixed: Array) -> float:
        first, second = spearman_with(rated.ratings, mixed)
        return float(first - second)

    observed = difference(ranks)
    if np.isnan(observed):
        return None
    _, places = np.unique(rated.sentences, return_inverse=True)
    generator = np.random.default_rng([draws.seed, 3])
    coins = generator.integers(2, size=(draws.resamples, places.max() + 1), dtype=np.int8).astype(bool)
    samples = np.array([difference(np.where(row[places], ranks[::-1], ranks)) for row in coins])
    # A trial whose mixed ranks are all tied has no difference; it counts as one that is as far.
    return two_sided_p(np.nan_to_num(samples, nan=observed), observed)


def within_sentences(values: Array, sentences: Array) -> Array:
    """The ranks of values among those of the same sentence, 1 for the lowest, as a ranking of outputs has."""
    ranks = np.empty(len(values))
    for sentence in np.unique(sentences):
        own = sentences == sentence
        ranks[own] = rankdata(np.round(values[own], DECIMALS))
    return ranks


def _texts(*numbers: float | None) -> list[str]:
    """Numbers of a table; none for what is missing or not a number."""
    return texts(*(None if number is None or math.isnan(number) else number for number in numbers))


def _by_system(metric: Metric, sums: Array, counts: Array) -> Array:
    """The metric for each row of sums over so many outputs, nan for none."""
    found = [
        metric.value(own, int(count)) if count else np.nan for own, count in zip(sums, counts, strict=True)
    ]
    return np.round(np.array(found, dtype=float), DECIMALS)


def _resamples(rated: Rated, draws: Draws) -> Iterator[Array]:
    """The outputs of sentences drawn with replacement, as indices."""
    groups = [np.flatnonzero(rated.sentences == sentence) for sentence in np.unique(rated.sentences)]
    generator = np.random.default_rng(draws.seed)
    for _ in range(draws.resamples):
        picks = generator.integers(len(groups), size=len(groups))
        yield np.concatenate([groups[pick] for pick in picks])


def _interval(samples: Array, draws: Draws) -> tuple[float, float]:
    """The percentile interval of the samples that are defined; nan if too few are."""
    defined = samples[~np.isnan(samples)]
    enough = len(defined) >= draws.confidence * len(samples)
    return interval(defined, draws.confidence) if enough else (np.nan, np.nan)
