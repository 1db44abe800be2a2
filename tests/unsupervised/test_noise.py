import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.text.symbols import BEGIN, END, PADDING, UNKNOWN
from workflow_scripts.unsupervised.noise import Noise

RATES = st.floats(0, 0.9)
LENGTHS = st.lists(st.integers(1, 12), min_size=1, max_size=6)


def batch(lengths):
    """Sentences whose words are all different, so that each can be recognised."""
    ids = np.full((max(lengths) + 2, len(lengths)), PADDING, dtype=np.int64)
    ids[0] = BEGIN
    for place, length in enumerate(lengths):
        ids[1 : length + 1, place] = 10 + np.arange(length)
        ids[length + 1, place] = END
    return ids, np.array(lengths) + 2


def words(ids, lengths):
    """The words of each sentence, where everything around them is right."""
    for column, length in zip(ids.T, lengths, strict=True):
        assert column[0] == BEGIN and column[length - 1] == END
        assert (column[length:] == PADDING).all()
    assert len(ids) == lengths.max()
    return [column[1 : length - 1].tolist() for column, length in zip(ids.T, lengths, strict=True)]


@given(LENGTHS, RATES, RATES, st.floats(0, 8), st.integers(0, 1000))
def test_what_noise_leaves_is_a_part_of_the_sentence(lengths, blank, drop, shuffle, seed):
    ids, counts = batch(lengths)
    before = ids.copy()
    noisy = words(*Noise(blank, drop, shuffle)(ids, counts, np.random.default_rng(seed)))
    assert np.array_equal(ids, before)
    for length, sentence in zip(lengths, noisy, strict=True):
        real = [word for word in sentence if word != UNKNOWN]
        assert len(set(real)) == len(real)
        assert set(real) <= set(range(10, 10 + length))
        assert 1 <= len(sentence) <= length
        if not blank:
            assert UNKNOWN not in sentence
        if not drop:
            assert len(sentence) == length
        if shuffle <= 1:
            assert real == sorted(real)


@given(LENGTHS, st.floats(0, 8), st.integers(0, 1000))
def test_words_move_by_less_than_the_window(lengths, window, seed):
    noisy = words(*Noise(0, 0, window)(*batch(lengths), np.random.default_rng(seed)))
    for length, sentence in zip(lengths, noisy, strict=True):
        assert sorted(sentence) == list(range(10, 10 + length))
        for place, word in enumerate(sentence):
            assert abs(word - 10 - place) < max(window, 1)
        for place, word in enumerate(sentence):
            assert all(word - other < max(window, 1) for other in sentence[place + 1 :])


def test_the_words_of_a_long_sentence_that_stay_keep_their_order():
    # Only from 17 numbers on does a sort that is not stable change the order of equal ones.
    for sentence in words(*Noise(0, 0.5, 0)(*batch([80] * 20), np.random.default_rng(1))):
        assert sentence == sorted(sentence)


@given(LENGTHS, st.integers(0, 1000))
def test_no_noise_changes_nothing(lengths, seed):
    ids, counts = batch(lengths)
    noisy, same = Noise(0, 0, 0)(ids, counts, np.random.default_rng(seed))
    assert np.array_equal(noisy, ids) and np.array_equal(same, counts)


def test_rates_are_as_asked_for():
    ids, counts = batch([20] * 3000)
    noisy = words(*Noise(0.2, 0.1, 3)(ids, counts, np.random.default_rng(1)))
    kept = [word for sentence in noisy for word in sentence]
    assert len(kept) / 60000 == pytest.approx(0.9, abs=0.005)
    assert kept.count(UNKNOWN) / len(kept) == pytest.approx(0.2, abs=0.005)
    # Every place is dropped and blanked as often as any other.
    places = np.bincount([word - 10 for word in kept if word != UNKNOWN], minlength=20)
    assert places / 3000 == pytest.approx(0.72, abs=0.04)


def test_neighbours_change_places_as_often_as_uniform_numbers_say():
    # P(0 + u > 1 + v) for u, v uniform on 0..3 is the triangle (3 - 1)^2 / 2 of the square 9.
    noisy = words(*Noise(0, 0, 3)(*batch([2] * 20000), np.random.default_rng(1)))
    assert np.mean([sentence == [11, 10] for sentence in noisy]) == pytest.approx(2 / 9, abs=0.01)


def test_one_word_always_stays():
    ids, counts = batch([3] * 500)
    noisy = words(*Noise(0, 0.999, 0)(ids, counts, np.random.default_rng(1)))
    assert {len(sentence) for sentence in noisy} == {1}
    assert {sentence[0] for sentence in noisy} == {10, 11, 12}


def test_empty_sentences_stay_empty():
    ids, counts = batch([0, 2])
    noisy = words(*Noise(0.5, 0.5, 3)(ids, counts, np.random.default_rng(1)))
    assert noisy[0] == [] and noisy[1]


@pytest.mark.parametrize("values", [(1, 0, 0), (0, -0.1, 0), (0, 0, -1), (float("nan"), 0, 0)])
def test_impossible_noise_is_refused(values):
    with pytest.raises(InputError, match="give"):
        Noise(*values)
