"""The text at the end of a run."""

from pathlib import Path

from workflow_scripts.progress.tables import ending, shown

TABLE = """section,system,self_bleu_pt,self_bleu_fr,self_bleu_pt_p
automatic,GOLD,25.3,7.0,
automatic,RULE-BASED,93.1,,0.001
"""


def test_a_table_is_columns_without_p_values(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    assert shown(path, 100).splitlines() == [
        "section    system      self_bleu_pt  self_bleu_fr",
        "automatic  GOLD                25.3           7.0",
        "automatic  RULE-BASED          93.1",
    ]


def test_what_is_wider_than_the_terminal_stands_in_blocks(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    first, second = shown(path, 40).split("\n\n")
    assert first.splitlines()[1].split() == ["automatic", "GOLD", "25.3"]
    assert second.splitlines()[0].split() == ["section", "system", "self_bleu_fr"]


def test_tables_asked_for_by_name_are_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    leaves = [f"results/table{n}.csv" for n in range(1, 6)]
    for leaf in leaves:
        Path(leaf).parent.mkdir(exist_ok=True)
        Path(leaf).write_text("name,n\na,1\n")
    text = ending(["build/x.txt", leaves[1]], leaves)
    assert "results/table2.csv\nname  n\na     1" in text
    assert "make results/index.html" in text
    assert "4 tables are in results/" in ending(leaves[:4], leaves)
    assert str(tmp_path / "results/index.html") in ending(["results/index.html"], leaves)
    assert ending(["build/x.txt"], leaves) == ""
