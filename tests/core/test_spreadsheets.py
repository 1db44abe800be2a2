"""Copies of tables for spreadsheets: no cell is a formula, and every text can be had back."""

import csv

from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.core.spreadsheets import FORMULA, escaped, unescaped

TEXTS = ["=1+1", "+33", "-rw", "@me", "\t=1", "'", "'=1", "''=1", "'oui'", "a=1", "", " =1"]


@given(st.text(alphabet=st.sampled_from("'=+-@\t\ra"), max_size=5))
def test_no_cell_is_a_formula_and_none_loses_its_text(text):
    assert not escaped(text).startswith(FORMULA)
    assert unescaped(escaped(text)) == text


def test_a_copy_of_a_table(tmp_path, module):
    plain, copy = tmp_path / "a.csv", tmp_path / "b.csv"
    with plain.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([["item", "text"], *([str(n), text] for n, text in enumerate(TEXTS))])
    done = module("core.spreadsheets", copy, "--table", plain)
    assert done.returncode == 0, done.stderr
    with copy.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["item", "text"]
    changed = {one: other for one, (_, other) in zip(TEXTS, rows[1:], strict=True) if one != other}
    assert changed == {text: f"'{text}" for text in TEXTS if text.lstrip("'")[:1] in FORMULA}
