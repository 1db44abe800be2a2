"""The graph of the rules: snakemake's output, and the picture of it."""

import re
import subprocess
import sys
from xml.etree import ElementTree

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.report.dag import acyclic, draw, layers
from workflow_scripts.report.layout import read
from workflow_scripts.report.resolved import resolved
from workflow_scripts.report.rulegraph import parse

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


def test_graph_is_read_from_what_snakemake_prints():
    names, after = parse(DOT.splitlines())
    assert sorted(names) == ["page", "read", "train"]
    assert after == {"page": ["read", "train"], "train": ["read"], "read": []}
    with pytest.raises(InputError, match="printed no graph"):
        parse(["Building DAG of jobs..."])


@pytest.mark.slow
@given(GRAPHS)
def test_layers_lie_below_what_they_take(after):
    graph, back = acyclic(after)
    place = layers(graph)
    assert all(place[source] < place[target] for source, target in graph.edges)
    assert set(place) == set(after) and min(place.values()) == 0
    # Every edge is drawn one way or the other, or a longer path says it.
    for name, before in after.items():
        for source in before:
            assert (source, name) in back or nx.has_path(graph, source, name)
    # What takes nothing stands just above its first user.
    for name in graph:
        if not list(graph.predecessors(name)) and (users := list(graph.successors(name))):
            assert place[name] == min(place[user] for user in users) - 1


@settings(max_examples=25)
@given(GRAPHS)
def test_picture_shows_every_rule_and_no_two_boxes_overlap(after):
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


def test_rule_that_works_twice_has_a_dashed_arrow_back():
    after = {"train": ["decode"], "decode": ["train"], "read": []}
    assert draw(after, dict.fromkeys(after, "s")).count("stroke-dasharray") == 1


def test_settings_are_written_and_read_again(tmp_path, module):
    resolved(tmp_path / "a.json", configuration='{"b": 1, "a": "é"}')
    assert (tmp_path / "a.json").read_text(encoding="utf-8") == '{\n  "a": "é",\n  "b": 1\n}\n'
    with pytest.raises(InputError, match="not JSON"):
        resolved(tmp_path / "b.json", configuration="{")
    finished = module("report.resolved", tmp_path / "c.json", "--configuration", '{"a": "x y"}')
    assert finished.returncode == 0, finished.stderr


@pytest.mark.slow
def test_every_rule_on_the_way_to_the_page_is_listed(project, snakemake):
    papers = "report={papers: [xformal, pt16, tydip, cocoa-mt, impolite]}"
    wanted = ["build/report/rules.manifest.csv", "results/settings.json"]
    done = snakemake(project, "--cores", 1, "--config", papers, "--", *wanted)
    assert done.returncode == 0, done.stdout + done.stderr
    target, rules = project / "rules.csv", project / "build/report/rules.manifest.csv"
    options = {"snakefile": project / "Snakefile", "settings": project / "results/settings.json"}
    command = [sys.executable, "-m", "workflow_scripts.report.rulegraph", target, "--rules", rules]
    words = [word for name, value in options.items() for word in (f"--{name}", value)]
    # Rules of a loop, whose names stand in no file, are among them.
    done = subprocess.run(
        [*command, *words, "--goal", "results/index.html"], cwd=project, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    rows = {row[0]: row for row in read(target).rows}
    assert rows["table7"][1] == rows["table2"][1] == "xformal"
    assert rows["sample_informal"][1] == "filtering" and rows["page"][1] == "report"
    assert "table7" in rows["page"][3].split() and re.search("Table 7", rows["table7"][2])
    # The graph of all papers has more lines than a log shows of a program that has failed.
    assert {"tydip", "cocoa_mt", "impolite"} <= {row[1] for row in rows.values()}
    assert all(does for _, _, does, _ in rows.values())
    done = subprocess.run(
        [*command, *words, "--goal", "results/none.csv"], cwd=project, capture_output=True, text=True
    )
    assert done.returncode == 2 and "failed (exit code 2)" in done.stderr
    assert "'results/none.csv'" in done.stderr and f"error: {target}: " in done.stderr


def test_rules_that_make_leaves_have_a_thick_border():
    after = {"read": [], "table7": ["read"], "table8": ["read"]}
    picture = draw(after, dict.fromkeys(after, "s"), {"table7", "table8"})
    assert picture.count('stroke-width="2"') == 2 and "2 of them make leaves" in picture
