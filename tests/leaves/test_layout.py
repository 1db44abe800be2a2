"""Tables made of cells, and the signatures of their numbers."""

import hashlib
from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.leaves.layout import by_language, in_layout, write_leaf
from workflow_scripts.leaves.signature import signature

CELLS = {
    ("copy", "dev", "fr"): Cell("3", "from c"),
    ("gold", "dev", "pt"): Cell("1", "from g"),
    ("gold", "dev", "fr"): Cell("2", "from g"),
}


def test_files_belong_to_the_language_in_their_place():
    one, two, three, four = (Path(name) for name in "abcd")
    found = by_language(["pt", "fr"], scores=[one, two], texts=[three, four])
    assert found == {"pt": {"scores": one, "texts": three}, "fr": {"scores": two, "texts": four}}
    with pytest.raises(InputError, match="2 languages have 1 --texts; give each its file"):
        by_language(["pt", "fr"], scores=[one, two], texts=[three])


def test_a_cell_stands_in_its_row_and_column():
    rows = [("gold", "dev"), ("copy", "dev")]
    assert in_layout(rows, iter(["pt", "fr"]), CELLS) == [["gold", "dev", "1", "2"], ["copy", "dev", "", "3"]]


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        (None, ["copy,dev,,3", "gold,dev,1,2"]),
        ([("gold", "dev"), ("copy", "dev"), ("mine", "dev")], ["gold,dev,1,2", "copy,dev,,3", "mine,dev,,"]),
    ],
)
def test_a_leaf_and_its_comparison(tmp_path, rows, lines):
    printed = tmp_path / "printed.csv"
    printed.write_text("system,part,lang,printed\ngold,dev,pt,4\n", encoding="utf-8")
    table, comparison = tmp_path / "t.csv", tmp_path / "t.compare.csv"
    keys = ("system", "part", "lang")
    columns = iter(["pt", "fr"])
    write_leaf(table, comparison, CELLS, keys=keys, columns=columns, printed=printed, rows=rows, scale="demo")
    assert table.read_text(encoding="utf-8").splitlines() == ["system,part,pt,fr", *lines]
    assert comparison.read_text(encoding="utf-8").splitlines() == [
        "system,part,lang,printed,ours,difference,comparable,signature",
        "gold,dev,pt,4,1,-3,no: demo,from g",
        "copy,dev,fr,,3,,no: demo,from c",
        "gold,dev,fr,,2,,no: demo,from g",
    ]


def test_a_signature_names_bytes_and_facts(tmp_path):
    path = tmp_path / "af_test.csv"
    path.write_bytes(b"a,b\n")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    begin = f"af_test.csv@{digest[:12]}"
    assert signature(path) == begin
    assert signature(path, n=500, std="population") == f"{begin}|n:500|std:population"
