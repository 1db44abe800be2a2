"""Sheets of requests in HITs: their content, simulated ratings, and checks of ratings."""

import math
import statistics

import pytest

from tests.politeness.conftest import REQUESTS
from tests.tables import put, rows_of
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.politeness.corpus import read_requests, requests_file
from workflow_scripts.politeness.hits import hits, read_hits
from workflow_scripts.politeness.ratings import RATINGS, ratings, read_judgments
from workflow_scripts.politeness.simulate import simulate
from workflow_scripts.statistics.correlation import spearman


def test_simulated_ratings_are_cut_to_the_scale(rated, corpus):
    options = {"sheets": [rated / "sheets/xx.csv"], "corpus": corpus, "raters": 3, "seed": 1}
    exact = {"bias": 0.0, "noise": 0.0}
    simulate(rated / "exact", judgments=3, stretch=2.5, **exact, **options)
    places = {
        "xx": REQUESTS,
        "en": [(one.text, one.score) for one in read_requests(requests_file(corpus, "en"))],
    }
    for row in rows_of(rated / "exact/xx.csv"):
        code, line, _ = row["item"].split("-")
        point = 2.5 * places[code][int(line) - 1][1]
        assert float(row["value"]) == max(-3, min(3, round(2 * point) / 2))
    with pytest.raises(InputError, match="4 raters of a HIT, but 3 in all"):
        simulate(rated / "no", judgments=4, stretch=1.0, **exact, **options)
    sheet = (rated / "sheets/xx.csv").read_text().replace("xx-6-", "xx-7-")
    (rated / "sheets/xx.csv").write_text(sheet)
    with pytest.raises(InputError, match=r"xx\.csv: the corpus has no request of item 'xx-7-\d'"):
        simulate(rated / "no", judgments=1, stretch=1.0, **exact, **options)


@pytest.mark.parametrize(
    ("item", "hit", "task"),
    [
        ("xx-1", "1", "politeness"),
        ("xx-1-1-1", "1", "politeness"),
        ("-1-1", "1", "politeness"),
        ("xx-1-2", "1", "politeness"),
        ("xx-0-1", "1", "politeness"),
        ("xx-1-0", "0", "politeness"),
        ("xx-1-1", "1", "formality"),
    ],
)
def test_what_is_no_item_of_a_hit_is_named(item, hit, task, tmp_path):
    rows = [("xx-1-9", "9", 1, "politeness", "a"), (item, hit, 1, task, "a")]
    put(tmp_path / "xx.csv", ("item", "hit", "page", "task", "text"), rows)
    with pytest.raises(InputError, match=r"xx\.csv:3: "):
        read_hits(tmp_path / "xx.csv")


def test_a_sheet_has_every_request_once_and_english_ones_in_every_hit(rated, corpus):
    sheet = rows_of(rated / "sheets/xx.csv")
    items = read_hits(rated / "sheets/xx.csv")
    own = [one.place for one in items.values() if one.language == "xx"]
    assert sorted(own) == [1, 2, 3, 4, 5, 6]
    assert [sum(row["hit"] == hit for row in sheet) for hit in "12"] == [7, 5]
    texts = {code: [one.text for one in read_requests(requests_file(corpus, code))] for code in ("en", "xx")}
    for row in sheet:
        assert row["text"] == texts[items[row["item"]].language][items[row["item"]].place - 1]
    # Four English requests serve six places: the first two stand in both HITs.
    english = [(one.hit, one.place) for one in items.values() if one.language == "en"]
    assert [sum(hit == number for hit, _ in english) for number in (1, 2)] == [3, 3]
    assert len(set(english)) == 6 and {place for _, place in english} == {1, 2, 3, 4}
    assert [max(int(row["page"]) for row in sheet if row["hit"] == hit) for hit in "12"] == [4, 3]


def test_requests_of_dumps_stand_once_beside_rated_english_ones(corpus, tmp_path):
    lines = ["Oui. Et toi ?", "Non. Vraiment ?", "Oui. Et toi ?", *(f"Page {n}. Vois-tu ?" for n in range(9))]
    write_lines(tmp_path / "fr.txt", lines)
    sizes = {"english": 2, "target": 4, "page": 3, "seed": 1}
    given = {"corpus": corpus, "languages": ["fr"], "requests": [tmp_path / "fr.txt"]}
    hits(tmp_path / "all", **given, **sizes)
    hits(tmp_path / "some", **given, **sizes, sample=5)
    english = [one.text for one in read_requests(requests_file(corpus, "en"))]
    for name, count in (("all", 11), ("some", 5)):
        items = read_hits(tmp_path / name / "fr.csv")
        own = [one.place for one in items.values() if one.language == "fr"]
        assert len(own) == count and len(set(own)) == count and 3 not in own
        for row in rows_of(tmp_path / name / "fr.csv"):
            one = items[row["item"]]
            assert row["text"] == {"fr": lines, "en": english}[one.language][one.place - 1]
        # What raters send of it is read as that of other sheets.
        sent = [("ana", item, "politeness", "-2.5", one.hit) for item, one in items.items()]
        put(tmp_path / f"sent-{name}/fr-ana.csv", RATINGS, sent)
        ratings(tmp_path / "checked", sheets=[tmp_path / name / "fr.csv"], folder=tmp_path / f"sent-{name}")
        found = read_judgments(tmp_path / "checked/fr.csv")
        assert len(found) == len(items) and {one.value for one in found} == {-2.5}
    write_lines(tmp_path / "fr.txt", [])
    with pytest.raises(InputError, match="no request in it"):
        hits(tmp_path / "none", **given, **sizes)
    with pytest.raises(InputError, match="1 files of requests for 2 languages"):
        hits(tmp_path / "none", **given | {"languages": ["fr", "xx"]}, **sizes)


def test_simulated_ratings_follow_the_scores(rated):
    sent = rows_of(rated / "sent/xx.csv")
    assert len(sent) == 3 * 12 and all(row["rater"].startswith("simulated-") for row in sent)
    found = read_judgments(rated / "checked/xx.csv")
    assert len(found) == len(sent) and {one.rater for one in found} <= {1, 2, 3, 4}
    assert all(abs(one.value) <= 3 and one.value * 2 == int(one.value * 2) for one in found)
    means = [
        statistics.fmean(one.value for one in found if one.language == "xx" and one.place == n)
        for n in range(1, 7)
    ]
    assert spearman(means, [score for _, score in REQUESTS]) > 0.7


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rater": " "}, "no rater"),
        ({"item": "xx-99-1"}, "no such item"),
        ({"hit": "7"}, "no such item"),
        ({"task": "formality"}, "task 'formality'"),
        ({"value": "3.5"}, "value '3.5'"),
        ({"value": "0.25"}, "value '0.25'"),
        ({"value": "nan"}, "value 'nan'"),
        ({}, "a second rating"),
    ],
)
def test_what_is_wrong_with_a_rating_is_named(rated, change, problem):
    rows = rows_of(rated / "sent/xx.csv")
    wrong = {**rows[0], **change}
    put(rated / "sent/xx-two.csv", RATINGS, [list(wrong.values())])
    with pytest.raises(InputError, match=rf"\.csv:2: {problem}"):
        ratings(rated / "again", sheets=[rated / "sheets/xx.csv"], folder=rated / "sent")
    assert not (rated / "again").exists()


def test_what_is_wrong_with_many_ratings_is_told_up_to_a_limit(rated):
    path, given_ones = (
        rated / "sent/xx-two.csv",
        {"sheets": [rated / "sheets/xx.csv"], "folder": rated / "sent"},
    )
    for count, lines, last in ((20, 20, f"{path}:21: no such item"), (25, 21, "and 5 more")):
        put(path, RATINGS, [("ana", f"xx-{place}-9", "politeness", "1", "9") for place in range(count)])
        with pytest.raises(InputError) as caught:
            ratings(rated / "again", **given_ones)
        told = str(caught.value).split("\nerror: ")
        assert len(told) == lines and told[-1].startswith(last) and told[0].startswith(f"{path}:2: ")
    path.unlink()
    put(rated / "sent/xx.csv", RATINGS, [])
    with pytest.raises(
        InputError, match=r"sent/xx\.csv: no rating in it; put in the file that the rater saved"
    ):
        ratings(rated / "again", **given_ones)
    with pytest.raises(
        InputError, match=r"none: no such folder; politeness\.raters\.ratings, or dump_ratings"
    ):
        ratings(rated / "again", **given_ones | {"folder": rated / "none"})


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (("xx", 1, 1, 1, "3.5"), "a value beyond the scale"),
        (("xx", 1, 1, 1, "-3.5"), "a value beyond the scale"),
        (("xx", 0, 1, 1, "1"), "a whole number of 1 or more"),
        (("xx", 1, 0, 1, "1"), "a whole number of 1 or more"),
        (("xx", 1, 1, 0, "1"), "a whole number of 1 or more"),
        (("xx", 9, 9, 9, "1"), "a second rating of an item by a rater"),
    ],
)
def test_damaged_checked_ratings_are_named(row, problem, tmp_path):
    header = ("lang", "hit", "line", "rater", "value")
    kept = [("xx", 9, 9, 9, "3"), ("yy", 9, 9, 9, "-3"), ("xx", 8, 9, 9, ""), ("xx", 9, 8, 9, "0")]
    put(tmp_path / "c.csv", header, kept)
    assert len(read_judgments(tmp_path / "c.csv")) == 4
    put(tmp_path / "c.csv", header, [*kept, row])
    with pytest.raises(InputError, match=rf"c\.csv:6: .*{problem}"):
        read_judgments(tmp_path / "c.csv")


def test_invalid_requests_and_files_of_others_are_no_mistake(rated):
    rows = [list(row.values()) for row in rows_of(rated / "sent/xx.csv")]
    rows[0][3] = "invalid"
    put(rated / "sent/xx.csv", RATINGS, rows)
    put(rated / "sent/yy.csv", ("other",), [])
    ratings(rated / "again", sheets=[rated / "sheets/xx.csv"], folder=rated / "sent")
    assert sum(math.isnan(one.value) for one in read_judgments(rated / "again/xx.csv")) == 1
    with pytest.raises(InputError, match="no file of ratings"):
        ratings(rated / "no", sheets=[rated / "zz.csv"], folder=rated / "sent")
    # Of a second rater, whom nobody would miss.
    (rated / "sent/xx-b.CSV").touch()
    with pytest.raises(InputError, match=r"sent/xx-b\.CSV: no file of ratings; call it"):
        ratings(rated / "again", sheets=[rated / "sheets/xx.csv"], folder=rated / "sent")
