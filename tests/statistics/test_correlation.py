"""Correlation, t-tests of shifts and quartiles: by hand."""

import math
import warnings

import pytest

from workflow_scripts.statistics.correlation import pearson, spearman
from workflow_scripts.statistics.quantiles import quartiles
from workflow_scripts.statistics.shifts import paired_t_p


def test_spearman_by_hand():
    # Squared differences of ranks: 0, 1, 1, 0; 1 - 6 * 2 / (4 * 15).
    assert spearman([1, 20, 3, 400], [1, 2, 3, 4]) == pytest.approx(0.8)
    # Ties share a rank: (1.5, 1.5, 3) against (1, 2, 3).
    assert spearman([5, 5, 9], [1, 2, 3]) == pytest.approx(math.sqrt(3) / 2)


def test_pearson_by_hand():
    # Deviations (-1, 0, 1) and (-2, 1, 1): 3 / sqrt(2 * 6).
    assert pearson([1, 2, 3], [0, 3, 3]) == pytest.approx(3 / math.sqrt(12))


@pytest.mark.parametrize("function", [spearman, pearson])
def test_without_variation_there_is_no_correlation(function):
    # SciPy, which would warn, is not asked.
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert math.isnan(function([1, 1, 1], [1, 2, 3])) and math.isnan(function([1, 2], [4, 4]))
        assert math.isnan(function([], [])) and math.isnan(function([1], [2]))


def test_paired_t_by_hand():
    # Mean 1, standard deviation 1, three shifts: t = sqrt(3) with two degrees of freedom.
    t = math.sqrt(3)
    assert paired_t_p([0, 1, 2]) == pytest.approx(1 - t / math.sqrt(2 + t**2))
    # Two shifts, 0.1 and 0.3: t = 2 with one degree.
    assert paired_t_p([0.1, 0.3]) == pytest.approx(1 - 2 / math.pi * math.atan(2))
    assert math.isnan(paired_t_p([1, 1])) and math.isnan(paired_t_p([]))


def test_quartiles_lie_between_neighbours():
    assert quartiles([4, 1, 3, 2]) == (1.75, 2.5, 3.25)
