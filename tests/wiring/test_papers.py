"""The files and options of papers' leaves, for settings that no whole plan has."""

import pytest

from tests.commands import parser
from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.registry import Paper, load, load_papers
from workflow_scripts.wiring.papers import cocoa_mt, impolite, tydip, xformal
from workflow_scripts.wiring.papers import wired as wired_leaves

LEAVES = {leaf.name: leaf for leaf in load(ROOT / "resources/leaves.csv")}
PAPERS = load_papers(ROOT / "resources/papers.csv")
# Their rules stand in rules/papers/: Table 7 has two commands, Table 3 another environment.
OWN_RULES = {"table7", "cocoa_mt_table3"}


def test_every_leaf_has_one_rule_that_knows_the_printed_numbers(demo):
    rules, further = wired_leaves(PAPERS, LEAVES, demo)
    assert sorted(rule.name for rule in rules) == sorted(
        {name.replace("/", "_").replace("-", "_") for name in LEAVES} - OWN_RULES
    )
    assert further.keys() == PAPERS.keys() and further["pt16"] == []
    (rule,) = (rule for rule in rules if rule.name == "table10")
    assert rule.command == "papers.xformal.table10" and rule.log == "logs/xformal/table10.log"
    assert rule.input["printed"].endswith("resources/printed/xformal/table10.csv")
    # The words of the command: files, then options, the scale at the end.
    assert [*rule.options] == [
        *("ratings", "printed", "languages", "simulations", "seed", "simulated", "scale")
    ]
    # Of a leaf that is not scaled.
    (rule,) = (rule for rule in rules if rule.name == "cocoa_mt_table2")
    assert "printed" in rule.options and "scale" not in rule.options


def test_commands_of_leaves_are_given_the_options_that_they_need(demo):
    for rule in wired_leaves(PAPERS, LEAVES, demo)[0]:
        given = {name for name, value in rule.options.items() if value is not None}
        needed = parser(rule.command)
        assert needed.required <= given <= needed.options, rule.name


def test_a_paper_without_wiring_and_a_leaf_without_a_row_are_errors(demo):
    with pytest.raises(InputError, match=r"papers.csv: 'new-one' has no .*/papers/new_one.py; write it"):
        wired_leaves({"new-one": Paper("new-one", "NEW", True, "")}, LEAVES, demo)
    with pytest.raises(InputError, match=r"leaves.csv: no leaf 'pt16', which .*; known: table2"):
        wired_leaves({"pt16": PAPERS["pt16"]}, {"table2": LEAVES["table2"]}, demo)


def test_without_a_compared_classifier_leaves_have_printed_numbers_only(wired):
    subjects = wired(politeness={"compared": None})
    made = tydip.leaves(subjects)
    for leaf in ("table4", "table5", "table6", "table7", "table12"):
        assert not any(made[f"tydip/{leaf}"].files.values()), leaf
    assert made["tydip/table5"].options["reads"] is None
    assert made["tydip/figure3"].files["measures"] is None


def test_leaves_read_no_rewritten_dialogues_where_there_are_none(wired):
    made = impolite.leaves(wired(corpora={"impolite": "none"}))
    read = [
        path
        for one in made.values()
        for files in one.files.values()
        for path in ([files] if isinstance(files, str) else files or [])
    ]
    assert [path for path in read if "/impolite/" in path and "manifest" not in path] == []
    assert made["impolite/figure1"].options["label"] == "no system"
    assert made["impolite/figure3"].files == {"polite": "build/dialogue/sets/polite.jsonl"}
    assert made["impolite/table5"].files == {}


def test_a_system_in_place_of_people_is_named(wired):
    subjects = wired(corpora={"impolite": "transfer"})
    made = impolite.leaves(subjects)
    by = {name for name, one in made.items() if one.options.get("written_by")}
    assert by == {
        f"impolite/{leaf}" for leaf in ("table2", "table3", "table4", "table7", "table9", "figure3")
    }
    assert made["impolite/table3"].options["simulated"] is False


def test_leaves_read_no_translations_that_are_neither_rated_nor_tuned(wired):
    made = cocoa_mt.leaves(wired(control={"rows": ["references"]}))
    assert made["cocoa-mt/table6"].files["pairs"] is None and made["cocoa-mt/table6"].options["data"] is None
    assert made["cocoa-mt/table13"].files["trained"] is None
    assert made["cocoa-mt/table5-labels"].files["test_sets"] is None


def test_a_further_system_is_in_the_manifests_if_its_rules_name_its_files_first(wired):
    subjects = wired()
    subjects.systems.training_files["rules"] = lambda system: [(system.label, "gyafc", ["mine.txt"])]
    assert "mine.txt" in xformal.leaves(subjects)["table6"].listed
