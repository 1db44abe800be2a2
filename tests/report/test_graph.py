"""The graph of the rules: what snakemake says, and the picture of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.report.dag import acyclic, draw, layers, reduced
from workflow_scripts.report.layout import read
from workflow_scripts.report.resolved import resolved
from workflow_scripts.report.rulegraph import described, parse, rulegraph

DOT = """Building DAG of jobs...
digraph snakemake_dag {
    graph[bgcolor=white, margin=0];
\t0[label = "page", color = "0.66 0.6 0.85", style="rounded"];
\t1[label = "train", color = "0.48 0.6 0.85", style="rounded,dashed"];
\t2[label = "read", color = "0.1 0.6 0.85", style="rounded"];
\t1 -> 0
\t2 -> 0
\t2 -> 1
}
"""
NAMES = st.sampled_from([f"r{n}" for n in range(9)])
GRAPHS = st.dictionaries(NAMES, st.sets(NAMES), min_size=1).map(
    lambda after: {name: sorted(before & set(after) - {name}) for name, before in sorted(after.items())}
)


def test_graph_is_read_from_what_snakemake_prints() -> None:
    names, after = parse(DOT.splitlines())
    assert sorted(names) == ["page", "read", "train"]
    assert after == {"page": ["read", "train"], "train": ["read"], "read": []}
    with pytest.raises(InputError, match="printed no graph"):
        parse(["Building DAG of jobs..."])


def test_rules_are_described_by_their_docstrings(tmp_path: Path) -> None:
    path = tmp_path / "tables.smk"
    path.write_text(
        'rule a:\n    """Table 7,\n    twice."""\n    input:\n\n\nif x:\n\n    rule b:\n        output:\n\n'
        "use rule a as c with:\n    output:\n"
    )
    assert described([path]) == {"a": ("tables", "Table 7, twice."), "b": ("tables", ""), "c": ("tables", "")}


def test_every_rule_of_the_project_is_found_in_its_file() -> None:
    folder = Path(__file__).parents[2] / "rules"
    found = described(sorted(folder.rglob("*.smk")))
    assert found["table7"] == ("xformal", found["table7"][1]) and found["page"][0] == "report"
    assert found["read_gyafc"][0] == "corpora" and found["sample_informal"][0] == "filtering"


@given(GRAPHS)
def test_layers_lie_below_what_they_take(after: dict[str, list[str]]) -> None:
    edges, back = acyclic(after)
    # Every edge is drawn one way or the other.
    assert sorted([*edges, *back]) == sorted((source, name) for name in after for source in after[name])
    place = layers(after, reduced(edges))
    assert all(place[source] < place[target] for source, target in edges)
    assert min(place.values()) == 0


@given(GRAPHS)
def test_reduced_edges_reach_what_all_edges_reach(after: dict[str, list[str]]) -> None:
    def reach(edges: list[tuple[str, str]]) -> set[tuple[str, str]]:
        found = set(edges)
        while more := {(a, d) for a, b in found for c, d in edges if b == c} - found:
            found |= more
        return found

    edges, _ = acyclic(after)
    kept = reduced(edges)
    assert set(kept) <= set(edges) and reach(kept) == reach(edges)


@settings(max_examples=25, deadline=None)
@given(GRAPHS)
def test_picture_shows_every_rule_and_no_two_boxes_overlap(after: dict[str, list[str]]) -> None:
    stages = {name: f"stage {name}" for name in after}
    picture = draw(after, stages)
    root = ElementTree.fromstring(picture)
    space = "{http://www.w3.org/2000/svg}"
    texts = [text.text for text in root.iter(f"{space}text")]
    assert sorted(texts) == sorted([*after, *stages.values()])
    assert root.find(f"{space}title") is not None and root.find(f"{space}desc") is not None
    boxes = [
        tuple(float(rect.attrib[key]) for key in ("x", "y", "width", "height"))
        for rect in root.iter(f"{space}rect")
    ]
    right, bottom = map(float, root.attrib["viewBox"].split()[2:])
    for number, (x, y, wide, high) in enumerate(boxes):
        assert x >= 0 and y >= 0 and x + wide <= right + 1 and y + high <= bottom + 1
        for other_x, other_y, other_wide, _ in boxes[number + 1 :]:
            assert y != other_y or x + wide <= other_x or other_x + other_wide <= x
    assert draw(after, stages) == picture


def test_rule_that_works_twice_has_a_dashed_arrow_back() -> None:
    after = {"train": ["decode"], "decode": ["train"], "read": []}
    assert draw(after, dict.fromkeys(after, "s")).count("stroke-dasharray") == 1


def test_settings_are_written_and_read_again(tmp_path: Path, module: Callable) -> None:
    resolved(tmp_path / "a.json", configuration='{"b": 1, "a": "é"}')
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == '{\n  "a": "é",\n  "b": 1\n}\n'
    with pytest.raises(InputError, match="no JSON"):
        resolved(tmp_path / "b.json", configuration="{")
    finished = module("report.resolved", tmp_path / "c.json", "--configuration", '{"a": "x y"}')
    assert finished.returncode == 0, finished.stderr


@pytest.mark.slow
def test_snakemake_is_asked_for_the_graph(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    (project / "settings.json").write_text('{"seed": 7}')
    target = project / "rules.csv"
    files = [Path("Snakefile"), *sorted(Path("rules").glob("*.smk"))]
    options = {"snakefile": Path("Snakefile"), "settings": Path("settings.json"), "rules": files}
    rulegraph(target, **options, goal="results/table7.csv")  # type: ignore[arg-type]
    rows = {row[0]: row for row in read(target).rows}
    assert rows["table7"][1] == "tables" and "evaluate" in rows["table7"][3].split()
    assert rows["evaluate"][1] == "evaluation" and re.search("Table 7", rows["table7"][2])
    with pytest.raises(InputError, match=r"failed \(exit code 1\)"):
        rulegraph(target, **options, goal="results/none.csv")  # type: ignore[arg-type]


def test_rules_that_make_leaves_have_a_thick_border() -> None:
    after = {"read": [], "table7": ["read"], "table8": ["read"]}
    picture = draw(after, dict.fromkeys(after, "s"), {"table7", "table8"})
    assert picture.count('stroke-width="2"') == 2 and "2 of them make leaves" in picture
