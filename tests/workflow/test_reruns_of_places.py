"""What is no part of a result reruns nothing, told by what Snakemake compares of each job."""

import csv
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

from .dag import ask

pytestmark = pytest.mark.slow
SCALES = {"demo": [], "open": ["config/open.yaml"], "paper": ["config/paper.yaml"]}
with (ROOT / "resources/leaves.csv").open(encoding="utf-8", newline="") as _stream:
    TARGETS = [f"results/{row['leaf']}.csv" for row in csv.DictReader(_stream)]
# What a new order of the columns may make anew beside the leaves: small tables that leaves are made of.
PARTS_OF_LEAVES = {"list_files", "sanity", "spearman", "unpaired"}
Jobs = dict[tuple[str, ...], dict[str, Any]]


def jobs(folder: Path, config: dict[str, Any], files: list[str]) -> Jobs:
    """What Snakemake compares of each job, by the job's files."""
    return {
        (job["rule"], *job["output"]): {"tracked": job["tracked"], "input": sorted(job["input"])}
        for job in ask(folder, config, files, TARGETS)
    }


def changed(one: Jobs, other: Jobs) -> set[str]:
    """The rules of which a job differs, or is only in one of both."""
    return {key[0] for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


@pytest.mark.parametrize("scale", SCALES)
def test_places_memory_cost_and_device_are_no_part_of_a_result(project, scale):
    elsewhere = {
        "cache": "another/cache",
        "licensed": "/another/place",
        "mirror": "a mirror",
        "device": "cpu",
        "fluency": {"memory": "1G"},
        "translation": {"max_cost": 10.0},
    }
    before = jobs(project, {"device": "auto"}, SCALES[scale])
    assert len(before) > 200
    assert changed(before, jobs(project, elsewhere, SCALES[scale])) == set()


def test_what_computes_is_a_part_of_a_result(project):
    before = jobs(project, {}, [])
    for setting in ({"precision": "float32"}, {"threads": 2}):
        assert {"train_regressor", "train_supervised", "translate_gyafc"} <= changed(
            before, jobs(project, setting, [])
        )


@pytest.mark.parametrize("scale", ["demo", "open"])
def test_the_order_of_languages_reruns_tables_only(project, scale):
    order = {"languages": ["fr", "pt", "it"]}
    before, after = (jobs(project, config, SCALES[scale]) for config in ({}, order))
    leaves = {rule for rule, *files in before if any(file.startswith("results/") for file in files)}
    assert "table7" in changed(before, after)
    assert changed(before, after) <= leaves | PARTS_OF_LEAVES


def test_a_size_of_the_demo_world_makes_its_own_corpus_anew(project):
    own = {
        "gyafc_train": "gyafc",
        "ratings": "ratings",
        "subtitles": "subtitles",
        "bitext": "bitext",
        "questions": "yahoo",
        "questions_fr": "yahoo_fr",
    }
    before = jobs(project, {}, [])
    for some in (list(own)[::2], list(own)[1::2]):
        after = jobs(project, {"demo": dict.fromkeys(some, 123)}, [])
        assert changed(before, after) == {f"demo_{own[size]}" for size in some}
    # What dev and test take, training may not say.
    assert "demo_world" in changed(before, jobs(project, {"demo": {"xformal": 90}}, []))
