"""The registry of papers and leaves: refusals, and the project's own registry is complete."""

import csv
from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.registry import load, load_papers, named

ROOT = Path(__file__).parents[2]
PAPERS = [
    ("paper", "label", "scaled", "citation"),
    ("one", "ONE", "yes", "One (2021)"),
    ("second-one", "TWO", "no", "Two (2022)"),
]
HEADER = ("leaf", "paper", "number", "kind", "caption", "corpora")
ROW = ("a", "one", "Table 1", "table", "x", "")


def put(path: Path, rows: list[tuple]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows(rows)
    return path


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([("leaf", "paper"), ("a", "one")], "no column number"),
        ([HEADER, ("a", "sekond-one", *ROW[2:])], "did you mean 'second-one'"),
        ([HEADER, (*ROW[:3], "plot", *ROW[4:])], "unknown kind 'plot'"),
        ([HEADER, ROW, ROW], "a second leaf a"),
    ],
)
def test_what_is_wrong_with_leaves_is_named(tmp_path, rows, problem):
    put(tmp_path / "papers.csv", PAPERS)
    with pytest.raises(InputError, match=problem):
        load(put(tmp_path / "leaves.csv", rows))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("one", "ONE", "yes", "again"), "papers.csv:4: a second paper one"),
        (
            ("Two", "TWO", "no", "x"),
            "papers.csv:4: 'Two' is not a name for a paper; use small letters, digits and hyphens",
        ),
        (("../two", "TWO", "no", "x"), "is not a name for a paper"),
        (("two", "TWO", "demo", "x"), "scaled is 'demo', not yes or no"),
    ],
)
def test_what_is_wrong_with_papers_is_named(tmp_path, row, problem):
    with pytest.raises(InputError, match=problem):
        load_papers(put(tmp_path / "papers.csv", [*PAPERS, row]))


def test_a_leaf_may_have_a_mark_of_its_own(tmp_path):
    put(tmp_path / "papers.csv", PAPERS)
    header = (*HEADER, "scaled")
    marks = ["", "yes", "no"]
    rows = [(f"{paper[0]}{mark}", paper, *ROW[2:], mark) for paper in ("one", "second-one") for mark in marks]
    leaves = load(put(tmp_path / "leaves.csv", [header, *rows]))
    assert [leaf.scaled for leaf in leaves] == [True, True, False, False, True, False]
    with pytest.raises(InputError, match=r"leaves\.csv:2: scaled is 'demo', not yes, no or empty"):
        load(put(tmp_path / "leaves.csv", [header, (*ROW, "demo")]))


def test_a_leaf_has_the_scale_of_its_paper(tmp_path):
    papers = load_papers(put(tmp_path / "papers.csv", PAPERS))
    assert papers["second-one"].folder == "second_one"
    rows = [HEADER, ROW, ("second-one/b", "second-one", *ROW[2:])]
    leaves = load(put(tmp_path / "leaves.csv", rows))
    assert [leaf.scaled for leaf in leaves] == [True, False]
    assert [leaf.anchor for leaf in leaves] == ["a", "second-one-b"]
    assert leaves[1].printed == "second-one/b.csv"
    assert (papers["one"].label, papers["one"].citation) == ("ONE", "One (2021)")
    assert named(tmp_path / "leaves.csv", "a") == leaves[0]
    with pytest.raises(InputError, match="no leaf 'second-one/c'; did you mean 'second-one/b'"):
        named(tmp_path / "leaves.csv", "second-one/c")


def test_every_paper_of_the_project_has_its_folders_and_leaves():
    papers = load_papers(ROOT / "resources" / "papers.csv")
    leaves = load(ROOT / "resources" / "leaves.csv")
    assert len({leaf.anchor for leaf in leaves}) == len(leaves)
    assert {leaf.paper for leaf in leaves} == set(papers)
    for paper in papers.values():
        assert (ROOT / "workflow_scripts" / "papers" / paper.folder / "__init__.py").is_file()
    # A file without a row would never be read. leaves.smk makes the rules of leaves; some papers have more.
    folders = {paper.folder for paper in papers.values()}
    leaf_modules, wiring, rules = (
        {path.stem for path in (ROOT / place).glob("[a-z]*") if path.suffix != ".pyc"}
        for place in ("workflow_scripts/papers", "workflow_scripts/wiring/papers", "rules/papers")
    )
    assert leaf_modules == wiring == folders
    assert rules - {"leaves"} <= folders
