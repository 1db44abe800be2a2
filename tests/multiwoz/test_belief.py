"""Belief states: differences, and which domain a turn is about."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.multiwoz.belief import active_domains, apply, difference

WORDS = st.sampled_from(["a", "b", "c", ""])
STATES = st.dictionaries(WORDS, st.dictionaries(WORDS, WORDS, min_size=1, max_size=3), max_size=3)


@given(STATES, STATES)
def test_a_difference_leads_from_one_state_to_the_other(before, after):
    assert apply(difference(before, after), before) == after
    assert (difference(before, after) == {}) is (before == after)


def test_a_difference_has_what_is_new_changed_and_gone():
    before = {"hotel": {"area": "north", "stars": "4"}, "taxi": {"leave": "09:00"}}
    after = {"hotel": {"area": "east", "stars": "4"}, "train": {"day": "monday"}}
    assert difference(before, after) == {
        "hotel": {"area": "east"},
        "taxi": {"leave": None},
        "train": {"day": "monday"},
    }


HOTEL, TRAIN, TAXI = {"area": "north"}, {"day": "monday", "leave": "09:00"}, {"leave": "1"}


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        # Several changed, then none: the other one; without a change after that it stays.
        pytest.param(
            [{"hotel": HOTEL, "train": TRAIN}] * 4, ["train", "hotel", "hotel", "hotel"], id="several, none"
        ),
        # The current one was among the several.
        pytest.param(
            [{"hotel": HOTEL}, *[{"hotel": {"area": "east"}, "train": TRAIN}] * 3],
            ["hotel", "hotel", "train", "train"],
            id="several with the current one, none",
        ),
        # Of three the first that is not the current one.
        pytest.param(
            [{"taxi": TAXI, "hotel": HOTEL, "train": TRAIN}] * 3, ["train", "taxi", "taxi"], id="three, none"
        ),
        # The other one is no longer there.
        pytest.param(
            [{"hotel": HOTEL, "train": TRAIN}, {"train": TRAIN}], ["train", "train"], id="the other one went"
        ),
        # One changed, then none.
        pytest.param(
            [{"hotel": HOTEL}, {"hotel": HOTEL, "train": TRAIN}, {"hotel": HOTEL, "train": TRAIN}],
            ["hotel", "train", "train"],
            id="one, none",
        ),
        # Several, none, several, none.
        pytest.param(
            [
                {"hotel": HOTEL, "train": TRAIN},
                {"hotel": HOTEL, "train": TRAIN},
                {"hotel": {"area": "east"}, "train": {"day": "friday"}},
                {"hotel": {"area": "east"}, "train": {"day": "friday"}},
            ],
            ["train", "hotel", "hotel", "train"],
            id="several and none, twice",
        ),
        # A slot that only went is no change: hotel stays, though train's state is another one.
        pytest.param(
            [
                {"train": TRAIN},
                {"train": TRAIN, "hotel": HOTEL},
                {"train": {"day": "monday"}, "hotel": HOTEL},
            ],
            ["train", "hotel", "hotel"],
            id="a slot went",
        ),
        # It went while another one changed: only that one counts.
        pytest.param(
            [{"train": TRAIN}, {"train": {"day": "monday"}, "hotel": HOTEL}, {"train": {}, "hotel": HOTEL}],
            ["train", "hotel", "hotel"],
            id="a slot went beside a change",
        ),
    ],
)
def test_which_domain_is_next_without_a_change(states, expected):
    assert active_domains(states) == [[domain] for domain in expected]


def test_which_domain_a_turn_is_about():
    states = [
        {},
        {"hotel": {"area": "north"}},
        {"hotel": {"area": "north"}},
        # Both change: the one of before stays.
        {"hotel": {"area": "east"}, "train": {"day": "monday", "leave": "09:00"}},
        # Neither of these was: the one with more slots.
        {"hotel": {"area": "east"}, "train": {"day": "friday"}},
        {"hotel": {"area": "east"}, "taxi": {"leave": "1"}, "restaurant": {"area": "a", "food": "b"}},
        # A domain that goes is no change; of those that changed before, restaurant and taxi are gone too.
        {"hotel": {"area": "east"}},
    ]
    found = active_domains(states)
    assert found == [[], ["hotel"], ["hotel"], ["hotel"], ["train"], ["restaurant"], ["restaurant"]]
