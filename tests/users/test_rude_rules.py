"""Users' words made impolite by rules, and a corpus of them."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.users.test_pairs import put_dialogues
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.corpora.impolite import read_impolite
from workflow_scripts.corpora.multiwoz21 import read_multiwoz21
from workflow_scripts.multiwoz.data import read_dialogues
from workflow_scripts.users.drawn_words import drawn_words
from workflow_scripts.users.made_corpus import made_corpus
from workflow_scripts.users.rude_rules import AFTER, BEFORE, LEAVING, impolite, rude_rules

POLITE_WORDS = re.compile(r"\b(?:please|kindly|thanks|thank you|hello|good ?bye)\b", re.IGNORECASE)


def without_added(text: str) -> str:
    """A rewrite without the phrase that was added."""
    for phrase in (*BEFORE, *AFTER, *LEAVING):
        text = text.removeprefix(f"{phrase} ").removesuffix(phrase)
    return text.strip()


@pytest.mark.parametrize(
    ("polite", "left"),
    [
        ("Hello, I am looking for a cheap hotel.", "Find me a cheap hotel."),
        ("Could you please book a table for 2 at 18:30?", "Book a table for 2 at 18:30."),
        ("May I have the phone number, please?", "Give me the phone number."),
        ("I would like to know the address, if you don't mind.", "Tell me the address."),
        ("Thanks. I'd also like a taxi to the museum.", "I want a taxi to the museum."),
        ("That sounds great. What is the postcode?", "Whatever. What is the postcode?"),
        ("I need a train. Can you help me with that?", "I need a train."),
        ("It has to be in the north", "It has to be in the north."),
        ("please find it", "find it."),
        ("Thank you so much for your help. Goodbye!", ""),
        ("No, that is all. Thank you.", "No, that is all."),
        ("Do you have one in the east?", "Do you have one in the east?"),
    ],
)
def test_what_is_left_of_an_utterance(polite, left):
    found = impolite(polite, 1)
    assert without_added(found) == left and found != left
    assert any(phrase in found for phrase in (*BEFORE, *AFTER, *LEAVING))


def test_who_takes_leave_is_not_told_to_hurry():
    for seed in range(20):
        assert impolite("Thanks a lot, bye.", seed) in LEAVING
        assert impolite("No, that is all. Thank you.", seed).removeprefix("No, that is all. ") in LEAVING
        assert not impolite("Thank you. Could you book it?", seed).endswith(LEAVING)


def test_spaces_before_punctuation_stay():
    found = {impolite("I 'm looking for a train , please .", seed) for seed in range(200)}
    assert all(not re.search(r"\S[,.!?]|\w'(?!t)|\wn't", one) for one in found) and len(found) > 10
    assert any("wo n't repeat" in one for one in found)


WORDS = ("nandos", "9:15", "4", "centre", "Ely", "guesthouse", "TR1234", "cambridge", "sunday", "parking")
FRAMES = ("{}", "I would like {}, please.", "Could you find {}?", "Hi, {} thanks", "Thank you. {}! Bye .")


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6), st.sampled_from(FRAMES), st.integers(0, 99))
def test_what_is_asked_for_is_kept_in_order(wanted, frame, seed):
    text = frame.format(" ".join(wanted))
    found = impolite(text, seed)
    kept = [word for word in re.findall(r"[\w:]+", found.lower()) if word in {one.lower() for one in WORDS}]
    assert kept == [word.lower() for word in wanted]
    assert found != text and found == impolite(text, seed) and not POLITE_WORDS.search(found)


@given(st.text(max_size=60).map(lambda text: " ".join(text.split())).filter(bool))
def test_any_text_becomes_one_line_with_words(text):
    found = impolite(text, 1)
    assert found == found.strip() and len(found.splitlines()) == 1 and re.search(r"\w", found)


@pytest.mark.slow
def test_values_of_real_dialogues_are_kept(mirror, tmp_path):
    """What a user says of the state of a real turn is said by the impolite user too."""
    archive = mirror / "convlab2/data/multiwoz/test.json.zip"
    read_multiwoz21(archive, tmp_path / "test.jsonl")
    said = 0
    for one in read_dialogues(tmp_path / "test.jsonl"):
        for turn in one.turns:
            rude = impolite(" ".join(turn.user.split()) or "-", 1).lower()
            for value in (value for slots in turn.state.values() for value in slots.values()):
                if re.search(rf"\b{re.escape(value)}\b", turn.user.lower()):
                    said += 1
                    assert re.search(rf"\b{re.escape(value)}\b", rude), (turn.user, rude)
    assert said > 5000


def test_drawn_dialogues_become_a_corpus(tmp_path):
    train = put_dialogues(tmp_path / "train.jsonl", *(f"a{at}" for at in range(9)))
    test = put_dialogues(tmp_path / "test.jsonl", "t0", "t1")
    drawn, words = tmp_path / "drawn.jsonl", tmp_path / "words.txt"
    drawn_words(drawn, words, folds=[train, test], sizes=[3, 5], seed=1)
    names = [one.id for one in read_dialogues(drawn)]
    assert len(names) == 5 and names == sorted(names) and names[3:] == ["t0", "t1"]
    assert read_lines(words) == [f"{name} {at}" for name in names for at in range(2)]
    rude_rules(words, tmp_path / "rude.txt", seed=1)
    made_corpus(tmp_path / "corpus.jsonl", dialogues=drawn, words=tmp_path / "rude.txt")
    read_impolite(tmp_path / "corpus.jsonl", tmp_path / "out", dialogues=[train, test])
    rows = [row for _, row in read_rows(tmp_path / "out/rewrites.csv", ("impolite", "scenario", "fluency"))]
    assert [row["impolite"] for row in rows] == read_lines(tmp_path / "rude.txt")
    assert {row["scenario"] + row["fluency"] for row in rows} == {""}
    said = [
        turn["user"]
        for line in read_lines(tmp_path / "out/impolite.jsonl")
        for turn in json.loads(line)["turns"]
    ]
    assert said == read_lines(tmp_path / "rude.txt")


def test_words_of_other_dialogues_are_no_corpus(tmp_path):
    drawn = put_dialogues(tmp_path / "drawn.jsonl", "a")
    write_lines(tmp_path / "words.txt", ["one"])
    with pytest.raises(InputError, match="1 utterances for 2 turns"):
        made_corpus(tmp_path / "corpus.jsonl", dialogues=drawn, words=tmp_path / "words.txt")
    assert not (tmp_path / "corpus.jsonl").exists()
