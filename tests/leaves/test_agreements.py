"""Rows of agreement as a leaf: decimals, the smallest p, names, and what cannot be read."""

import pytest

from tests.tables import lists_of, put
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.agreements import CORRELATIONS, HEADER, write_agreements

ROW = {
    **dict.fromkeys(HEADER, ""),
    **{"language": "fr", "texts": "PT16", "task": "formality", "metric": "m", "n": "12", "signature": "s"},
    **{"spearman": "-0.125000", "spearman_low": "-0.004900", "spearman_high": "0.995100"},
}
COLUMNS = ("language", "label", *CORRELATIONS, "p_holm", "n")


def written(tmp_path, **changes):
    rows = [[*(ROW | changes).values()]]
    write_agreements(
        tmp_path / "leaf.csv",
        COLUMNS,
        [put(tmp_path / "one.csv", HEADER, rows), put(tmp_path / "two.csv", HEADER, rows)],
        lambda row, path, line: {"label": f"{row['metric']} of {path.name}:{line}"},
    )
    return lists_of(tmp_path / "leaf.csv")


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        ("", ""),
        ("0.000499", "<0.001"),
        ("0.000500001", "0.001"),
        ("0.049600", "0.050"),
        ("1.000000", "1.000"),
    ],
)
def test_numbers_are_rounded_and_no_p_is_zero(tmp_path, p, shown):
    header, first, second = written(tmp_path, p="0.3", p_holm=p)
    assert header == [*COLUMNS]
    numbers = ["-0.12", "0.00", "1.00", "", "", "", shown, "12"]
    assert first == ["fr", "m of one.csv:2", *numbers] and second == ["fr", "m of two.csv:2", *numbers]


def test_what_is_no_number_is_named(tmp_path):
    with pytest.raises(InputError, match=r"one\.csv:2: 'high' is not a number"):
        written(tmp_path, kendall="high")
    assert not (tmp_path / "leaf.csv").exists()
    with pytest.raises(InputError, match="no column signature"):
        short = put(tmp_path / "one.csv", HEADER[:-1], [])
        write_agreements(tmp_path / "leaf.csv", COLUMNS, [short], lambda row, path, line: {})
