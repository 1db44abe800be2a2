"""Rank agreement: against SciPy, in worlds with a known answer, and in simulations without a difference."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.statistics.metrics import Mean
from workflow_scripts.statistics.rank_agreement import (
    Judge,
    Rated,
    agreements,
    exchange_p,
    kendall,
    spearman_with,
    within_sentences,
)

DRAWS = Draws(300, 0.95, 1)
few = st.lists(st.integers(0, 3), min_size=2, max_size=8)


class Worse(Mean):
    """A metric whose lower values are better."""

    lower_is_better = True


def judge(values: np.ndarray, metric: Mean | None = None) -> Judge:
    return Judge(metric or Mean(), values, values[:, None])


def world(sentences: int, systems: int, seed: int) -> tuple[Rated, np.random.Generator]:
    """Ratings of every system's output for every sentence."""
    draw = np.random.default_rng(seed)
    places = np.repeat(np.arange(sentences), systems), np.tile(np.arange(systems), sentences)
    return Rated(draw.normal(size=sentences * systems) + places[1], *places), draw


@given(few, st.data())
def test_correlations_are_scipys(one, data):
    two = data.draw(st.lists(st.integers(0, 3), min_size=len(one), max_size=len(one)))
    first, second = np.array(one, float), np.array(two, float)
    ours = spearman_with(first, np.array([second, -second]))
    if len(set(one)) == 1 or len(set(two)) == 1:
        assert math.isnan(kendall(first, second)) and np.isnan(ours).all()
        return
    assert kendall(first, second) == pytest.approx(stats.kendalltau(one, two).statistic)
    expected = stats.spearmanr(one, two).statistic
    assert ours == pytest.approx([expected, -expected])


def test_a_system_without_a_number_is_in_no_pair():
    assert kendall(np.array([1.0, 2.0, np.nan, 3.0]), np.array([1.0, 2.0, 0.0, 3.0])) == 1
    assert math.isnan(kendall(np.array([1.0]), np.array([2.0])))


def test_agreement_is_positive_in_the_direction_of_the_metric():
    rated, draw = world(40, 4, 1)
    noise = draw.normal(size=len(rated.ratings))
    judges = {
        "same": judge(rated.ratings),
        "near": judge(rated.ratings + noise),
        "lower": judge(-rated.ratings, Worse()),
        "chance": judge(draw.normal(size=len(rated.ratings))),
        "constant": judge(np.ones(len(rated.ratings))),
    }
    found = agreements(rated, judges, DRAWS)
    assert found["same"].spearman == pytest.approx(1) and found["same"].kendall == 1
    assert found["lower"] == found["same"]
    near = stats.spearmanr(rated.ratings, rated.ratings + noise).statistic
    assert found["near"].spearman == pytest.approx(near)
    low, high = found["near"].spearman_interval
    assert low < near < high < 1 and high - low < 0.3
    assert abs(found["chance"].spearman) < 0.3 and found["chance"].spearman_interval[1] < 0.4
    assert math.isnan(found["constant"].spearman) and math.isnan(found["constant"].kendall_interval[0])


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 9)), min_size=2, max_size=12))
def test_texts_that_no_system_wrote_have_a_spearman_only(pairs):
    ratings, values = (np.array(column, float) for column in zip(*pairs, strict=True))
    found = agreements(Rated.of_texts(ratings), {1: Judge.of_mean(values)}, Draws(20, 0.95, 1))[1]
    assert np.isnan([found.kendall, *found.kendall_interval]).all() and found.p is None
    if len(set(ratings)) == 1 or len(set(values)) == 1:
        assert math.isnan(found.spearman) and math.isnan(found.spearman_interval[0])
    else:
        assert found.spearman == pytest.approx(stats.spearmanr(ratings, values).statistic)


def test_outputs_of_a_sentence_are_drawn_together():
    """Copies of a system make no interval narrower."""
    one, draw = world(30, 1, 2)
    values = one.ratings + draw.normal(size=30)
    wide = agreements(one, {"m": judge(values)}, DRAWS)["m"]
    six = Rated(np.repeat(one.ratings, 6), np.repeat(one.sentences, 6), np.tile(np.arange(6), 30))
    copied = agreements(six, {"m": judge(np.repeat(values, 6))}, DRAWS)["m"]
    assert copied.spearman == pytest.approx(wide.spearman)
    assert copied.spearman_interval == pytest.approx(wide.spearman_interval)
    # Equal means of systems are ties, not differences in last digits.
    assert math.isnan(copied.kendall) and math.isnan(wide.kendall)


def test_a_ranking_is_of_the_outputs_for_a_sentence():
    values, sentences = np.array([5.0, 9.0, 7.0, 0.1, 0.1, 0.3]), np.array([4, 2, 2, 4, 2, 4])
    assert within_sentences(values, sentences).tolist() == [3, 3, 2, 1, 1, 2]
    # Numbers that are equal but for the last digit are ties.
    assert within_sentences(np.array([0.3, 0.1 + 0.2]), np.array([1, 1])).tolist() == [1.5, 1.5]


def test_no_interval_of_a_minority_of_resamples():
    ratings = np.array([5.0] * 29 + [1.0])
    rated = Rated(ratings, np.arange(30), np.tile([0, 1], 15))
    found = agreements(rated, {"m": judge(np.arange(30.0))}, DRAWS)["m"]
    assert not math.isnan(found.spearman) and all(map(math.isnan, found.spearman_interval))


def test_outputs_without_a_rating_are_left_out():
    rated, _ = world(30, 3, 3)
    some = np.random.default_rng(4).random(len(rated.ratings)) < 0.7
    part = Rated(rated.ratings[some], rated.sentences[some], rated.systems[some])
    found = agreements(part, {"m": judge(part.ratings)}, DRAWS)["m"]
    assert (found.spearman, found.kendall) == (pytest.approx(1), 1)


def test_the_test_finds_a_difference_and_no_other():
    rated, draw = world(60, 4, 5)
    good, bad = (judge(rated.ratings + scale * draw.normal(size=240)) for scale in (0.3, 3))
    assert exchange_p(rated, good, bad, DRAWS) == pytest.approx(1 / 301)
    assert exchange_p(rated, good, good, DRAWS) == 1
    assert exchange_p(rated, good, judge(np.ones(240)), DRAWS) is None
    lower = Judge(Worse(), -good.values, -good.statistics)
    assert exchange_p(rated, lower, bad, DRAWS) == exchange_p(rated, good, bad, DRAWS)


@pytest.mark.slow
def test_without_a_difference_p_is_uniform():
    draws, below = Draws(99, 0.95, 1), 0
    for seed in range(200):
        rated, draw = world(20, 3, seed)
        # Systems share the noise of a sentence, as do two metrics that read the same output.
        one, two = (judge(rated.ratings + draw.normal(size=20).repeat(3)) for _ in range(2))
        p = exchange_p(rated, one, two, draws)
        below += p is not None and p <= 0.1
    # 20 expected, with a standard deviation of 4.2.
    assert 7 <= below <= 33
