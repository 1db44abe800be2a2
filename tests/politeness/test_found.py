"""The table of strategies, read again."""

import math

import pytest

from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.politeness.found import HEADER, Found, coverage, names, read_found
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
def test_a_field_that_is_no_number_is_named(corpus, tmp_path, column, value):
    table = tmp_path / "found.csv"
    strategies(table, corpus=corpus, languages=["xx"])
    rows = [row for _, row in read_csv(table, HEADER)]
    place = HEADER.index(column)
    at = next(at for at, row in enumerate(rows) if row[HEADER.index("requests")] != "0")
    rows[at][place] = value
    write_csv(table, HEADER, rows)
    with pytest.raises(InputError, match=rf"found\.csv:{at + 2}: "):
        read_found(table)
    write_csv(table, HEADER, [])
    with pytest.raises(InputError, match=r"found\.csv: no row below the header"):
        read_found(table)
    write_csv(table, HEADER, [row for row in rows if row[0] != "words"])
    with pytest.raises(InputError, match=r"found\.csv: no rule 'words'"):
        read_found(table)


def test_what_is_read_is_what_stands_there(tmp_path):
    rows = [
        ("words", "xx", "Please", 5, 4, 3, 8, "0.5", 2, 6, "sign"),
        ("words", "yy", "Please", 5, 1, 1, 0, "", 0, 0, "sign"),
        ("words", "xx", "Other", 4, 4, 1, 1, "-1.5", 1, 0, "sign"),
        ("bare", "zz", "Other", 4, 0, 0, 0, "", 0, 0, "sign"),
    ]
    # Rule, language and strategy name a row.
    write_csv(tmp_path / "found.csv", HEADER, [*rows, rows[0]])
    with pytest.raises(InputError, match=r"found\.csv:6: "):
        read_found(tmp_path / "found.csv")
    write_csv(tmp_path / "found.csv", HEADER, rows)
    table = read_found(tmp_path / "found.csv")
    cells = table["words"]
    assert cells["Please", "xx"] == Found(5, 4, 3, 8, 0.5, 2, 6, "sign")
    assert cells["Please", "xx"].shares == (2 / 8, 6 / 8)
    assert math.isnan(cells["Please", "yy"].mean) and len(cells) == 3
    assert names(cells) == (["Please", "Other"], ["xx", "yy"])
    # Of the eight words with a flag four have a sequence.
    assert (coverage(cells, "xx"), coverage(cells, "yy")) == (50, 100)
    assert math.isnan(coverage(table["bare"], "zz"))
