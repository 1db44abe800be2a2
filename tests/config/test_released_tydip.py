"""What TyDiP has released, and where it is used: at the paper's scale, and not where there is no network."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.config.conftest import Jobs

LEAVES = ["results/tydip/table1.csv", "results/tydip/lexicons.csv"]
LANGUAGES = ["hi", "ko", "es", "ta", "fr", "vi", "ru", "af", "hu"]


def test_at_paper_scale_crawled_requests_are_counted_and_give_the_bitext(
    planned: Callable[..., Jobs],
) -> None:
    jobs = planned(LEAVES, {"device": "cpu"}, "config/paper.yaml")
    by_rule: dict[str, list[dict]] = {}
    for job in jobs:
        by_rule.setdefault(job["rule"], []).append(job)
    assert "build/corpora/downloads/tydip-requests" in {
        path for job in by_rule["download_files"] for path in job["output"]
    }
    assert set(by_rule["tydip_table1"][0]["input"]) >= {
        f"build/corpora/tydip-requests/{x}.txt" for x in LANGUAGES
    }
    (align,) = by_rule["align_lexicons"]
    for lang in LANGUAGES:
        requests, english = (
            f"build/politeness/lexicons/requests/{lang}.txt",
            f"build/translation/lexicons/{lang}.txt",
        )
        assert {requests, english} <= set(align["input"])
        (translated,) = [job for job in by_rule["translate_lexicons"] if english in job["output"]]
        assert requests in translated["input"] and "--backend=aws" in translated["shell"]
    assert "--size 5000" in by_rule["draw_requests"][0]["shell"]
    assert "put into English by aws, in the paper by Google" in by_rule["tydip_lexicons"][0]["shell"]


@pytest.mark.parametrize("overlays", [(), ("config/open.yaml",)])
def test_other_scales_ask_for_no_crawled_request(
    planned: Callable[..., Jobs], overlays: tuple[str, ...]
) -> None:
    jobs = planned(LEAVES, {}, *overlays)
    assert not [
        path for job in jobs for path in job["input"] if "requests" in path and "tydip-requests" in path
    ]


def test_what_the_backend_cannot_translate_has_other_bitext(planned: Callable[..., Jobs]) -> None:
    given = {"device": "cpu", "translation": {"backend": "apertium"}}
    jobs = planned(LEAVES[1:], given, "config/paper.yaml")
    (align,) = [job for job in jobs if job["rule"] == "align_lexicons"]
    sides = {path for path in align["input"] if path.endswith("/es.txt") or path.endswith("/hi.txt")}
    assert sides == {
        *("build/translation/lexicons/es.txt", "build/politeness/lexicons/requests/es.txt"),
        "build/corpora/lexicons/bitext/hi.txt",
    }
    (made,) = [job for job in jobs if job["rule"] == "tydip_lexicons"]
    assert made["shell"].count("no requests in the bitext") == 7
    assert made["shell"].count("put into English by apertium") == 2
