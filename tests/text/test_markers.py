"""Marked phrases, well-formed and not."""

import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.control.conftest import FUZZ
from workflow_scripts.text.markers import is_malformed, phrases, scorer_phrases, untagged

# Lines of pieces of markers, so that every way to break one occurs.
PIECES = st.lists(
    st.sampled_from(
        ["[F]", "[/F]", "[/F", "[F", "F]", "[", "]", "/", "F", " ", "\u00a0", "\u2028", "Sie", "ß"]
    )
).map("".join)


@pytest.mark.parametrize(
    ("line", "expected", "malformed"),
    [
        ("Sind [F]Sie[/F] da, wo [F]Sie wollen[/F]?", ["Sie", "Sie wollen"], False),
        ("No marker, [brackets] and F.", [], False),
        ("", [], False),
        ("Ein [PDF] mit [F]Ihrem[/F] [Foto]", ["Ihrem"], False),
        # Spaces at the ends are no part of a phrase.
        ("Se [F] precisar [/F]", ["precisar"], False),
        # One marker left open, one that closes nothing, one inside another: each loses no phrase but its own.
        ("wie [F]Sie[/F] und [F]du", ["Sie"], True),
        ("wie Sie[/F] und [F]du[/F]", ["du"], True),
        ("gern [F]mit [F]Ihnen[/F]", ["Ihnen"], True),
        # Lost slash, lost brackets, no phrase.
        ("wie [F]Sie[F] wollen", [], True),
        ("non [F]non deve[/F[/F] mai", [], True),
        ("[F]Lei[/F] e [F]sua[/F", ["Lei"], True),
        ("F]Lei[/F]", [], True),
        ("[F][/F] [F] [/F] [F]Sie[/F]", ["Sie"], True),
    ],
)
def test_well_formed_phrases_are_found_and_malformed_lines_reported(line, expected, malformed):
    assert phrases(line) == expected
    assert is_malformed(line) is malformed


def test_the_scorers_phrases_reach_over_an_open_marker():
    assert scorer_phrases("gern [F]mit [F]Ihnen[/F] und [F]Sie[/F] [F]du") == ["mit [F]Ihnen", "Sie"]


@FUZZ
@given(PIECES | st.text())
@example("[F]" * 3 + "[/F]" * 2)
def test_the_scorers_phrases_are_those_of_its_pattern(line):
    line = line.replace("\n", "")
    assert scorer_phrases(line) == re.findall(r"\[F\](.*?)\[/F\]", line)


@FUZZ
@given(PIECES | st.text())
def test_phrases_are_parts_of_the_plain_line(line):
    plain = untagged(line)
    found = phrases(line)
    assert len(found) <= min(line.count("[F]"), line.count("[/F]"))
    for phrase in found:
        assert phrase in plain and phrase == phrase.strip() != ""
        assert not set("[]") & set(phrase)


@FUZZ
@given(st.lists(st.tuples(st.text(alphabet="ab [", max_size=5), st.text(alphabet="ab ", max_size=5))))
def test_a_line_made_of_phrases_is_read_back(parts):
    line = "".join(f"{text}[F]{phrase}[/F]" for text, phrase in parts)
    assert phrases(line) == [phrase.strip() for _, phrase in parts if phrase.strip()]
    assert is_malformed(line) == any(not phrase.strip() for _, phrase in parts)


def test_a_very_long_line_takes_no_quadratic_time():
    start = time.process_time()
    for line in ("[F]" * 200_000, "[F]" + "a " * 300_000, "[/F]" * 200_000, "[F]a[/F]" * 100_000):
        phrases(line), scorer_phrases(line), is_malformed(line), untagged(line)
    # Linear, it takes seconds; in square time 200,000 markers would not end within the limit.
    assert time.process_time() - start < 60
