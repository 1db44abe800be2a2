"""Table 1's columns on all requests, counted in dumps."""

import pytest

from tests.tables import put, rows_of
from workflow_scripts.core.counts import write_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.signature import signature
from workflow_scripts.papers.tydip.crawl import crawl

OTHER = "no: the paper does not say which dump"


def test_languages_of_all_requests_in_per_cent(tmp_path):
    """Of 200 requests 102 are in the language itself, and 30 in English."""
    counts = tmp_path / "yy.tsv"
    write_counts(counts, {"language:yy": 102, "language:en": 30, "language:de": 68})
    printed = put(
        tmp_path / "p.csv",
        ("lang", "metric", "printed"),
        [("yy", "requests", 180), ("yy", "target", 51), ("xx", "other", 7)],
    )
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given = {"printed": printed, "languages": ["xx", "yy"], "scale": "paper"}
    crawl(*files, **given, counts=[counts], counted=["yy"])
    assert [list(row.values()) for row in rows_of(files[0])] == [
        ["xx", "", "", "", ""],
        ["yy", "200", "51", "15", "34"],
    ]
    cells = {(row["lang"], row["metric"]): list(row.values())[2:] for row in rows_of(files[1])}
    facts = signature(counts, n=200)
    assert facts.startswith("yy.tsv@") and facts.endswith("|n:200")
    assert cells["yy", "requests"] == ["180", "200", "20", OTHER, facts]
    assert cells["yy", "target"] == ["51", "51", "0", OTHER, facts]
    assert cells["yy", "english"] == ["", "15", "", f"no: not printed, {OTHER[4:]}", facts]
    assert cells["xx", "other"] == ["7", "", "", "no: no dump is configured", ""]
    assert len(cells) == 8


def test_without_dumps_the_table_is_empty(tmp_path):
    printed = put(tmp_path / "p.csv", ("lang", "metric", "printed"), [])
    files = tmp_path / "t.csv", tmp_path / "c.csv"
    given = {"printed": printed, "languages": ["xx"], "scale": "open"}
    crawl(*files, **given)
    assert [list(row.values()) for row in rows_of(files[0])] == [["xx", "", "", "", ""]]
    # A language whose requests are all in others has a share of its own, which is 0.
    write_counts(tmp_path / "xx.tsv", {"language:de": 1})
    crawl(*files, **given, counts=[tmp_path / "xx.tsv"], counted=["xx"])
    assert list(rows_of(files[0])[0].values()) == ["xx", "1", "0", "0", "100"]
    write_counts(tmp_path / "xx.tsv", {"language:xx": 0})
    with pytest.raises(InputError, match=r"xx\.tsv: no requests"):
        crawl(*files, **given, counts=[tmp_path / "xx.tsv"], counted=["xx"])
