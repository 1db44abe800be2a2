import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.seq2seq.reference import CPU, plain_search, random_model, random_pairs, search, sentences
from workflow_scripts.seq2seq.data import Pairs, Sentences
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.seq2seq.search import Beams, top
from workflow_scripts.seq2seq.seeds import seed_of
from workflow_scripts.seq2seq.updates import Schedule, TranslatorTraining
from workflow_scripts.text.symbols import END
from workflow_scripts.training.state import TrainingState


def outputs(found):
    return [one.ids for one in found]


@pytest.fixture(scope="module")
def copies():
    """50 sentences of 3 to 10 words out of 40, and a model that was trained to copy them."""
    random = np.random.default_rng(1)
    texts = [[4, *random.integers(5, 45, random.integers(3, 11)).tolist()] for _ in range(50)]
    pairs = Pairs(Sentences.of(texts), Sentences.of([text[1:] for text in texts]))
    model = Model(Sizes(45, 32, 32, 32))
    model.initialise(torch.Generator().manual_seed(seed_of(1)))
    schedule = Schedule(
        seed=1,
        dropout=0.0,
        learning_rate=0.01,
        batch_size=10,
        evaluate_every=50,
        reduce_after=3,
        reduce_factor=0.5,
        stop_after=8,
        max_updates=400,
        gradient_clip=1.0,
    )
    return TranslatorTraining(model, pairs, pairs, schedule, CPU, torch.float32), texts


@pytest.fixture(scope="module")
def trained(copies, tmp_path_factory):
    training, _ = copies
    return training.run(TrainingState(tmp_path_factory.mktemp("states"), {}))


@pytest.mark.slow
def test_fifty_pairs_are_learnt_to_exact_copies(copies, trained):
    _, texts = copies
    for beam in (1, 5):
        assert outputs(search(trained, beam=beam)(texts, 16)) == [text[1:] for text in texts]


@pytest.mark.slow
def test_outputs_do_not_depend_on_batch_size_and_order(trained):
    sources = sentences(random_pairs(5, 60, 45, longest=12).source)
    expected = outputs(search(trained)(sources, 60))
    for size in (1, 7, 32):
        assert outputs(search(trained)(sources, size)) == expected
    order = np.random.default_rng(2).permutation(len(sources)).tolist()
    assert outputs(search(trained)([sources[i] for i in order], 7)) == [expected[i] for i in order]


@pytest.mark.slow
@pytest.mark.parametrize("beam", [1, 2, 5])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_search_is_plain_beam_search(trained, beam, alpha):
    sources = sentences(random_pairs(3, 25, 37, longest=7).source)
    for models in ([random_model(1, spread=2.0)], [random_model(2, spread=3.0)], [trained]):
        found = search(*models, beam=beam, alpha=alpha)(sources, 10)
        for source, one in zip(sources, found, strict=True):
            words, score = plain_search(models, source, beam, alpha, 1.5)
            assert one.ids == words
            # Models this sure of themselves blow rounding up from step to step.
            assert one.score == pytest.approx(score, rel=5e-4, abs=1e-5)


def test_ensembles_search_by_the_mean_of_probabilities():
    models = [random_model(seed, spread=2.5) for seed in (1, 2, 3)]
    sources = sentences(random_pairs(3, 20, 37, longest=7).source)
    found = search(*models)(sources, 8)
    expected = [plain_search(models, source, 5, 1.0, 1.5) for source in sources]
    assert outputs(found) == [words for words, _ in expected]
    assert [one.score for one in found] == pytest.approx([score for _, score in expected], rel=1e-4)
    assert outputs(found) != outputs(search(models[0])(sources, 8))


@pytest.mark.slow
def test_an_ensemble_of_a_model_with_itself_is_the_model(trained):
    sources = sentences(random_pairs(6, 40, 45).source)
    one, four = search(trained)(sources, 16), search(*[trained] * 4)(sources, 16)
    assert outputs(one) == outputs(four)
    assert [x.score for x in one] == pytest.approx([x.score for x in four], abs=1e-5)


def test_counting_rows_less_often_changes_nothing(trained):
    sources = sentences(random_pairs(7, 40, 37, longest=12).source)
    for model in (trained, random_model(4, spread=3.0)):
        for beam in (1, 5):
            often, seldom = search(model, beam=beam), search(model, beam=beam)
            assert often.patience == 1
            seldom.patience = 3
            assert outputs(often(sources, 16)) == outputs(seldom(sources, 16))


def test_of_equal_hypotheses_the_first_to_end_is_kept():
    beams = Beams(torch.tensor([9]), 2, 1.0)
    slots = torch.tensor([[0, 0]])
    beams.advance(torch.tensor([[-1.0, -1.5]]), slots, torch.tensor([[7, 6]]), 1)
    # After two words -2, that is -1 a word, as after three.
    beams.advance(torch.tensor([[-2.0, -2.5]]), slots, torch.tensor([[END, 8]]), 2)
    beams.advance(torch.tensor([[-3.0, -math.inf]]), slots, torch.tensor([[END, 9]]), 3)
    assert [(one.ids, one.score) for one in beams.read()] == [([7], -1.0)]


def test_outputs_are_neither_empty_nor_too_long_nor_special():
    model = random_model(1, spread=3.0)
    with torch.no_grad():
        model.output_bias[:4] = 50
    sources = sentences(random_pairs(8, 30, 37).source)
    assert {len(one.ids) for one in search(model)(sources, 8)} == {1}
    with torch.no_grad():
        model.output_bias[3] = -50
    for source, one in zip(sources, search(model, ratio=1.2)(sources, 8), strict=True):
        assert len(one.ids) == np.ceil(len(source) * 1.2) + 1
        assert min(one.ids) > 3


def test_bf16_search_finds_the_copies(copies, trained):
    _, texts = copies
    assert outputs(search(trained, dtype=torch.bfloat16)(texts, 16)) == [text[1:] for text in texts]


def test_no_sentences_give_no_outputs(trained):
    assert search(trained)([], 8) == []


def test_a_beam_wider_than_the_vocabulary_is_a_bug():
    with pytest.raises(ValueError, match="too large"):
        search(random_model(1), beam=34)


@given(
    st.lists(st.floats(-10, 0.5, width=32) | st.just(float("-inf")), min_size=5, max_size=30),
    st.integers(1, 5),
)
def test_top_orders_by_value_and_then_by_place(values, count):
    expected = sorted(range(len(values)), key=lambda place: (-values[place], place))[:count]
    # 0.0 and -0.0 are equal as floats, but not as bits.
    assert top(torch.tensor([values]) + 0.0, count).tolist() == [expected]
