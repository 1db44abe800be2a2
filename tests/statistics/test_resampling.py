"""Resampling: against sacreBLEU, against scipy's exact tests, and in simulations with a known truth."""

import zlib

import numpy as np
import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.significance import _bootstrap_resample, _compute_p_value, _paired_bs_test
from scipy import stats

from tests.statistics.test_bleu import corpus
from workflow_scripts.statistics import resampling
from workflow_scripts.statistics.bleu import Reference, bleu_of_sums
from workflow_scripts.statistics.resampling import (
    bootstrap_p,
    bootstrap_sums,
    exact_p,
    flipped_sums,
    interval,
    randomisation_p,
    run_weights,
)


def randomised(system: np.ndarray, baseline: np.ndarray, trials: int, seed: int) -> float:
    """The test of two systems with any number of runs (sentences x runs)."""
    size = len(system)
    runs = tuple(
        run_weights(name, values.shape[1], trials, seed, fixed=False)
        for name, values in (("system", system), ("baseline", baseline))
    )
    flipped = tuple(flipped_sums(values, trials, seed) / size for values in (system, baseline))
    return randomisation_p(*flipped, (runs[0], runs[1]), (system.mean(axis=0), baseline.mean(axis=0)))


def test_resamples_are_sacrebleus(monkeypatch):
    outputs, references = corpus(50, 4, 1)
    baseline, _ = corpus(50, 4, 2)
    metric = BLEU(references=references)
    rows = metric._extract_corpus_statistics(baseline, None)
    info = {"BLEU": (rows, metric._aggregate_and_compute(rows))}
    _, result = _paired_bs_test(info, "system", outputs, None, {"BLEU": metric}, n_samples=300, seed=11)

    reference = Reference(references)
    ours, base = (
        bleu_of_sums(bootstrap_sums(reference.statistics(text), 300, 11)) for text in (outputs, baseline)
    )
    # sacreBLEU computes the scores of resamples in 32 bits.
    assert ours.mean() == pytest.approx(result["BLEU"].mean, abs=1e-4)
    # sacreBLEU's p from our resamples, by its own formula.
    gaps = np.abs(ours - base)
    observed = abs(reference.score(outputs) - reference.score(baseline))
    assert _compute_p_value(gaps - gaps.mean(), observed) == result["BLEU"].p_value

    monkeypatch.setenv("SACREBLEU_SEED", "11")
    _, scores = _bootstrap_resample(reference.statistics(outputs).tolist(), metric, 300)
    assert ours == pytest.approx([score.score for score in scores], abs=1e-4)


def test_chunks_change_no_draw(monkeypatch):
    values = np.arange(60.0).reshape(20, 3) ** 1.5
    whole = bootstrap_sums(values, 50, 3), flipped_sums(values, 50, 3)
    monkeypatch.setattr(resampling, "ENTRIES", 7 * 20)
    parts = bootstrap_sums(values, 50, 3), flipped_sums(values, 50, 3)
    for one, other in zip(whole, parts, strict=True):
        assert one.shape == (50, 3)
        assert np.allclose(one, other, rtol=1e-12)


def test_other_columns_change_no_draw():
    values = np.random.default_rng(0).integers(9, size=(30, 4)).astype(float)
    assert np.array_equal(bootstrap_sums(values, 20, 1)[:, :2], bootstrap_sums(values[:, :2], 20, 1))
    assert np.array_equal(flipped_sums(values, 20, 1)[:, 2:], flipped_sums(values[:, 2:], 20, 1))


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.8])
def test_randomisation_agrees_with_scipys_exact_test(shift):
    draw = np.random.default_rng(4)
    system, baseline = draw.normal(shift, 1, 11), draw.normal(0, 1, 11)
    exact = stats.permutation_test(
        (system, baseline), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert randomised(system[:, None], baseline[:, None], 20_000, 1) == pytest.approx(exact, abs=0.012)


def test_intervals_agree_with_scipys_bootstrap():
    sample = np.random.default_rng(5).exponential(size=80)
    means = bootstrap_sums(sample[:, None], 20_000, 2)[:, 0] / 80
    theirs = stats.bootstrap(
        (sample,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(8)
    ).confidence_interval
    assert interval(means, 0.95) == pytest.approx((theirs.low, theirs.high), abs=0.012)


def test_false_alarms_are_as_rare_as_promised():
    """With no difference, p < 0.05 in about 5 % of the cases, for both tests; a real one is found."""
    draw = np.random.default_rng(6)
    alarms = np.zeros(3)
    trials = 400
    for number in range(trials):
        system, baseline = draw.normal(size=(2, 60, 1))
        resampled = bootstrap_sums(np.hstack([system, baseline]), 200, number) / 60
        gap = float(system.mean() - baseline.mean())
        alarms[0] += bootstrap_p(resampled[:, 0] - resampled[:, 1], gap) < 0.05
        alarms[1] += randomised(system, baseline, 200, number) < 0.05
        alarms[2] += randomised(system + 1, baseline, 200, number) < 0.05
    assert 0.02 < alarms[0] / trials < 0.085
    assert 0.02 < alarms[1] / trials < 0.085
    assert alarms[2] / trials > 0.9


def test_reruns_that_differ_as_a_whole_make_the_test_careful():
    """Four reruns with means far apart say less than their many sentences seem to."""
    draw = np.random.default_rng(7)
    sentences = draw.normal(size=(500, 1))
    close = sentences + 0.2 + draw.normal(0, 0.1, size=(500, 4))
    apart = close + np.array([-0.9, -0.3, 0.3, 0.9])
    baseline = sentences + draw.normal(0, 0.1, size=(500, 1))
    assert randomised(close, baseline, 500, 1) == pytest.approx(1 / 501)
    assert randomised(apart, baseline, 500, 1) > 0.3


def test_reference_sets_of_gold_are_not_drawn():
    assert np.array_equal(run_weights("gold", 4, 5, 1, fixed=True), np.full((5, 4), 0.25))


def test_weights_of_reruns_depend_on_name_and_seed_only():
    weights = run_weights("unmt", 4, 1000, 1, fixed=False)
    assert np.allclose(weights.sum(axis=1), 1)
    assert weights.mean(axis=0) == pytest.approx(np.full(4, 0.25), abs=0.03)
    assert np.array_equal(weights, run_weights("unmt", 4, 1000, 1, fixed=False))
    assert not np.array_equal(weights, run_weights("dlsm", 4, 1000, 1, fixed=False))
    assert not np.array_equal(weights, run_weights("unmt", 4, 1000, 2, fixed=False))


def test_a_system_equal_to_the_baseline_gets_p_1():
    values = np.random.default_rng(1).normal(size=(30, 1))
    assert randomised(values, values.copy(), 200, 1) == 1
    assert bootstrap_p(np.zeros(200), 0.0) == 1


@pytest.mark.parametrize("size", [2, 4, 10])
def test_all_exchanges_are_scipys_exact_test(size):
    draw = np.random.default_rng(size)
    one, two = draw.normal(0.5, 1, size), draw.normal(0, 1, size)
    exact = stats.permutation_test(
        (one, two), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf
    ).pvalue
    assert exact_p(one, two) == pytest.approx(exact)
    assert exact_p(one, one) == 1


def test_resamples_of_means_are_scipys():
    """The same draws from the same seed: intervals of ratings do not depend on which of the two is asked."""
    sample = np.random.default_rng(5).integers(-3, 4, size=90).astype(float)
    theirs = stats.bootstrap(
        (sample,), np.mean, n_resamples=500, method="percentile", rng=np.random.default_rng(8)
    ).confidence_interval
    means = bootstrap_sums(sample[:, None], 500, 8)[:, 0] / len(sample)
    assert interval(means, 0.95) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_draws_are_those_of_the_seed_and_of_the_name():
    """Tables of one seed stay what they are: each kind of draw has a stream of its own."""
    ones = np.eye(7)
    coins = np.random.default_rng([5, 1]).integers(2, size=(9, 7), dtype=np.int8)
    assert np.array_equal(flipped_sums(ones, 9, 5), np.where(coins, 1.0, -1.0))
    drawn = np.random.default_rng([5, 2, zlib.crc32(b"unmt")]).multinomial(2, [0.5, 0.5], size=9)
    assert np.array_equal(run_weights("unmt", 2, 9, 5, fixed=False), drawn / 2)
    assert np.array_equal(run_weights("unmt", 1, 9, 5, fixed=False), np.ones((9, 1)))


def test_reruns_that_are_drawn_move_the_difference_by_hand():
    """Of two runs with means 3 and 1, and 2 and 0, the first one of both is drawn: 3 - 2 is no news."""
    first = np.array([[1.0, 0], [1.0, 0]])
    nothing = np.zeros((2, 2))
    means = (np.array([3.0, 1]), np.array([2.0, 0]))
    # Exchanges do nothing here, and the runs that are drawn are as far apart as all: 0 is nearer than 1.
    assert randomisation_p(nothing, nothing, (first, first), means) == pytest.approx(1 / 3)
    # The system's first run and the baseline's second are 1 + 1 further apart.
    assert randomisation_p(nothing, nothing, (first, first[:, ::-1]), means) == 1
    # An exchange that moves the system down as far as its run lies above its mean.
    assert randomisation_p(nothing - 1, nothing, (first, first), means) == 1
    assert randomisation_p(nothing - 1, nothing, (first, np.full((2, 2), 0.5)), means) == pytest.approx(1 / 3)
