"""Belief states: differences, and which domain a turn is about."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.dialogue.belief import active_domains, apply, difference

WORDS = st.sampled_from(["a", "b", "c", ""])
STATES = st.dictionaries(WORDS, st.dictionaries(WORDS, WORDS, min_size=1, max_size=3), max_size=3)


@given(STATES, STATES)
def test_a_difference_leads_from_one_state_to_the_other(before: dict, after: dict) -> None:
    assert apply(difference(before, after), before) == after
    assert (difference(before, after) == {}) is (before == after)


def test_a_difference_has_what_is_new_changed_and_gone() -> None:
    before = {"hotel": {"area": "north", "stars": "4"}, "taxi": {"leave": "09:00"}}
    after = {"hotel": {"area": "east", "stars": "4"}, "train": {"day": "monday"}}
    assert difference(before, after) == {
        "hotel": {"area": "east"},
        "taxi": {"leave": None},
        "train": {"day": "monday"},
    }


def test_which_domain_a_turn_is_about() -> None:
    states = [
        {},
        {"hotel": {"area": "north"}},
        {"hotel": {"area": "north"}},
        # Both change: the one of before stays.
        {"hotel": {"area": "east"}, "train": {"day": "monday", "leave": "09:00"}},
        # Neither of these was: the one with more slots.
        {"hotel": {"area": "east"}, "train": {"day": "friday"}},
        {"hotel": {"area": "east"}, "taxi": {"leave": "1"}, "restaurant": {"area": "a", "food": "b"}},
        # A domain that goes is no change.
        {"hotel": {"area": "east"}},
    ]
    found = active_domains(states)
    assert found == [[], ["hotel"], ["hotel"], ["hotel"], ["train"], ["restaurant"], ["restaurant"]]
