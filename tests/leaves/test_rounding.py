"""Rounding as papers do it: to even, half up, or cut."""

import math
from decimal import ROUND_HALF_EVEN, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.rounding import rounded


@pytest.mark.parametrize(
    ("rounding", "values", "decimals", "texts"),
    [
        ("half-even", (2.5, 3.5, 0.125, 0.285, -0.001, -0.006), 0, ("2", "4", "0", "0", "0", "0")),
        ("half-even", ("-0.004", "1.005e1", "", "-1.236", None), 2, ("0.00", "10.05", "", "-1.24", "")),
        ("half-up", (10.5, 2.5, 100 * 42 / 400, -2.5, -2.0, 600.0), 0, ("11", "3", "11", "-3", "-2", "600")),
        ("half-up", (74.45, -0.04, -0.05, None), 1, ("74.5", "0.0", "-0.1", "")),
        ("half-up", (0.285, 2.675), 2, ("0.29", "2.68")),
        ("cut", (0.53784, 0.5, -0.95717, -0.0004, 1e-9), 3, ("0.537", "0.500", "-0.957", "0.000", "0.000")),
        ("cut", (0.29, -1.3), 2, ("0.29", "-1.30")),
    ],
)
def test_numbers_as_papers_round_them(rounding, values, decimals, texts):
    assert tuple(rounded(value, decimals, rounding) for value in values) == texts


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_half_even_is_of_the_binary_number_itself(value, decimals):
    exact = Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_EVEN)
    assert Decimal(rounded(value, decimals)) == exact
    assert rounded(value, decimals) != "-0" and not rounded(-0.0, decimals).startswith("-")


@pytest.mark.parametrize("value", [math.nan, math.inf, "nan", "-inf"])
def test_a_table_has_numbers_only(value):
    with pytest.raises(InputError, match="in the place of a number of the table"):
        rounded(value, 2)
