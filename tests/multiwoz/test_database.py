"""Databases: the results of queries, by hand and in the real ones; broken files."""

import pytest

from tests.multiwoz.small import database
from workflow_scripts.core.errors import InputError
from workflow_scripts.multiwoz.database import load_database, matches


@pytest.mark.parametrize(
    ("domain", "state", "keys"),
    [
        ("restaurant", {}, "1 2 3"),
        ("restaurant", {"area": "centre"}, "1 2"),
        # What does not matter, what is no column, and what the database does not know.
        ("restaurant", {"area": "dontcare", "bookday": "monday"}, "1 2 3"),
        ("restaurant", {"pricerange": "expensive"}, "2"),
        # Nearly the same name; a part of a kind of food.
        ("restaurant", {"name": "ald ovn"}, ""),
        ("restaurant", {"name": "old oven restaurant"}, "1"),
        ("restaurant", {"name": "plum and pepper"}, "2"),
        ("restaurant", {"food": "nepalese"}, "3"),
        ("restaurant", {"area": "cent"}, ""),
        ("train", {"departure": "ashbrook", "destination": "kings vale"}, ""),
        ("train", {"destination": "king's vale"}, "tr0 tr1 tr2"),
        ("train", {"destination": "vale"}, "tr0 tr1 tr2"),
        ("train", {"departure": "otter"}, "tr0 tr1 tr2"),
        ("train", {"day": "mon"}, ""),
        # At the time or before it, at it or after it; what is no time is midnight.
        ("train", {"arrive": "11:00"}, "tr0 tr1"),
        ("train", {"leave": "10:00"}, "tr1 tr2"),
        ("train", {"leave": "soon"}, "tr0 tr1 tr2"),
        ("train", {"arrive": "soon"}, ""),
        ("hotel", {"area": "centre"}, ""),
    ],
)
def test_rows_that_a_state_asks_for(tmp_path, domain, state, keys):
    found = database(tmp_path)
    # Asked twice: the second time from what is remembered.
    for _ in range(2):
        assert sorted(found.keys(domain, state)) == keys.split()


def test_near_is_90_of_100():
    assert matches("restaurant", "name", "abcdefghij", "abcdefghij")
    assert matches("restaurant", "name", "abcdefghij", "abcdefghix")
    # 2 x 9 of 20 letters: 90 itself.
    assert matches("restaurant", "name", "abcdefghij", "abcdexghij")
    assert not matches("restaurant", "name", "abcdefghij", "abcdefgxyz")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("bar_db.json", "[]", "not the name of a database"),
        ("hotel_db.json", "{}", "not a list of objects"),
        ("hotel_db.json", "[1]", "not a list of objects"),
        ("hotel_db.json", '[{"name": "x"}]', "row 1 has no 'id'"),
        ("train_db.json", '[{"id": 1}]', "row 1 has no 'trainid'"),
        ("hotel_db.json", '[{"id": 1, "id": 2}]', "'id' stands twice"),
        ("hotel_db.json", "[", "not JSON"),
    ],
)
def test_a_broken_database_is_named(tmp_path, name, text, problem):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=problem) as caught:
        load_database(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


def test_counts_in_the_real_databases(mirror):
    files = [mirror / f"multiwoz/db/{domain}_db.json" for domain in ("hotel", "restaurant", "train")]
    found = load_database(*files, mirror / "convlab2/data/multiwoz/db/attraction_db.json")
    journey = {"departure": "cambridge", "destination": "ely", "day": "monday"}
    for domain, state, count in (
        ("restaurant", {"area": "centre", "pricerange": "expensive"}, 33),
        ("hotel", {"type": "guesthouse", "parking": "yes", "pricerange": "cheap"}, 9),
        ("train", {**journey, "leave": "08:00"}, 8),
        ("train", {**journey, "arrive": "08:00"}, 1),
        ("attraction", {"type": "college", "area": "centre"}, 13),
        ("restaurant", {"food": "asian"}, 5),
        *(("attraction", {}, 79), ("hotel", {}, 33), ("restaurant", {}, 110), ("train", {}, 2828)),
    ):
        assert len(found.rows(domain, state)) == count
