"""Tables made of cells, and the signatures of their numbers."""

import hashlib
from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import Cell
from workflow_scripts.leaves.layout import by_language, in_layout
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


def test_a_signature_names_bytes_and_facts(tmp_path):
    path = tmp_path / "af_test.csv"
    path.write_bytes(b"a,b\n")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    begin = f"af_test.csv@{digest[:12]}"
    assert signature(path) == begin
    assert signature(path, n=500, std="population") == f"{begin}|n:500|std:population"
