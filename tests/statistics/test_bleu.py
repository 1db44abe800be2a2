"""BLEU of many resamples at once equals sacreBLEU's own corpus score, resample by resample."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from workflow_scripts.statistics.bleu import Reference, bleu_of_sums
from workflow_scripts.statistics.comparison import Draws
from workflow_scripts.statistics.resampling import bootstrap_sums

TEXT = "não preciso pedir pois sei que ela vem , è già tardi ! l' amie n' a rien dit . NÃO Sei"
WORDS = TEXT.split()


def corpus(size: int, sets: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Outputs and reference sets that share many n-grams."""
    draw = random.Random(seed)
    sources = [draw.choices(WORDS, k=draw.randint(1, 15)) for _ in range(size)]

    def vary(words: list[str]) -> str:
        return " ".join(draw.choice(WORDS) if draw.random() < 0.3 else word for word in words)

    return [vary(s) for s in sources], [[vary(s) for s in sources] for _ in range(sets)]


@pytest.mark.slow
@pytest.mark.parametrize("sets", [1, 4])
def test_every_resample_equals_sacrebleu(sets):
    outputs, references = corpus(40, sets, sets)
    statistics = Reference(references).statistics(outputs)
    ours = bleu_of_sums(bootstrap_sums(statistics, 100, 7))
    picks = np.random.default_rng(7).choice(40, size=(100, 40), replace=True)
    for value, pick in zip(ours, picks, strict=True):
        texts = [outputs[i] for i in pick]
        theirs = BLEU().corpus_score(texts, [[refs[i] for i in pick] for refs in references]).score
        assert value == pytest.approx(theirs, abs=1e-9)
    assert np.ptp(ours) > 1


def test_score_is_sacrebleus_and_sum_of_all_sentences_gives_it():
    outputs, references = corpus(60, 4, 3)
    reference = Reference(references)
    assert reference.score(outputs) == BLEU().corpus_score(outputs, references).score
    assert bleu_of_sums(reference.statistics(outputs).sum(axis=0)) == pytest.approx(reference.score(outputs))


sentences = st.lists(st.sampled_from(["a", "b", "c", "A", "d!"]), min_size=1, max_size=7).map(" ".join)


@given(st.lists(st.tuples(sentences, sentences, sentences), min_size=1, max_size=6))
def test_small_texts_equal_sacrebleu(rows):
    outputs, first, second = (list(column) for column in zip(*rows, strict=True))
    sums = Reference([first, second]).statistics(outputs).sum(axis=0)
    assert bleu_of_sums(sums) == pytest.approx(BLEU().corpus_score(outputs, [first, second]).score, abs=1e-9)


@given(
    st.lists(st.integers(0, 30), min_size=4, max_size=4),
    st.lists(st.integers(0, 30), min_size=4, max_size=4),
    st.integers(1, 60),
)
def test_any_counts_equal_compute_bleu(matched, missed, reference):
    # As in real text: more unigrams than bigrams, and so on.
    ngrams = sorted((m + n for m, n in zip(matched, missed, strict=True)), reverse=True)
    matched = [min(m, n) for m, n in zip(matched, ngrams, strict=True)]
    theirs = BLEU.compute_bleu(list(matched), list(ngrams), ngrams[0], reference, smooth_method="exp").score
    ours = bleu_of_sums(np.array([ngrams[0], reference, *matched, *ngrams], dtype=float))
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    ("output", "reference", "positive"),
    [
        ("a b c d e", "a b c d e", True),  # all n-grams match
        ("a b x d e", "a b c d e", True),  # no 3-gram and no 4-gram: two steps of smoothing
        ("a x b y c", "a b c d e", True),  # unigrams only
        ("v w x y z", "a b c d e", False),  # nothing at all
        ("a b c", "a b c", False),  # too short for a 4-gram: BLEU is 0 however good
        ("a b c d", "a b c d e f g", True),  # brevity penalty
    ],
)
def test_edge_cases_equal_sacrebleu(output, reference, positive):
    ours = bleu_of_sums(Reference([[reference]]).statistics([output])[0])
    assert ours == pytest.approx(BLEU().corpus_score([output], [[reference]]).score, abs=1e-9)
    assert (ours > 0) == positive


def test_signature_is_sacrebleus_own():
    signature = Reference([["a"], ["b"], ["c"], ["d"]]).signature(Draws(1000, 0.95, 5))
    metric = BLEU()
    metric.corpus_score(["a"], [["a"], ["b"], ["c"], ["d"]])
    assert signature.replace("bs:1000|seed:5|", "") == str(metric.get_signature())
    assert "nrefs:4" in signature and "tok:13a" in signature and "case:mixed" in signature
