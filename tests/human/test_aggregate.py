"""Means of ratings, the ranking counted from the best, intervals and tests."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.human.aggregate import aggregate
from workflow_scripts.human.judgments import judgments
from workflow_scripts.human.scales import LETTERS
from workflow_scripts.human.sheets import KEY, RATINGS, Entry, Rating, read_key, read_ratings


def ranked(options: dict[str, str], *orders: str) -> dict[str, list[float]]:
    """What the rankings of one sentence give to each system; `options`: system -> letter."""
    key = [Entry("i", "ranking", 1, system, 0, letter) for system, letter in options.items()]
    found = judgments([Rating(f"r{n}", "i", "ranking", order) for n, order in enumerate(orders)], key)
    return {system: sentences[1] for system, sentences in found["ranking"].items()}


def test_a_ranking_counts_from_the_best():
    systems = dict(zip("vwxyz", "ABCDE", strict=True))
    assert ranked(systems, "CABED") == {"v": [4], "w": [3], "x": [5], "y": [1], "z": [2]}
    assert ranked(systems, "ABCDE", "EDCBA")["v"] == [5, 1]


def test_systems_that_wrote_the_same_share_their_places():
    # B takes the places 1 and 2 of four: 4 and 3.
    assert ranked({"w": "A", "x": "B", "y": "B", "z": "C"}, "BAC") == {
        "w": [2],
        "x": [3.5],
        "y": [3.5],
        "z": [1],
    }
    # All the same: nobody was asked, and everybody has the middle.
    assert ranked({"x": "A", "y": "A", "z": "A"}) == {"x": [2], "y": [2], "z": [2]}


def test_a_shared_text_counts_for_each_system():
    key = [Entry("i", "meaning", 7, system, 0) for system in ("x", "y")]
    found = judgments([Rating("a", "i", "meaning", "4"), Rating("b", "i", "meaning", "6")], key)
    assert found == {"meaning": {"x": {7: [4, 6]}, "y": {7: [4, 6]}}}
    with pytest.raises(InputError, match="ratings of item 'j', which the key does not know"):
        judgments([Rating("a", "j", "meaning", "4")], key, Path("fr/key.csv"))
    with pytest.raises(InputError, match="item 'i' is rated for ranking, and the key has it for meaning"):
        judgments([Rating("a", "i", "ranking", "BA")], key)


@pytest.mark.parametrize("order", ["AC", "A", "ABC"])
def test_a_ranking_of_other_letters_than_the_keys(order):
    with pytest.raises(InputError, match=f"item 'i' is ranked as {order}, and the key has AB"):
        ranked({"x": "A", "y": "B"}, order)


def test_a_key_with_an_item_of_two_tasks(tmp_path):
    put(tmp_path / "key.csv", KEY, [("i", "meaning", 1, "x", 0, ""), ("i", "ranking", 1, "x", 0, "A")])
    with pytest.raises(InputError, match=r"key.csv:3: item 'i' is of two tasks, 'meaning' and 'ranking'"):
        read_key(tmp_path / "key.csv")


@pytest.fixture
def files(tmp_path):
    """Six sentences, systems x and y one and two points more formal than the baseline, z equal to it."""
    key, given = [], []
    for sentence in range(1, 7):
        for system, more in (("base", 0), ("x", 1), ("y", 2), ("z", 0)):
            item = f"{system}{sentence}"
            key.append((item, "formality", sentence, system, 0, ""))
            for rater in ("a", "b"):
                # The last sentence has one rating only.
                if sentence < 6 or rater == "a":
                    given.append((rater, item, "formality", sentence % 2 + more - 1 + (rater == "b")))
    return {
        "ratings": put(tmp_path / "ratings.csv", RATINGS, given),
        "key": put(tmp_path / "key.csv", KEY, key),
        "language": "fr",
        "systems": ["base", "x", "y", "z"],
        "baseline": "base",
        "resamples": 1000,
        "confidence": 0.95,
        "seed": 1,
    }


def test_a_place_that_nobody_gave_is_no_rating_of_an_output(tmp_path, files):
    key = [("one", "ranking", 1, "x", 0, "A"), ("one", "ranking", 1, "y", 0, "B")]
    key += [("same", "ranking", 2, name, 0, "A") for name in ("x", "y")]
    given = {"key": put(tmp_path / "k.csv", KEY, key), "systems": ["x", "y"], "baseline": "x"}
    given["ratings"] = put(tmp_path / "r.csv", RATINGS, [("a", "one", "ranking", "BA")])
    found = scores(tmp_path, files, **given)
    assert (found["x"]["value"], found["x"]["n"]) == ("1.250000", "2")
    outputs = [[*row.values()] for row in rows_of(tmp_path / "outputs.csv")]
    assert outputs == [["ranking", "x", "1", "1.000000", "1"], ["ranking", "y", "1", "2.000000", "1"]]


def scores(tmp_path: Path, files: dict[str, Any], **options: Any) -> dict[str, dict[str, str]]:
    aggregate(tmp_path / "scores.csv", tmp_path / "outputs.csv", **files | options)
    return {row["system"]: row for row in rows_of(tmp_path / "scores.csv")}


def test_each_sentence_counts_once(tmp_path, files):
    found = scores(tmp_path, files)
    # Means of the baseline's sentences: 0.5 -0.5 0.5 -0.5 0.5 and, of one rater, -1.
    assert float(found["base"]["value"]) == pytest.approx(-0.5 / 6, abs=1e-6)
    assert float(found["y"]["value"]) == pytest.approx(2 - 0.5 / 6, abs=1e-6)
    assert (found["x"]["n"], found["x"]["raters"], found["x"]["metric"]) == ("6", "2", "formality")
    assert float(found["x"]["ci_low"]) < float(found["x"]["value"]) < float(found["x"]["ci_high"])
    assert found["x"]["signature"] == ("raters|task:formality|raters:2|ratings:11|n:6|bs:1000|ar:1000|seed:1")
    assert [(row["system"], row["language"]) for row in found.values()] == [
        (system, "fr") for system in ("base", "x", "y", "z")
    ]
    outputs = [[*row.values()] for row in rows_of(tmp_path / "outputs.csv")]
    # The line of the source, the mean of its ratings and their number.
    assert outputs[:2] == [
        ["formality", "base", "1", "0.500000", "2"],
        ["formality", "base", "2", "-0.500000", "2"],
    ]
    assert outputs[-1] == ["formality", "z", "6", "-1.000000", "1"] and len(outputs) == 24
    # The interval is of the six means: no sample of them is outside of their range.
    assert -1 <= float(found["base"]["ci_low"]) < float(found["base"]["ci_high"]) <= 0.5
    assert scores(tmp_path, files, systems=["y", "base", "none"]).keys() == {"y", "base"}
    assert scores(tmp_path, files) == found
    put(files["key"], KEY, [])
    with pytest.raises(InputError, match=r"key\.csv: ratings of item 'base1', which the key does not know"):
        scores(tmp_path, files)


def test_p_by_hand_and_holms_adjustment(tmp_path, files):
    found = scores(tmp_path, files)
    # All six differences have one sign: 2 of 2 ** 6 exchanges are as far from zero.
    assert float(found["x"]["p"]) == float(found["y"]["p"]) == 2 / 64
    assert float(found["z"]["p"]) == 1 and found["base"]["p"] == ""
    assert float(found["x"]["p_holm"]) == float(found["y"]["p_holm"]) == pytest.approx(6 / 64, abs=1e-6)
    assert scores(tmp_path, files, baseline="none")["x"]["p"] == ""


def test_a_test_needs_two_shared_sentences(tmp_path, files):
    """Of one sentence, p would be 1 whatever its ratings, and count in Holm's adjustment."""
    rows = [list(row.values()) for row in rows_of(tmp_path / "ratings.csv")]
    kept = [row for row in rows if row[1][0] != "x" or row[1] == "x1"]
    put(tmp_path / "ratings.csv", RATINGS, kept)
    found = scores(tmp_path, files)
    assert (found["x"]["n"], found["x"]["p"], found["x"]["p_holm"]) == ("1", "", "")
    assert float(found["y"]["p_holm"]) == pytest.approx(4 / 64, abs=1e-6)
    put(
        tmp_path / "ratings.csv", RATINGS, [row for row in rows if row[1][0] != "x" or row[1] in ("x1", "x2")]
    )
    assert float(scores(tmp_path, files)["x"]["p"]) == 2 / 4


def test_no_ratings_are_an_empty_table(tmp_path, files):
    put(tmp_path / "ratings.csv", RATINGS, [])
    assert scores(tmp_path, files) == {}


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("a", "1", "formality", ""), "no formality is ''"),
        (("a", "1", "formality", "1.5"), "no formality is '1.5'"),
        (("a", "1", "fluency", "6"), "no fluency is '6'"),
        (("a", "1", "ranking", "ABA"), "no ranking is 'ABA'"),
        (("a", "1", "ranking", "AB1"), "no ranking is 'AB1'"),
        (("a", "1", "ranking", ""), "no ranking is ''"),
        (("a", "1", "", "1"), "no task is '1'"),
        (("a", "1", "beauty", "1"), "no beauty is '1'"),
        (("r", "i", "formality", "2"), "a second rating of item 'i' by 'r'"),
    ],
)
def test_damaged_ratings_are_named(tmp_path, row, problem):
    path = tmp_path / "ratings.csv"
    most = LETTERS[::-1]
    put(
        path,
        RATINGS,
        [("r", "i", "formality", "-3"), ("r", "j", "ranking", most), ("s", "j", "ranking", "BAC")],
    )
    assert [rating.value for rating in read_ratings(path)] == ["-3", most, "BAC"]
    put(path, RATINGS, [("r", "i", "formality", "-3"), row])
    with pytest.raises(InputError, match=re.escape(f"{path}:3: {problem}")):
        read_ratings(path)
