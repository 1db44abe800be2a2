"""Tables that one command writes and another reads: a field without a number is named."""

from pathlib import Path

import pytest

from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.rewrites import pairs, shares
from workflow_scripts.rewrites.edits import TYPES

PAIR = ["0", "1", "12", "0.25", *["0"] * len(TYPES)]
SHARE = ["fr", "manual", "edit", "punctuation", "3", "8"]


def read_shares(path: Path) -> object:
    return shares.read_shares([path], "edit")


@pytest.mark.parametrize(
    ("read", "columns", "row", "column", "value"),
    [
        *((pairs.read_pairs, pairs.COLUMNS, PAIR, at, "1e999") for at in range(4)),
        (pairs.read_pairs, pairs.COLUMNS, PAIR, 3, "nan"),
        (pairs.read_pairs, pairs.COLUMNS, PAIR, 4, "yes"),
        (read_shares, shares.COLUMNS, SHARE, 4, "-1"),
        (read_shares, shares.COLUMNS, SHARE, 5, "0"),
        (read_shares, shares.COLUMNS, SHARE, 1, "simula\x1ated"),
    ],
)
def test_a_field_that_is_none_is_named(read, columns, row, column, value, tmp_path):
    path = tmp_path / "table.csv"
    write_csv(path, columns, [row])
    read(path)
    write_csv(path, columns, [[*row[:column], value, *row[column + 1 :]]])
    with pytest.raises(InputError, match=r"table\.csv:2: .* is n") as caught:
        read(path)
    assert str(caught.value).isprintable()


def test_judgments_of_two_kinds_are_named_with_their_files(tmp_path):
    for source in ("manual", "simulated"):
        row = [source[:2], source, *SHARE[2:]]
        write_csv(tmp_path / f"{source}.csv", shares.COLUMNS, [row])
    found = shares.read_shares([tmp_path / "manual.csv", tmp_path / "simulated.csv"], "edit")
    with pytest.raises(InputError, match=r"manual in .*manual\.csv and simulated in .*simulated\.csv"):
        shares.only_source(found.values())
