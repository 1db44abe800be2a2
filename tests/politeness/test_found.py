"""The table of strategies, read again."""

from __future__ import annotations

from pathlib import Path

import pytest

from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.politeness.found import HEADER, read_found
from workflow_scripts.politeness.strategies import strategies


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("words", "nan"),
        ("requests", "-1"),
        ("mean", "nan"),
        ("mean", "1e999"),
        ("first", "0.5"),
        ("mean", ""),
    ],
)
def test_a_field_that_is_no_number_is_named(corpus: Path, tmp_path: Path, column: str, value: str) -> None:
    table = tmp_path / "found.csv"
    strategies(table, corpus=corpus, languages=["xx"])
    rows = [row for _, row in read_csv(table, HEADER)]
    place = HEADER.index(column)
    at = next(at for at, row in enumerate(rows) if row[HEADER.index("requests")] != "0")
    rows[at][place] = value
    write_csv(table, HEADER, rows)
    with pytest.raises(InputError, match=rf"found\.csv:{at + 2}: "):
        read_found(table)
