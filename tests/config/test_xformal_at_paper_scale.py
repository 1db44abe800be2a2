"""XFORMAL's text at the paper's scale, as rules use it: samples, answers, tested sentences."""

import pytest

POOLS = ["opensubtitles/fr/formal", "opensubtitles/fr/informal", "yahoo-fr/fr/formal", "yahoo-fr/fr/informal"]
TARGETS = [f"build/filtering/{pool}.samples.tsv" for pool in POOLS]
TESTED = [
    f"build/corpora/xformal/fr/{name}.txt"
    for name in ("informal", "formal.ref0", "formal.ref1", "formal.ref2", "formal.ref3")
]


@pytest.fixture(scope="module")
def jobs(planned):
    """What is planned for the samples of Table 6, and for the sentences of Table 2."""
    targets = [*TARGETS, "build/filtering/yahoo/fr/candidates.txt"]
    return planned(targets, {"device": "cpu"}, "config/paper.yaml")


@pytest.mark.slow
def test_samples_of_a_pool_are_drawn_by_themselves_and_dev_sentences_stand_apart(jobs):
    samples = {path: job for job in jobs for path in job["output"] if path in TARGETS}
    assert set(samples) == set(TARGETS)
    for job in samples.values():
        assert "--draws=independent --apart dev" in job["shell"]


@pytest.mark.slow
def test_best_answers_of_l6_are_read_and_all_of_l26(jobs):
    read = {job["rule"]: job["shell"] for job in jobs if job["rule"].startswith("read_yahoo")}
    assert "--answers best " in read["read_yahoo"]
    assert "--answers all " in read["read_yahoo_fr"]


@pytest.mark.slow
def test_tested_sentences_and_all_their_rewrites_are_left_out_of_l26(jobs):
    (curated,) = [job for job in jobs if job["rule"] == "curate_in_domain"]
    assert curated["input"][1:] == TESTED
    assert f"--tested {' '.join(TESTED)}" in curated["shell"]
