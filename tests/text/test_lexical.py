"""LeD and edit distances: cases computed by hand, invariants, and plain Python."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from tests.rewrites import plain
from workflow_scripts.text.lexical import led, tokens

WORDS = ["a", "A", "b", "c.", "c", ",", "l'eau", "à-coup", "non", "É", "é"]
TEXTS = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


def test_led_by_hand():
    first = ["a b b c", "", "", "A b", "one two", "L'eau  est là."]
    second = ["a B d", "", "x", "a b", "three", "l'eau est là"]
    # 1: b and c of 4, d of 3. 6: the full stop of 5.
    expected = [(2 / 4 + 1 / 3) / 2, 0, 1, 0, 1, (1 / 5) / 2]
    assert led(first, second, "fr").tolist() == pytest.approx(expected)
    assert led([], [], "fr").shape == (0,)


def test_tokens_are_lower_cased_after_they_are_cut():
    assert tokens(["Dr. X said NO...", "self-made", "  "], "en") == [
        ["dr.", "x", "said", "no", "..."],
        ["self", "@-@", "made"],
        [],
    ]


def test_led_needs_pairs():
    with pytest.raises(ValueError, match="1 and 2 sentences do not form pairs"):
        led(["a"], ["a", "b"], "en")


@settings(max_examples=100)
@given(TEXTS, TEXTS, st.sampled_from(["fr", "it", "pt", "en"]))
def test_led_is_symmetric_between_0_and_1_and_equals_plain_python(first, second, language):
    (forth, back, same) = led([first, second, first], [second, first, first], language)
    assert forth == back and 0 <= forth <= 1 and same == 0
    assert forth == plain.led(first, second, language)


@settings(max_examples=200)
@given(st.text(max_size=20), st.text(max_size=20))
def test_levenshtein_equals_plain_python(first, second):
    assert Levenshtein.distance(first, second) == plain.distance(first, second)
