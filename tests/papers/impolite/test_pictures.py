"""The substitutes for the paper's pictures, and the statements of documents about its numbers."""

import json

import pytest

from tests.conftest import ROOT
from tests.papers.impolite.test_leaves import put_dialogues
from tests.tables import lists_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.human.rewriting import rewriting
from workflow_scripts.papers.impolite.figure1 import figure1
from workflow_scripts.papers.impolite.figure4 import figure4


def test_a_dialogue_with_both_users(tmp_path):
    polite = put_dialogues(tmp_path / "polite", *["hotel"] * 5)
    rude = tmp_path / "impolite"
    write_lines(rude, [line.replace('"user": "u"', '"user": "now"') for line in read_lines(polite)[3:]])
    paths = []
    for path in (polite, rude):
        names = [json.loads(line)["id"] for line in read_lines(path)]
        paths.append(tmp_path / f"{path.name}.json")
        paths[-1].write_text(json.dumps({name: [{"response": f"{path.name} {name}"}] for name in names}))
    figure1(tmp_path / "t", label="MINE", seed=1, polite=polite, impolite=rude, responses=paths)
    rows = lists_of(tmp_path / "t")[1:]
    (name,) = {row[0] for row in rows}
    assert name in "34"
    assert [row[1:] for row in rows] == [
        ["original", "0", "User", "u"],
        ["original", "0", "MINE", f"polite {name}"],
        ["impolite", "0", "User", "now"],
        ["impolite", "0", "MINE", f"impolite {name}"],
    ]
    figure1(tmp_path / "t", label="no system", seed=1)
    assert len(lists_of(tmp_path / "t")) == 1


def test_the_annotators_page_is_counted_by_scenario(tmp_path):
    page = tmp_path / "results/human/rewriting/en.html"
    page.parent.mkdir(parents=True)
    rewriting(
        page,
        dialogues=put_dialogues(tmp_path / "d", *["hotel"] * 8),
        scenarios=ROOT / "resources/scenarios.csv",
        template=ROOT / "workflow_scripts/human/rewriting.html",
        count=7,
        seed=1,
        scale="demo",
    )
    figure4(tmp_path / "t", page=page)
    rows = lists_of(tmp_path / "t")[1:]
    assert {row[0] for row in rows} == {"human/rewriting/en.html"}
    assert [[row[1], *row[3:]] for row in rows] == [
        ["1", "2", "2"],
        *[[str(n), "1", "1"] for n in range(2, 7)],
    ]
    write_lines(page, ["<html></html>"])
    with pytest.raises(InputError, match="not the annotators' page"):
        figure4(tmp_path / "t", page=page)
