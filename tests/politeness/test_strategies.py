"""The command: which requests each rule counts, and their mean score."""

from tests.tables import rows_of
from workflow_scripts.leaves.signature import signature
from workflow_scripts.politeness.corpus import lexicon_file, requests_file
from workflow_scripts.politeness.matching import RULES
from workflow_scripts.politeness.quartiles import quartiles
from workflow_scripts.politeness.strategies import strategies


def test_what_lies_at_a_quartile_is_outside():
    scores = [0, 1, 2, 3, 4]
    assert [quartiles(scores).side(score) for score in scores] == [-1, -1, 0, 1, 1]


def test_the_rule_outer_counts_the_requests_outside_the_quartiles(corpus, tmp_path):
    strategies(tmp_path / "table.csv", corpus=corpus, languages=["xx", "en"])
    rows = {
        (row["rule"], row["strategy"]): row for row in rows_of(tmp_path / "table.csv") if row["lang"] == "xx"
    }
    # The quartiles are -0.875 and 0.875: the requests with 0.5 and -0.5 lie between them.
    wanted = {
        "Please": ("3", "0.333333", "1", "2"),  # 1.5, 1.0, -1.5
        "Deference": ("1", "1.000000", "0", "1"),  # 1.0, and not 0.5
        "HASNEGATIVE": ("0", "", "0", "0"),  # not -0.5
    }
    for strategy, expected in wanted.items():
        row = rows["outer", strategy]
        assert tuple(row[name] for name in ("requests", "mean", "first", "fourth")) == expected
    assert rows["words", "Deference"]["mean"] == "0.750000"
    # Of its two requests the one between the quartiles is on neither side.
    assert (rows["words", "Deference"]["first"], rows["words", "Deference"]["fourth"]) == ("0", "1")
    assert rows["words", "HASNEGATIVE"]["requests"] == "1"
    deference = rows["words", "Deference"]
    assert [deference[name] for name in ("words", "flagged", "mapped", "requests")] == ["2", "1", "1", "2"]
    files = (requests_file(corpus, "xx"), lexicon_file(corpus, "xx"))
    assert deference["signature"] == f"{'+'.join(map(signature, files))}|n:6|rule:words"
    assert list(dict.fromkeys(rule for rule, _ in rows)) == [rule.name for rule in RULES]
    # English words stand for themselves; both parts count.
    (english,) = [
        row
        for row in rows_of(tmp_path / "table.csv")
        if (row["rule"], row["lang"], row["strategy"]) == ("words", "en", "Please")
    ]
    assert [english[name] for name in ("words", "flagged", "mapped", "requests", "mean")] == [
        *("1", "1", "1", "2", "1.000000")
    ]
    files = [requests_file(corpus, "en", part) for part in ("train", "test")]
    assert english["signature"] == f"{'+'.join(map(signature, files))}|n:8|rule:words"
