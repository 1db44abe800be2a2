"""AuGPT: texts in plain words, their corrupted twins, and the loss."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.multiwoz.small import database
from tests.responders.test_templates import STATES, talk
from workflow_scripts.language_models.texts import Example
from workflow_scripts.language_models.training import IGNORED
from workflow_scripts.multiwoz.normalise import responses
from workflow_scripts.responders.consistency import ALPHA, SMOOTHING, corrupted, values_of
from workflow_scripts.responders.natural import belief_in, counts_text, natural_belief, natural_response
from workflow_scripts.responders.sessions import gold_sessions
from workflow_scripts.responders.templates import Augpt


@given(STATES, st.text())
def test_a_state_comes_back_from_plain_words(state, text):
    assert belief_in(natural_belief(state)) == state
    assert belief_in(f"=>Belief state : {natural_belief(state)}") == state
    assert all(slots for slots in belief_in(text).values())


def test_plain_words():
    state = {"hotel": {"pricerange": "cheap", "area": "north"}, "train": {"leaveat": "08:00"}}
    assert natural_belief(state) == "hotel {area = north, price range = cheap} train {leave at = 08:00}"
    assert natural_belief(state, "train").startswith("train {leave at = 08:00} hotel")
    assert natural_belief({"hotel": {"name": "a, b"}}) == "hotel {name = a b}"
    assert belief_in("hotel {area = , colour = red, stars = 4} shop {area = x} bus{day = a = b") == {
        "hotel": {"stars": "4"}
    }
    assert counts_text({"hotel": 0, "taxi": 1, "train": 10}, "train") == (
        "train 10 matches , hotel no match , taxi 1 match"
    )
    natural = natural_response("[value_leaveat] for [value_trainid], [other]")
    assert natural == "[leave at] for [id], [other]"
    # The evaluator takes both as the same.
    assert responses([natural]) == responses(["[value_leaveat] for [value_trainid], [other]"])


def test_the_format(tmp_path):
    """As the paper shows it, with the marks of the released code."""
    first, last = Augpt().examples(gold_sessions(talk(), database(tmp_path)))
    assert first.source == "User : a place in the north, please"
    assert first.target == (
        "=>Belief state : restaurant {area = north}<|eob|>DB : restaurant 1 match<|eokb|>"
        "try [name].<|endoftext|>"
    )
    assert last.source == f"{first.source} System : try kettle. User : book it for friday"
    assert last.target.startswith("=>Belief state : restaurant {area = north, book day = friday}<|eob|>DB :")


def texts() -> list[Example]:
    """Two with values of one slot, and one that has none."""
    beliefs = ["hotel {area = north, stars = 4} train {day = monday}", "hotel {area = south}", ""]
    return [
        Example(
            "response",
            f"User : {n}",
            f"=>Belief state : {belief}<|eob|>DB : hotel {n} matches<|eokb|>r{n}<|endoftext|>",
        )
        for n, belief in enumerate(beliefs, 2)
    ]


def test_a_corrupted_text_keeps_what_it_should():
    all_of_them = texts()
    values = values_of(belief_in(one.target) for one in all_of_them)
    assert values["hotel", "area"] == ["north", "south"] and values["train", "day"] == ["monday"]
    one, seen = all_of_them[0], set()
    for seed in range(200):
        twin = corrupted(one, all_of_them, values, random.Random(seed))
        assert twin == corrupted(one, all_of_them, values, random.Random(seed))
        assert (twin.task, twin.source) == (one.task, one.source)
        belief, rest = twin.target.split("<|eob|>")
        counts, response = rest.split("<|eokb|>")
        assert counts == "DB : hotel 2 matches" and belief.startswith("=>Belief state : ")
        assert response in {f"r{n}<|endoftext|>" for n in (2, 3, 4)}
        # The other text's belief is that of the text with two other values: north is no south.
        changed = "=>Belief state : hotel {area = south, stars = 4} train {day = monday}"
        assert belief in {changed, *(other.target.split("<|eob|>")[0] for other in all_of_them)}
        seen.add((belief == one.target.split("<|eob|>")[0], response == "r2<|endoftext|>"))
    assert seen == {(True, True), (True, False), (False, True), (False, False)}
    # Four of the seven equally likely sets of changes have other values: 400 of 700 draws, deviation 13.
    twins = [corrupted(one, all_of_them, values, random.Random(seed)) for seed in range(700)]
    assert 375 <= sum(twin.target.startswith(f"{changed}<") for twin in twins) <= 425


def test_the_loss_of_responses_is_the_plain_formula():
    import torch

    from workflow_scripts.responders.consistency import _places, smoothed, unlikelihood

    chance = torch.Generator().manual_seed(1)
    logits = torch.randn(2, 5, 4, generator=chance)
    gold = [[1, 2, 1, 1, 3], [0, 0, 3]]
    matrix = torch.tensor([gold[0], [*gold[1], IGNORED, IGNORED]])
    expected = 0.0
    for row, tokens in zip(logits.tolist(), gold, strict=True):
        for place, token in enumerate(tokens):
            total = sum(map(math.exp, row[place]))
            chances = [math.exp(one) / total for one in row[place]]
            others = set(tokens[:place]) - {token}
            expected -= math.log(chances[token]) + ALPHA * sum(math.log(1 - chances[one]) for one in others)
    assert unlikelihood(logits, matrix).item() == pytest.approx(expected / 8, rel=1e-5)

    told = torch.tensor([2.0, -1.0])
    right = [1 / (1 + math.exp(-2)), 1 / (1 + math.exp(1))]
    terms = [
        -(label * math.log(p) + (1 - label) * math.log(1 - p))
        for label, p in zip((1 - SMOOTHING, SMOOTHING), right, strict=True)
    ]
    assert smoothed(told, torch.tensor([True, False])).item() == pytest.approx(sum(terms) / 2, rel=1e-6)

    columns, there = _places(torch.tensor([[False, True, True, False], [False, False, False, True]]))
    assert columns.tolist() == [[1, 2], [3, 3]] and there.tolist() == [[True, True], [True, False]]
