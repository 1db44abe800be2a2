"""The generic test sets of translators under control, at open scale."""

import pytest

pytestmark = pytest.mark.slow
TABLE6 = ["results/cocoa-mt/table6.csv"]


def test_generic_test_sets_are_read_where_a_system_translates_them(planned):
    """Of the other languages there may be none: NTREX of Hindi is no source of the open scale."""
    jobs = planned(TABLE6, {}, "config/open.yaml")
    read = {path for job in jobs if job["rule"] == "read_generic" for path in job["output"]}
    translated = {
        path.split("/")[4] for job in jobs if job["rule"] == "decode_generic" for path in job["output"]
    }
    assert {path.split("/")[3] for path in read} == translated == {"de", "fr"}
    scored = [job for job in jobs if job["rule"] == "score_controlled"]
    assert len(scored) > 1
    for job in scored:
        assert ("--generic" in job["shell"]) == any(
            part in path for part in ("/de/", "/fr/") for path in job["output"] + job["input"]
        )


def test_the_paper_scale_has_the_papers_languages_and_sets(planned):
    """Six generic models; TED in Japanese only; dev sets but in Italian; four languages labelled by rules."""
    jobs = planned(TABLE6, {}, "config/paper.yaml")

    def languages(rule: str, place: int, part: str = "") -> set[str]:
        return {
            path.split("/")[place]
            for job in jobs
            if job["rule"] == rule
            for path in job["output"]
            if part in path
        }

    assert languages("train_generic", 3) == {"de", "es", "fr", "it", "hi", "ja"}
    assert languages("read_generic", 3) == {"de", "es", "fr", "it", "hi"}
    assert languages("read_jparacrawl", 3) == languages("read_test_set", 3, "/ted.") == {"ja"}
    assert languages("read_test_set", 3, "/wmt.") == {"de", "es", "fr", "it", "hi", "ja"}
    assert languages("read_test_set", 3, "/dev.") == {"de", "es", "fr", "hi", "ja"}
    assert languages("train_tuned", 4, "/rules/") == {"de", "es", "fr", "ja"}
    assert languages("decode_generic_ted", 4) == languages("decode_tuned_ted", 4) == {"ja"}
    table = next(job for job in jobs if job["rule"] == "cocoa_mt_table6")
    for told in (
        "de.train=paracrawl-v9-de",
        "hi.train=ccmatrix-hi",
        "es.wmt=newstest2013-es",
        "ja.dev=newsdev2020-ja",
    ):
        assert told in table["shell"]
    assert "'it.dev=pairs held out of the training pairs'" in table["shell"]
