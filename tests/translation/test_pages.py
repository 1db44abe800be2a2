"""The rows read from the pages of a file are the rows that SQLite reads."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.translation.pages import Value, records

VALUES = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.sampled_from([0, 1, 127, 128, 2**15, 2**23, 2**31, 2**47, -1]),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.binary(),
)


def found(path: Path) -> list[tuple[int | None, list[Value]]]:
    return sorted(records(path.read_bytes()), key=repr)


@pytest.mark.slow
@given(rows=st.lists(st.tuples(VALUES, VALUES), max_size=8), size=st.sampled_from([512, 4096, 65536]))
def test_every_kind_of_value(tmp_path_factory, rows, size):
    path = tmp_path_factory.mktemp("pages") / "c"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"PRAGMA page_size = {size}")
        connection.execute("CREATE TABLE a (x, y)")
        connection.executemany("INSERT INTO a VALUES (?, ?)", rows)
    expected = [(number, list(row)) for number, row in enumerate(rows, 1)]
    # The first page has the table's own row.
    assert [row for row in found(path) if len(row[1]) == 2] == sorted(expected, key=repr)


@pytest.mark.parametrize("size", [512, 4096])
@pytest.mark.parametrize("without", ["", " WITHOUT ROWID"])
def test_rows_of_every_length_in_a_tree_of_several_levels(tmp_path, size, without):
    """Long rows go on in further pages; the pages of an index within the tree have rows too."""
    lengths = random.Random(1)
    rows = {f"{number:05d}": "é" * lengths.choice([0, 9, 200, 3000]) for number in range(2000)}
    with closing(sqlite3.connect(tmp_path / "c")) as connection, connection:
        connection.execute(f"PRAGMA page_size = {size}")
        connection.execute(f"CREATE TABLE a (x TEXT PRIMARY KEY, y TEXT){without}")
        connection.executemany("INSERT INTO a VALUES (?, ?)", rows.items())
    read = [values for _, values in records((tmp_path / "c").read_bytes()) if len(values) == 2]
    assert {x: y for x, y in read if isinstance(y, str)} == rows


def test_what_is_no_database_has_no_rows():
    for data in (b"", b"SQLite format 3", bytes(9999), b"\x0a" * 9999):
        assert list(records(data)) == []


@given(st.binary(max_size=5000), st.sampled_from([2, 10, 13]))
def test_whatever_a_page_holds_is_read_to_its_end(data, kind):
    for _, values in records(b"SQLite format 3\0".ljust(4096, b"\0") + bytes([kind]) + data):
        assert len(values) < len(data)
