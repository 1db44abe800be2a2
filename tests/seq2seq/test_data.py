from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.seq2seq.reference import random_pairs
from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.data import Pairs, Sentences, Vocabulary, alike, in_batches
from workflow_scripts.text.symbols import BEGIN, END, PADDING

WORDS = ["<pad>", "<unk>", "<s>", "</s>", "<2formal>", "a", "b", "c"]


@pytest.fixture
def vocabulary(tmp_path):
    (tmp_path / "vocabulary.txt").write_text("".join(f"{word}\n" for word in WORDS))
    return Vocabulary.read(tmp_path / "vocabulary.txt")


def write(path, text):
    path.write_text(text)
    return path


def test_pairs_become_ids(vocabulary, tmp_path):
    source = write(tmp_path / "s", "<2formal> a b\n<2formal> c\n")
    target = write(tmp_path / "t", "b\na a c\n")
    pairs = Pairs.read(vocabulary, source, target)
    batch = pairs.batch(np.array([0, 1]), torch.device("cpu"))
    assert batch.source.t().tolist() == [[4, 5, 6], [4, 7, PADDING]]
    assert batch.lengths.tolist() == [3, 2]
    assert batch.target.t().tolist() == [[BEGIN, 6, PADDING, PADDING], [BEGIN, 5, 5, 7]]
    assert batch.wanted.tolist() == [6, 5, END, 5, 7, END]
    assert batch.real.tolist() == [0, 1, 2, 3, 5, 7]
    mean, deviation = pairs.ratio()
    assert (mean, deviation) == (pytest.approx((1 / 3 + 3 / 2) / 2), pytest.approx((3 / 2 - 1 / 3) / 2))


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        ("<2formal> a\n<2formal> x\n", "a\nb\n", "s:2: the piece 'x'"),
        ("<2formal> a\n<2formal> b\n", "a\n\n", "t:2: empty line"),
        ("<2formal> a\n", "a\nb\n", "not parallel"),
        ("", "", "no sentences"),
    ],
)
def test_bad_piece_files_are_input_errors(vocabulary, tmp_path, source, target, message):
    with pytest.raises(InputError, match=message):
        Pairs.read(vocabulary, write(tmp_path / "s", source), write(tmp_path / "t", target))


def test_a_vocabulary_without_special_symbols_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="does not begin with"):
        Vocabulary.read(write(tmp_path / "vocabulary.txt", "a\nb\n"))


@given(count=st.integers(1, 60), size=st.integers(1, 20), epoch=st.integers(0, 5))
def test_every_epoch_has_every_pair_once(count, size, epoch):
    pairs = random_pairs(count, count, 20)
    for seed in (None, [1, epoch]):
        batches = pairs.batches(size, seed)
        assert sorted(np.concatenate(batches).tolist()) == list(range(count))
        assert sorted(map(len, batches))[1:] == [size] * (len(batches) - 1)


def test_batches_are_shuffled_by_the_seed_and_hardly_padded():
    pairs = random_pairs(1, 3000, 20, longest=20)
    first, again, other = (pairs.batches(32, [1, epoch]) for epoch in (0, 0, 1))
    assert all(np.array_equal(a, b) for a, b in zip(first, again, strict=True))
    assert not all(np.array_equal(a, b) for a, b in zip(first, other, strict=True))
    assert {tuple(sorted(b)) for b in first} != {tuple(sorted(b)) for b in other}
    used = sum(pairs.target.lengths[which].sum() for which in first)
    padded = sum(pairs.target.lengths[which].max() * len(which) for which in first)
    assert used / padded > 0.98


@given(st.lists(st.lists(st.integers(4, 99), min_size=1, max_size=8), min_size=1, max_size=30))
def test_padded_columns_hold_the_sentences(lists):
    sentences = Sentences.of(lists)
    seen = []
    for which in in_batches(sentences.lengths, 4):
        for place, column in zip(which, sentences.padded(which).T, strict=True):
            seen.append(place)
            length = len(lists[place])
            assert column[:length].tolist() == lists[place]
            assert (column[length:] == PADDING).all()
    assert sorted(seen) == list(range(len(lists)))


@given(count=st.integers(1, 60), size=st.integers(1, 60), epoch=st.integers(0, 5))
def test_batches_by_tokens_hold_as_many_as_they_may(count, size, epoch):
    pairs = random_pairs(count, count, 20)
    for seed in (None, [1, epoch]):
        batches = pairs.batches(size, seed, "tokens")
        assert sorted(np.concatenate(batches).tolist()) == list(range(count))
        widths = [(pairs.target.lengths[batch] + 1).max() for batch in batches]
        # With </s> and padding; a longer pair is alone.
        assert all(
            len(batch) == 1 or len(batch) * width <= size
            for batch, width in zip(batches, widths, strict=True)
        )
        assert len(batches) == len(pairs.batches(size, None, "tokens"))
    # In the order of lengths, no batch has room for the first of the next one.
    batches = pairs.batches(size, None, "tokens")
    for batch, following in pairwise(batches):
        assert (len(batch) + 1) * (pairs.target.lengths[following[0]] + 1) > size
    some = np.arange(0, count, 2)
    assert sorted(np.concatenate(pairs.batches(size, None, "tokens", some)).tolist()) == some.tolist()


def test_a_batch_is_as_wide_as_the_last_lengths_say():
    first, last = np.array([9, 9, 9, 9, 9]), np.array([3, 1, 2, 2, 7])
    for lengths in ([last], [first, last], [first, first, last]):
        # In the order of lengths, with </s>: 2, 3, 3, 4 and 8.
        found = alike(lengths, 7, None, "tokens")
        assert [batch.tolist() for batch in found] == [[1, 2], [3], [0], [4]]
    assert [batch.tolist() for batch in alike([last, first], 20, None, "tokens")] == [[1, 2], [3, 0], [4]]


def test_sources_that_end_have_the_end_behind_them(vocabulary, tmp_path):
    source = write(tmp_path / "s", "a b\nc\n")
    target = write(tmp_path / "t", "b\na a c\n")
    pairs = Pairs.read(vocabulary, source, target).ended()
    batch = pairs.batch(np.array([0, 1]), torch.device("cpu"))
    assert batch.source.t().tolist() == [[5, 6, END], [7, END, PADDING]]
    assert batch.lengths.tolist() == [3, 2]
    assert batch.wanted.tolist() == [6, 5, END, 5, 7, END]
    # </s> counts on both sides.
    assert pairs.ratio() == (pytest.approx((2 / 3 + 4 / 2) / 2), pytest.approx((4 / 2 - 2 / 3) / 2))
    assert pairs.ended() is pairs
