"""One comparison of systems: runs, resamples and tests, by hand from the draws."""

import numpy as np
import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.statistics.comparison import Draws, Result, System, adjust, measure, p_of_pair, set_p
from workflow_scripts.statistics.metrics import MAcc, Mean
from workflow_scripts.statistics.resampling import (
    bootstrap_p,
    bootstrap_sums,
    exact_p,
    flipped_sums,
    interval,
    randomisation_p,
    run_weights,
)

DRAWS = Draws(200, 0.9, 3)


def scores(runs: int, seed: int, sentences: int = 30) -> np.ndarray:
    """Sentences x runs, of which each is better than the one before."""
    return np.random.default_rng(seed).normal(size=(sentences, runs)) + np.arange(runs)


def means(**systems: np.ndarray) -> dict[str, Result]:
    return measure(
        Mean(), {name: System(name, own[..., None]) for name, own in systems.items()}, DRAWS, "mean"
    )


def test_a_resample_draws_sentences_and_runs():
    mine = scores(2, 1)
    found = means(mine=mine, other=scores(1, 2))["mine"]
    weights = run_weights("mine", 2, 200, 3, fixed=False)
    samples = (weights * bootstrap_sums(mine, 200, 3) / 30).sum(axis=1)
    assert np.allclose(found.samples, samples) and np.ptp(weights) == 1
    assert found.value == pytest.approx(mine.mean())
    value, low, high, p, p_holm = found.fields(DRAWS)
    assert [value, low, high] == [f"{number:.6f}" for number in (mine.mean(), *interval(samples, 0.9))]
    assert (p, p_holm, found.signature, found.sentences) == ("", "", "mean|runs:2", 30)


def test_systems_beside_it_change_nothing_of_a_system():
    """Nor do systems of other sentences, as raters may have seen."""
    alone, few = scores(2, 1), scores(1, 4, sentences=12)
    found = means(few=few, one=scores(3, 2), alone=alone)
    assert list(found) == ["few", "one", "alone"]
    for name, same in (means(alone=alone) | means(few=few)).items():
        assert np.allclose(found[name].samples, same.samples)


def test_runs_are_drawn_by_the_name_of_their_system_unless_they_are_no_sample():
    apart = np.stack([np.zeros((30, 1)), np.ones((30, 1))], axis=1)
    drawn, whole = (
        measure(Mean(), {"key": System("mine", apart, fixed=fixed)}, DRAWS)["key"].samples
        for fixed in (False, True)
    )
    assert np.allclose(drawn, run_weights("mine", 2, 200, 3, fixed=False)[:, 1]) and set(whole) == {0.5}


def test_means_are_tested_by_randomisation():
    one, two = scores(2, 1) + 0.3, scores(3, 2)
    found = means(one=one, two=two)
    set_p(found, {"one": "two", "two": "nobody"})
    flips = [flipped_sums(own, 200, 3) / 30 for own in (one, two)]
    weights = [run_weights(name, runs, 200, 3, fixed=False) for name, runs in (("one", 2), ("two", 3))]
    p = randomisation_p(*flips, (weights[0], weights[1]), (one.mean(axis=0), two.mean(axis=0)))
    assert found["one"].p == found["one"].p_holm == p and 0.05 < p < 1 and found["two"].p is None


@pytest.mark.parametrize("sentences", [7, 8])
def test_few_sentences_are_tested_exactly(sentences):
    """2 ** 7 exchanges are no more than 200 trials."""
    one, two = scores(1, 1, sentences) + 0.8, scores(1, 2, sentences)
    found = means(one=one, two=two)
    set_p(found, {"one": "two"})
    exact = exact_p(one[:, 0], two[:, 0])
    assert found["one"].p == p_of_pair(np.hstack([one, two]), DRAWS)
    assert (found["one"].p == exact) == (sentences == 7)
    assert found["one"].p == pytest.approx(exact, abs=0.06)


def test_anything_else_is_tested_by_a_bootstrap_of_the_same_resamples():
    draw = np.random.default_rng(6)
    matched = draw.integers(2, size=(2, 30))
    wanted = matched * draw.integers(2, size=(2, 30))
    systems = {
        name: System(name, np.stack([wanted[at], matched[at]], axis=-1)[:, None].astype(float))
        for at, name in enumerate("ab")
    }
    found = measure(MAcc(), systems, DRAWS)
    set_p(found, {"a": "b"})
    a, b = found["a"], found["b"]
    assert a.value == pytest.approx(100 * wanted[0].sum() / matched[0].sum())
    assert a.counted == [matched[0].sum()]
    assert a.p == bootstrap_p(a.samples - b.samples, a.value - b.value)
    nothing = measure(MAcc(), {"": System("", np.zeros((3, 1, 2)))}, DRAWS)[""]
    assert nothing.value == 0 and not nothing.samples.any()


def test_holms_correction_is_of_those_that_are_tested():
    one, two, three = means(one=scores(1, 1), two=scores(1, 2), three=scores(1, 3)).values()
    one.p, three.p = 0.04, 0.03
    adjust([one, two, three])
    assert (one.p_holm, two.p_holm, three.p_holm) == (0.06, None, 0.06)


@pytest.mark.parametrize(("resamples", "confidence"), [(0, 0.95), (10, 0), (10, 1)])
def test_draws_out_of_range_are_refused(resamples, confidence):
    assert Draws(1, 0.5, 0)
    with pytest.raises(InputError, match="resamples must be at least 1 and confidence between 0 and 1"):
        Draws(resamples, confidence, 1)
