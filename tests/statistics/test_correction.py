"""Corrections for many tests."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.statistics.correction import holm


def test_holm_of_a_worked_example():
    # 0.01 * 4, 0.013 * 3, 0.02 * 2, 0.04 * 1, then never smaller than the one before.
    assert holm([0.04, 0.01, 0.02, 0.013]) == pytest.approx([0.04, 0.04, 0.04, 0.04])
    assert holm([0.5, 0.01, 0.9]) == pytest.approx([1.0, 0.03, 1.0])
    assert holm([]) == []


# Each of its calls collects garbage (50 ms).
@pytest.mark.slow
@settings(max_examples=10)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_statsmodels(values):
    from statsmodels.stats.multitest import multipletests

    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist(), rel=1e-12)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_keeps_the_order_and_lies_between_raw_and_bonferroni(values):
    adjusted = holm(values)
    for raw, new in zip(values, adjusted, strict=True):
        assert raw <= new <= min(1.0, raw * len(values))
    # Holm's rule rejects the same hypotheses: step down until the first that is too large.
    order = sorted(range(len(values)), key=lambda i: values[i])
    assert [adjusted[i] for i in order] == sorted(adjusted)
    rejected = 0
    while rejected < len(values) and values[order[rejected]] * (len(values) - rejected) <= 0.05:
        rejected += 1
    assert sum(new <= 0.05 for new in adjusted) == rejected
