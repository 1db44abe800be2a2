"""CSV files: read by exact or by needed columns, with the line of any error."""

from pathlib import Path

import pytest

from workflow_scripts.core.csv_files import header_of, read_csv, read_keyed, read_rows, write_csv
from workflow_scripts.core.errors import InputError


def written(tmp_path: Path, content: bytes) -> Path:
    """A file of these bytes."""
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    return path


def test_the_line_of_a_row_after_a_long_one(tmp_path):
    path = written(tmp_path, b'a,b\n"1\n2\n3",x\ny\n')
    with pytest.raises(InputError, match=r":5: 1 fields instead of 2"):
        list(read_csv(path, ("a", "b")))


def test_rows_by_name_whatever_else_there_is(tmp_path):
    path = written(tmp_path, b"\xef\xbb\xbfb,more,a\r\n1,2,3\r\n")
    assert header_of(path) == ["b", "more", "a"]
    assert list(read_rows(path, ("a", "b"))) == [(2, {"b": "1", "more": "2", "a": "3"})]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "table.csv: empty file"),
        (b"a\n1\n", r":1: no column b; needed: a, b"),
        (b"a,b,b\n1,2,3\n", ":1: a column is named twice"),
        (b"a,b\n1,2\n1\n", ":3: 1 fields instead of 2"),
        (b"a,b\n1,2\n\n", ":3: 0 fields instead of 2"),
        (b'a,b\n1,"2\n', ":2: not a row of a CSV"),
        (b"a,b\n1,\xff\n", ":2: not UTF-8"),
    ],
)
def test_bad_files_are_named(tmp_path, content, says):
    with pytest.raises(InputError, match=says):
        list(read_rows(written(tmp_path, content), ("a", "b")))


@pytest.mark.parametrize(
    ("content", "fix"),
    [
        (b"\xef\xbb\xbfa;b\r\n1;2\r\n", "save it with commas between the fields, not semicolons"),
        (b"a\tb\n1\t2\n", "save it with commas between the fields, not tabs"),
        (b'"a;b"\n', "save it with commas between the fields, not semicolons"),
    ],
)
def test_what_a_spreadsheet_saves_is_named(tmp_path, content, fix):
    path = written(tmp_path, content)
    for read in (read_csv, read_rows):
        with pytest.raises(InputError, match=f":1: .*; {fix}$"):
            list(read(path, ("a", "b")))


def test_empty_columns_behind_the_others_are_named(tmp_path):
    with pytest.raises(
        InputError, match=r":1: the columns are not a, b; delete the empty columns behind them$"
    ):
        list(read_csv(written(tmp_path, b"a,b,,\n1,2,,\n"), ("a", "b")))
    with pytest.raises(InputError, match=r":1: the columns are not a, b$"):
        list(read_csv(written(tmp_path, b"a,b,c\n1,2,3\n"), ("a", "b")))


def test_what_is_written_is_read(tmp_path):
    rows = [["a,b", 'quoted "x"'], ["two\nlines", "no\u00a0break"]]
    write_csv(tmp_path / "t.csv", ("one", "two"), rows)
    assert [row for _, row in read_csv(tmp_path / "t.csv", ("one", "two"))] == rows
    with pytest.raises(ValueError, match="1 fields for 2 columns"):
        write_csv(tmp_path / "t.csv", ("one", "two"), [["x"]])


def test_a_second_row_of_a_key(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('a,b,c\nx,1,2\nx,2,"2\n"\ny,1,2\nx,2,3\n')
    assert [row[0] for _, row in read_keyed(path, ("a", "b", "c"), 3)] == ["x", "x", "y", "x"]
    for keys, line, name in ((2, 6, "x, 2"), (1, 3, "x")):
        with pytest.raises(InputError, match=rf"a\.csv:{line}: a second row of {name}; keep one"):
            list(read_keyed(path, ("a", "b", "c"), keys))
