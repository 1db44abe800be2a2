"""Subwords: any text comes back, no text becomes a tag, the learner repeats itself."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.text.subwords import Subwords
from workflow_scripts.text.symbols import SPECIAL

from .corpus import LINES

TAGS = ["<2formal>", "<2informal>"]
TEXT = [line for lines in LINES.values() for line in lines]
LEARNT = Subwords.train(TEXT, 400, TAGS, 1)

WORDS = st.text(st.characters(exclude_characters=" \n", exclude_categories=["Cs"]), min_size=1)
LINE = st.lists(WORDS).map(" ".join)


@given(LINE)
@example("\u2581")
@example("a\u2581b \u2581\u2581 c\u2581")
@example("<0x41> <0xZZ> <2formal> <s> <unk>")
@example("\u00a0 \x00 \x1c \u2028 \U0001f600 \ufffd")
def test_any_line_of_words_comes_back(line):
    assert LEARNT.decode(LEARNT.encode([line])) == [line]


@given(LINE)
@example("<2formal>")
@example("a <2informal> <s> </s> <pad> <unk>")
@example("<2formal><2formal>")
def test_no_text_becomes_a_control_symbol(line):
    (pieces,) = LEARNT.encode([line])
    assert not LEARNT.control.intersection(pieces)
    assert set(pieces) <= set(LEARNT.vocabulary)


@given(st.lists(LINE, max_size=5))
def test_a_batch_is_its_lines(lines):
    assert LEARNT.encode(lines) == [LEARNT.encode([line])[0] for line in lines]


@given(LINE, st.sampled_from(TAGS))
def test_special_symbols_vanish(line, tag):
    (pieces,) = LEARNT.encode([line])
    assert LEARNT.decode([["<s>", tag, *pieces, "</s>", "<pad>"]]) == [line]


def test_any_pieces_give_a_line():
    every = LEARNT.decode([LEARNT.vocabulary, [*LEARNT.vocabulary[::-1]], ["<0xC3>", "\u2581a"]])
    assert every[2] == "\ufffd a"
    assert "<2formal>" not in every[0] and "<0x" not in every[0]


def test_vocabulary_layout():
    assert LEARNT.vocabulary[:6] == [*SPECIAL, *TAGS]
    assert LEARNT.vocabulary[6:262] == [f"<0x{byte:02X}>" for byte in range(256)]
    assert len(LEARNT.vocabulary) == len(set(LEARNT.vocabulary)) == 400
    assert [LEARNT.processor.piece_to_id(piece) for piece in LEARNT.vocabulary] == list(range(400))


def test_learning_repeats_itself():
    assert Subwords.train(TEXT, 400, TAGS, 1).model == LEARNT.model
    assert Subwords.train(TEXT, 400, TAGS, 2).vocabulary == LEARNT.vocabulary  # nothing is sampled
    assert Subwords.train(TEXT[::-1], 400, TAGS, 1).vocabulary == LEARNT.vocabulary


def test_vocabulary_larger_than_the_text_supports():
    learnt = Subwords.train(TEXT, 32_000, TAGS, 1)
    assert 400 < len(learnt.vocabulary) < 2000
    assert learnt.decode(learnt.encode(TEXT)) == TEXT


@pytest.mark.parametrize(("text", "size"), [(TEXT, 100), ([], 400), (["", ""], 400)])
def test_too_little_is_bad_input(text, size):
    with pytest.raises(InputError, match=f"vocabulary of {size} symbols"):
        Subwords.train(text, size, TAGS, 1)


def test_no_sentence_gives_no_pieces(pipeline):
    assert LEARNT.encode([]) == [] and LEARNT.encode([""]) == [[]] and LEARNT.decode([[]]) == [""]
    assert pipeline.encode(["", " \t"], "pt") == [[], []] and pipeline.decode([[]], "pt") == [""]


def test_a_damaged_model_is_bad_input(tmp_path):
    path = tmp_path / "subwords.model"
    # A word's first piece, no longer UTF-8; a model that ends too early.
    for data in (LEARNT.model.replace("▁".encode(), b"\xe2\xff\x81", 1), LEARNT.model[:-3]):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"subwords\.model: not a sentencepiece model"):
            Subwords.load(path)
