"""Numbers in fields."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import LARGEST, number, whole

PATH = Path("table.csv")


@given(st.floats(-LARGEST, LARGEST))
def test_what_python_writes_is_a_number(value):
    assert number(repr(value), PATH, 1) == value


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-inf", "1e999", "", " 1", "1_0", "٣", "0x10", "1.", "9" * 5000]
)
def test_other_text_is_none(text):
    with pytest.raises(InputError, match=r"^table\.csv:7: .* is not a number$") as caught:
        number(text, PATH, 7)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("text", ["1e16", "-1e308", "9" * 300])
def test_what_is_too_large_for_sums_is_named(text):
    with pytest.raises(InputError, match=r"^table\.csv:7: .* is too large; ") as caught:
        number(text, PATH, 7)
    assert len(str(caught.value)) < 100


@pytest.mark.parametrize("text", ["-1", "1.0", "", "1e3", "²", "9" * 16, "+1"])
def test_other_text_is_no_count(text):
    with pytest.raises(InputError, match=r"^table\.csv:7: .* is not a count$"):
        whole(text, PATH, 7)


def test_a_count_may_have_a_least():
    assert whole("17", PATH, 1, least=1) == 17
    with pytest.raises(InputError, match="is not a whole number of 1 or more"):
        whole("0", PATH, 1, least=1)
