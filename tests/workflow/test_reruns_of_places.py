"""Settings that do not affect a result rerun nothing, by Snakemake's own comparison of jobs."""

from typing import Any

import pytest

pytestmark = pytest.mark.slow
# What a new order of the columns may make anew beside the leaves: small tables that leaves are made of.
PARTS_OF_LEAVES = {"list_files", "sanity", "spearman", "unpaired"}
Jobs = dict[tuple[str, ...], dict[str, Any]]


@pytest.fixture
def jobs(jobs_at):
    """What Snakemake compares of each job of a scale, with changes of its settings, by the job's files.

    Without the file of all settings, which each change is a part of.
    """

    def told(scale: str, **changes: object) -> Jobs:
        return {
            (job["rule"], *job["output"]): {"tracked": job["tracked"], "input": sorted(job["input"])}
            for job in jobs_at(scale, **changes)
            if job["rule"] != "resolved"
        }

    return told


def changed(one: Jobs, other: Jobs) -> set[str]:
    """The rules of which a job differs, or is only in one of both."""
    return {key[0] for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


@pytest.mark.parametrize("scale", ["demo", "open", "paper"])
def test_places_memory_cost_and_device_are_no_part_of_a_result(jobs, scale):
    elsewhere = {
        "cache": "another/cache",
        "licensed": "/another/place",
        "mirror": "a mirror",
        "device": "cpu",
        "fluency": {"memory": "1G"},
        "translation": {"max_cost": 10.0},
    }
    before = jobs(scale)
    assert len(before) > 200
    assert changed(before, jobs(scale, **elsewhere)) == set()


def test_what_computes_is_a_part_of_a_result(jobs):
    for setting in ({"precision": "float32"}, {"threads": 2}):
        assert {"train_regressor", "train_supervised", "translate_gyafc"} <= changed(
            jobs("demo"), jobs("demo", **setting)
        )


@pytest.mark.parametrize("scale", ["demo", "open"])
def test_the_order_of_languages_reruns_tables_only(jobs, scale):
    before, after = jobs(scale), jobs(scale, languages=["fr", "pt", "it"])
    leaves = {rule for rule, *files in before if any(file.startswith("results/") for file in files)}
    assert "table7" in changed(before, after)
    assert changed(before, after) <= leaves | PARTS_OF_LEAVES


def test_a_size_of_the_demo_world_makes_its_own_corpus_anew(jobs):
    own = {
        "gyafc_train": "gyafc",
        "ratings": "ratings",
        "subtitles": "subtitles",
        "bitext": "bitext",
        "questions": "yahoo",
        "questions_fr": "yahoo_fr",
    }
    for some in (list(own)[::2], list(own)[1::2]):
        after = jobs("demo", demo=dict.fromkeys(some, 123))
        assert changed(jobs("demo"), after) == {f"demo_{own[size]}" for size in some}
    # What dev and test take, training may not say.
    assert "demo_world" in changed(jobs("demo"), jobs("demo", demo={"xformal": 90}))
