"""Inform and Success: a hand-made case for every line of the definition."""

from pathlib import Path

import pytest

from tests.multiwoz.small import database, dialogue, turn
from workflow_scripts.dialogue.success import Judged, Mode, judge

CENTRE = {"restaurant": {"area": "centre"}}
CHEAP = {"restaurant": {"area": "centre", "pricerange": "expensive"}}
GOAL = {"restaurant": ({"area": "centre"}, ())}
TRAIN = {"train": ({"leaveAt": "10:00"}, ())}
HERE, THERE = ("restaurant",), ("train",)


def said(response: str, state: dict, active: tuple[str, ...] = HERE) -> Judged:
    return Judged(response, state, active)


def verdict(
    folder: Path, goal: dict, turns: list[Judged], mode: Mode = "standard", booked: tuple = ()
) -> str:
    own = [turn(booked=booked if number else ()) for number in range(len(turns))]
    found = judge(dialogue(goal, *own), turns, database(folder), mode)
    return f"{'I' if found.inform else '-'}{'S' if found.success else '-'}"


@pytest.mark.parametrize(
    ("goal", "turns", "expected"),
    [
        # Nothing offered; all offers in the goal; an offer outside it.
        (GOAL, [said("hello", CENTRE)], "--"),
        (GOAL, [said("take NAME", CENTRE)], "IS"),
        (GOAL, [said("take NAME", CHEAP)], "IS"),
        (GOAL, [said("take NAME", {})], "--"),
        # A name counts only while its domain is active.
        (GOAL, [said("take NAME", CENTRE, ())], "--"),
        (GOAL, [said("take NAME", CENTRE, THERE)], "--"),
        (GOAL, [said("USERNAME or name", CENTRE)], "--"),
        # An offer stays while the state still finds all of it, and is replaced otherwise.
        (GOAL, [said("NAME", CHEAP), said("NAME", {})], "IS"),
        (GOAL, [said("NAME", {}), said("NAME", CENTRE)], "IS"),
        (GOAL, [said("NAME", CENTRE), said("NAME", {"restaurant": {"area": "north"}})], "--"),
        (GOAL, [said("NAME", CENTRE), said("NAME", {"restaurant": {"area": "moon"}})], "--"),
        # A goal with a name matches by itself.
        ({"restaurant": ({"name": "kettle"}, ())}, [said("no", {})], "IS"),
        # Domains without a database do too.
        ({domain: ({}, ()) for domain in ("taxi", "police", "hospital")}, [said("no", {})], "IS"),
        # A train matches without an offer, unless its number is asked for.
        (TRAIN, [said("no", {}, THERE)], "IS"),
        ({"train": ({}, ("trainID",))}, [said("no", {}, THERE)], "--"),
        (TRAIN, [said("NAME", {}, THERE)], "IS"),
        (TRAIN, [said("TRAINID", {"train": {"leave": "10:00"}}, THERE)], "IS"),
        (TRAIN, [said("TRAINID", {}, THERE)], "--"),
        # All domains have to match.
        (GOAL | TRAIN, [said("NAME", CENTRE), said("TRAINID", {}, THERE)], "--"),
        (GOAL | TRAIN, [said("NAME", CENTRE), said("TRAINID", {"train": {"leave": "11:00"}}, THERE)], "IS"),
    ],
)
def test_inform(tmp_path, goal, turns, expected):
    assert verdict(tmp_path, goal, turns) == expected


@pytest.mark.parametrize(
    ("asked", "turns", "booked", "expected"),
    [
        (("phone",), [said("NAME", CENTRE)], (), "I-"),
        (("phone",), [said("NAME PHONE", CENTRE)], (), "IS"),
        (("phone", "postcode"), [said("NAME PHONE", CENTRE), said("POST", CENTRE)], (), "IS"),
        (("phone", "address"), [said("NAME PHONE", CENTRE), said("POST", CENTRE)], (), "I-"),
        # Only while the domain is active.
        (("phone",), [said("NAME", CENTRE), said("PHONE", CENTRE, THERE)], (), "I-"),
        # Success looks for five slots only.
        (("area", "food", "entrance fee"), [said("NAME", CENTRE)], (), "IS"),
        # Without Inform there is no Success.
        (("phone",), [said("NAME PHONE", {})], (), "--"),
        # A reference counts once the dialogue itself has booked in the domain.
        (("reference",), [said("NAME", CENTRE), said("REFERENCE", CENTRE)], HERE, "IS"),
        (("reference",), [said("NAME", CENTRE), said("REFERENCE", CENTRE)], THERE, "I-"),
        (("reference",), [said("NAME REFERENCE", CENTRE), said("", CENTRE)], HERE, "I-"),
    ],
)
def test_success(tmp_path, asked, turns, booked, expected):
    assert verdict(tmp_path, {"restaurant": ({"area": "centre"}, asked)}, turns, booked=booked) == expected


def test_the_older_evaluator_asks_for_one_offer_that_fits(tmp_path):
    turns = [said("NAME", {})]
    assert verdict(tmp_path, GOAL, turns) == "--"
    assert verdict(tmp_path, GOAL, turns, "older") == "IS"
    assert verdict(tmp_path, {"restaurant": ({"area": "moon"}, ())}, turns, "older") == "--"
