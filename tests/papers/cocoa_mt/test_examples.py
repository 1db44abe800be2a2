"""Tables 1, 7, 9, 11 and 14 of CoCoA-MT: which segments and translations are taken as examples."""

from pathlib import Path

import pytest

from tests.control.test_score import RIGHT, outputs_of
from workflow_scripts.control.test_set import make_test_set
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.papers.cocoa_mt.table1 import table1
from workflow_scripts.papers.cocoa_mt.table7 import further, table7
from workflow_scripts.papers.cocoa_mt.table9 import table9
from workflow_scripts.papers.cocoa_mt.table11 import table11
from workflow_scripts.papers.cocoa_mt.table14 import table14


def rows(path: Path) -> list[list[str]]:
    return [list(row.values()) for _, row in read_rows(path, ("lang",))]


def test_contrastive_examples_are_the_shortest_marked_ones(canonical, tmp_path):
    corpora = [canonical("de"), canonical("pt")]
    table1(tmp_path / "table1.csv", corpora=corpora, languages=["de", "pt"], examples=1)
    marked = ["Are you sure?", "Sind [F]Sie[/F] sich sicher ?", "Bist [F]du[/F] dir sicher ?"]
    assert rows(tmp_path / "table1.csv") == [["de", *marked], ["pt", *marked]]
    table1(tmp_path / "table1.csv", corpora=corpora[:1], languages=["de"], examples=4)
    # By the length of the source, and then in the order of the corpus, which has two domains.
    assert [row[1] for row in rows(tmp_path / "table1.csv")] == [
        *["Are you sure?"] * 2,
        *["Could you wait?"] * 2,
    ]
    table11(tmp_path / "table11.csv", corpora=corpora, languages=["de", "pt"], examples=1)
    # Portuguese has no feminine references.
    assert rows(tmp_path / "table11.csv") == [
        ["de", "Are you a teacher?", "Sind Sie Lehrerin ?", "Sind Sie Lehrer ?"]
    ]


def test_references_that_rules_take_for_the_other_level(canonical, tmp_path):
    """A list with a form that the informal references have too, and one without any."""
    lists = tmp_path / "de.tsv"
    write_lines(lists, ["level\thow\tform", "formal\tword\tdir", "formal\tword\tsie", "informal\tword\tdu"])
    given = {"corpora": [canonical("de")], "lists": [lists], "languages": ["de"], "examples": 5}
    table9(tmp_path / "table9.csv", **given)
    row = ["de", "informal", "formal", "Are you sure?", "Bist du dir sicher ?"]
    # Once in each of the two domains.
    assert rows(tmp_path / "table9.csv") == [row, row]
    table9(tmp_path / "table9.csv", **{**given, "examples": 1})
    assert rows(tmp_path / "table9.csv") == [row]
    # The shortest come first.
    write_lines(lists, ["level\thow\tform", "informal\tword\tsie", "formal\tword\tdu"])
    table9(tmp_path / "table9.csv", **{**given, "examples": 3})
    found = [row[1:4] for row in rows(tmp_path / "table9.csv")]
    assert found == [
        *([["formal", "informal", "Are you sure?"]] * 2 + [["formal", "informal", "Could you wait?"]]),
        *([["informal", "formal", "Are you sure?"]] * 2 + [["informal", "formal", "Could you wait?"]]),
    ]


@pytest.fixture
def given(canonical, tmp_path):
    """Two systems in German, of which one says more than its marks; and one line without any phrase."""
    folder = tmp_path / "test"
    make_test_set(folder, corpus=canonical("de"))
    manifest = outputs_of(tmp_path, folder, {"plain": [RIGHT], "rich": [RIGHT], "references": [RIGHT]})
    rich = tmp_path / "rich.formal.0.txt"
    lines = read_lines(rich)
    lines[1] = "Könnten Sie bitte ganz kurz noch hier draußen warten ?"
    lines[4] = "Könnten Sie bitte ganz kurz noch hier warten ?"
    lines[5] = "Lehrer ?"
    lines[6] = "Sind Sie sicher und bist du dir sicher ?"
    write_lines(rich, lines)
    labels = [[name, name.upper()] for name in ("plain", "rich", "references")]
    write_csv(tmp_path / "systems.csv", ("system", "label"), labels)
    return {
        "test_sets": [folder / "source.txt"],
        "outputs": [manifest],
        "languages": ["de"],
        "systems": tmp_path / "systems.csv",
    }


def test_pairs_that_differ_beyond_their_marks(given, tmp_path):
    table7(tmp_path / "table7.csv", **given, examples=2, leave_out=["references"])
    source, informal = "Could you wait?", "Könntest du warten ?"
    assert rows(tmp_path / "table7.csv") == [
        ["de", "RICH", source, informal, "Könnten Sie bitte ganz kurz noch hier draußen warten ?"],
        ["de", "RICH", source, informal, "Könnten Sie bitte ganz kurz noch hier warten ?"],
    ]


def test_examples_are_of_the_reading_that_is_compared(given, tmp_path):
    """`Sie` is a part of `Siehe`, so that Algorithm 1 has a phrase of either level there."""
    path = tmp_path / "rich.informal.0.txt"
    write_lines(path, ["Siehe da : bist du ganz sicher ?", *read_lines(path)[1:]])
    table14(tmp_path / "table14.csv", **given, examples=3)
    assert [row[1] for row in rows(tmp_path / "table14.csv")] == ["NEUTRAL", "OTHER"]
    table14(tmp_path / "table14.csv", **given, examples=0)
    assert rows(tmp_path / "table14.csv") == []
    table14(tmp_path / "table14.csv", **given, examples=3)
    assert "Siehe" not in (tmp_path / "table14.csv").read_text()
    table7(tmp_path / "table7.csv", **given, examples=9, leave_out=["references"])
    assert any(row[3].startswith("Siehe") for row in rows(tmp_path / "table7.csv"))


def test_words_of_marked_phrases_do_not_count():
    marked = ("[F]Könnten Sie[/F] warten ?", "[F]Könntest du[/F] warten ?")
    assert further(("Könnten Sie warten ?", "Könntest du warten ?"), marked) == 0
    assert further(("Könnten Sie bitte warten ?", "Könntest du kurz warten ?"), marked) == 2


def test_undecided_translations_are_the_first_of_each_system(given, tmp_path):
    table14(tmp_path / "table14.csv", **given, examples=3)
    assert rows(tmp_path / "table14.csv") == [
        ["de", "NEUTRAL", "RICH", "formal", "Are you a teacher?", "Lehrer ?"],
        ["de", "OTHER", "RICH", "formal", "Are you sure?", "Sind Sie sicher und bist du dir sicher ?"],
    ]


def test_a_system_without_a_label_is_named(given, tmp_path):
    write_csv(given["systems"], ("system", "label"), [["plain", "PLAIN"], ["references", "REFERENCES"]])
    for leaf, further_options in ((table7, {"leave_out": []}), (table14, {})):
        with pytest.raises(InputError, match=r"systems\.csv: no label for system 'rich'"):
            leaf(tmp_path / "t.csv", **given, examples=3, **further_options)
    assert not (tmp_path / "t.csv").exists()
