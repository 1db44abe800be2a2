"""`rows` of the sections whose systems are rows of tables: the others are neither trained nor asked."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from snakemake.utils import update_config

from tests.config.conftest import Jobs
from tests.config.test_rows import given, listed
from workflow_scripts.config.settings import load
from workflow_scripts.core.errors import InputError

SCALES = ["config/open.yaml"]
# What trains, or asks somebody, and what is not of a metric.
WORK = ("train_", "translate_", "tune_", "decode_", "respond", "learn_", "sample_generic", "answered_")


def working(jobs: Jobs) -> set[str]:
    return {job["rule"] for job in jobs if job["rule"].startswith(WORK)}


@pytest.fixture
def mine(tmp_path):
    """An overlay with own systems, whose files are there."""

    def write(settings: dict[str, Any]) -> Path:
        overlay = tmp_path / "mine.yaml"
        overlay.write_text(yaml.safe_dump(settings), encoding="utf-8")
        return overlay

    for name in (
        "de.formal.txt",
        "de.informal.txt",
        "polite.json",
        "impolite.json",
        "tested.txt",
        "ko.txt",
        "fr.txt",
    ):
        (tmp_path / name).write_text("x\n", encoding="utf-8")
    return write


@pytest.mark.slow
def test_own_translations_beside_those_of_the_shared_task_train_nothing(planned, mine, tmp_path):
    system = {"label": "MINE", "kind": "outputs", "path": f"{tmp_path}/{{lang}}.{{level}}.txt"}
    rows = {"languages": ["de"], "rows": ["mine", "umd-1"], "systems": {"mine": system}}
    overlay = mine({"control": rows})
    leaves = [f"results/cocoa-mt/table{number}.csv" for number in (4, 5, 6, 7, 8, 13, 14)]
    jobs = planned(leaves, {}, *SCALES, overlay)
    assert working(jobs) == set()
    # In the order of the settings.
    assert listed(jobs, "build/control/scores/de.manifest.csv", "system") == ["umd-1", "mine"]
    assert listed(jobs, "build/control/systems.csv", "label") == ["UMD 1", "MINE"]
    assert "trained" not in given(jobs, "cocoa_mt_table6")
    # Figures 1 and 2 are of systems of their own, which translate the generic test sets as before.
    alone = planned(["results/cocoa-mt/figure1.svg"], {}, *SCALES)
    beside = planned(
        ["results/cocoa-mt/figure1.svg"], {}, *SCALES, mine({"control": {**rows, "languages": ["de"]}})
    )
    assert alone == beside and "train_tuned" in working(alone)


@pytest.mark.slow
def test_own_responses_train_no_system(planned, mine, tmp_path):
    system = {"label": "MINE", "kind": "outputs", "path": f"{tmp_path}/{{set}}.json"}
    overlay = mine({"dialogue": {"rows": ["mine"], "systems": {"mine": system}}})
    leaves = [f"results/impolite/table{number}.csv" for number in (6, 7, 8, 9, 10)]
    leaves += ["results/impolite/figure1.csv", "results/impolite/figure3.svg"]
    jobs = planned(leaves, {}, overlay)
    assert working(jobs) == set()
    assert listed(jobs, "build/dialogue/responses.manifest.csv", "system") == ["mine"]
    assert listed(jobs, "build/papers/impolite/systems.manifest.csv", "label") == ["MINE"]


@pytest.mark.slow
def test_rows_of_transfer_train_their_systems_only(planned):
    leaf = "results/impolite/table5.csv"
    everything = working(planned([leaf], {}))
    jobs = planned([leaf], {"style": {"rows": ["rules"]}})
    # Of the metrics.
    assert everything - working(jobs) == {"train_rewriter", "train_dast"}
    assert given(jobs, "impolite_table5")["labels"][2:] == ["RULE-BASED"]


@pytest.mark.slow
def test_own_rewrites_train_the_metrics_only(planned, mine, tmp_path):
    system = {"label": "MINE", "kind": "outputs", "path": f"{tmp_path}/tested.txt"}
    leaf = "results/impolite/table5.csv"
    jobs = planned([leaf], {}, mine({"style": {"rows": ["mine"], "systems": {"mine": system}}}))
    assert working(jobs) == {"train_judge", "train_fluency", "train_classifier"}
    (taken,) = (job for job in jobs if job["rule"] == "own_rewrites")
    assert taken["input"] == ["build/users/pairs/tested.polite.txt", system["path"]]
    told = given(jobs, "impolite_table5")
    assert told["labels"] == ["original", "people", "MINE"] and told["elsewhere"] == ["MINE"]
    # Without `rows`, below the systems of config.yaml.
    beside = planned([leaf], {}, mine({"style": {"systems": {"mine": system}}}))
    assert given(beside, "impolite_table5")["labels"][-2:] == ["RULE-BASED", "MINE"]


@pytest.mark.slow
def test_rows_of_table_3_train_their_classifiers_only(planned):
    def asked(settings: dict[str, Any], *scale: str) -> tuple[set[str], set[str]]:
        """The classifiers that are trained, and what else works."""
        jobs = planned(["results/tydip/table3.csv"], {"politeness": settings}, *scale)
        trained = {job["output"][0].split("/")[2] for job in jobs if job["rule"] == "train_classifier"}
        assert len(given(jobs, "tydip_table3")["labels"]) == len(trained)
        return trained, working(jobs) - {"train_classifier"}

    assert asked({"rows": ["xlmr"]}) == ({"xlmr"}, set())
    # Requests are translated for classifiers that are no rows.
    own = {"rows": ["roberta"], "classifiers": {"roberta": {"inputs": ["target"]}}}
    assert asked(own, *SCALES) == ({"roberta"}, set())


@pytest.mark.slow
def test_own_scores_of_requests_train_nothing(planned, mine, tmp_path):
    own = {"label": "MINE", "path": f"{tmp_path}/{{lang}}.txt", "languages": ["fr", "ko"], "threshold": 0.5}
    overlay = mine({"politeness": {"rows": ["mine"], "outputs": {"mine": own}}})
    jobs = {job["rule"]: job for job in planned(["results/tydip/table3.csv"], {}, overlay)}
    assert jobs.keys() == {
        *("demo_requests", "tydip_requests", "own_scores", "measure_classifier", "tydip_table3")
    }
    taken = jobs["own_scores"]
    # In the order of TyDiP's tables, whatever that of the settings is.
    requests = [f"build/politeness/requests/{lang}.test.sentences.txt" for lang in ("ko", "fr")]
    assert taken["input"] == [f"{tmp_path}/ko.txt", f"{tmp_path}/fr.txt", *requests]
    assert "--inputs target target --languages ko fr --threshold=0.5" in taken["shell"]
    assert "--threshold=0.5" in jobs["measure_classifier"]["shell"]
    told = given(list(jobs.values()), "tydip_table3")
    assert (told["labels"], told["encoders"]) == (["MINE"], ["outputs"])
    # At another scale nobody translates requests for it, nor downloads a model.
    both = {**own, "inputs": ["target", "en"], "path": f"{tmp_path}/{{lang}}.txt{{input}}"}
    for lang in ("fr", "ko"):
        for name in ("target", "en"):
            (tmp_path / f"{lang}.txt{name}").write_text("1\n", encoding="utf-8")
    overlay = mine({"politeness": {"rows": ["mine"], "outputs": {"mine": both}}})
    rules = {job["rule"] for job in planned(["results/tydip/table3.csv"], {}, "config/paper.yaml", overlay)}
    assert rules == {
        *("download_files", "tydip_requests", "own_scores", "measure_classifier", "tydip_table3")
    }


@pytest.mark.parametrize(
    ("own", "problem"),
    [
        ({"path": "x.txt"}, "'politeness.outputs.mine.path' is 'x.txt': {lang} is missing: there is"),
        (
            {"path": "{language}.txt"},
            "'politeness.outputs.mine.path' is '{language}.txt': the placeholders are {lang} and {input}",
        ),
        (
            {"inputs": ["target", "en"]},
            "'politeness.outputs.mine.path' is 'runs/{lang}.txt': {input} is missing",
        ),
        ({"languages": []}, "'politeness.outputs.mine.languages' is []: list should have at least 1 item"),
        ({"languages": ["de"]}, "'politeness.outputs.mine.languages.0' is 'de': input should be 'en', 'hi'"),
        ({"threshold": True}, "'politeness.outputs.mine.threshold' is True: a number is needed"),
        ({"label": "XLMR"}, "politeness.outputs.mine.label: 'XLMR' is the label of 'xlmr'"),
        ({"treshold": 1}, "unknown key 'politeness.outputs.mine.treshold'; did you mean 'threshold'?"),
    ],
)
def test_own_scores_that_cannot_be_a_row_are_told(demo, own, problem):
    demo["politeness"]["outputs"]["mine"] = {"label": "MINE", "path": "runs/{lang}.txt", **own}
    with pytest.raises(InputError) as told:
        load(demo)
    assert str(told.value).startswith(f"configuration: {problem}") and "\n" not in str(told.value)


def test_a_classifier_and_own_scores_have_different_names(demo):
    demo["politeness"]["outputs"]["roberta"] = {"label": "MINE", "path": "runs/{lang}.txt"}
    with pytest.raises(InputError, match="politeness: 'roberta' is the name of two classifiers"):
        load(demo)


@pytest.mark.parametrize(
    ("section", "rows", "problem"),
    [
        ("control", ["reference"], "control.rows: no system 'reference'; did you mean 'references'?"),
        ("dialogue", ["ubaar"], "dialogue.rows: no system 'ubaar'; did you mean 'ubar'?"),
        ("style", ["rule"], "style.rows: no system 'rule'; did you mean 'rules'?"),
        ("politeness", ["xlm"], "politeness.rows: no system 'xlm'; did you mean 'xlmr'?"),
        ("politeness", [], "'politeness.rows' is []: list should have at least 1 item"),
        ("control", ["single"], "control.rows: none of them is in pt, fr; set control.languages"),
    ],
)
def test_rows_that_are_no_systems_are_told(demo, section, rows, problem):
    demo[section]["rows"] = rows
    with pytest.raises(InputError) as told:
        load(demo)
    assert problem in str(told.value)


REWRITES = {"label": "MINE", "kind": "outputs", "path": "runs/tested.txt"}


@pytest.mark.parametrize(
    ("style", "problem"),
    [
        ({"rewriter": "mine"}, "style.rewriter: 'mine' has rewrites of tested dialogues only"),
        ({"corpus": {"by": "mine"}}, "style.corpus.by: 'mine' has rewrites of tested dialogues only"),
        (
            {"systems": {"mine": {"path": "runs/{lang}.txt"}}},
            "'style.systems.mine.path' is 'runs/{lang}.txt': a path without a placeholder is needed",
        ),
        ({"systems": {"mine": {"path": ""}}}, "'style.systems.mine.path' is '': a path is needed"),
        (
            {"systems": {"mine": {"pth": "x"}}},
            "unknown key 'style.systems.mine.pth'; did you mean 'path'?",
        ),
        (
            {"systems": {"mine": {"label": "people"}}},
            "style.systems.mine.label: 'people' is the label of a text that no system wrote",
        ),
        (
            {"systems": {"people": REWRITES | {"label": "PEOPLE"}}},
            "style.systems.people: another row of Table V has this name",
        ),
    ],
)
def test_own_rewrites_that_cannot_be_a_row_are_told(demo, style, problem):
    demo["style"]["systems"]["mine"] = dict(REWRITES)
    update_config(demo["style"], style)
    with pytest.raises(InputError) as told:
        load(demo)
    assert str(told.value) == f"configuration: {problem}"
