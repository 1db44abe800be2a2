"""The loss of the output layer: torch's, in chunks."""

import pytest
import torch

from workflow_scripts.seq2seq import loss
from workflow_scripts.seq2seq.loss import ROWS, CrossEntropy, mean_cross_entropy

CHUNKS, COUNT, WORDS = 3, 2 * ROWS + 7, 1003


def inputs(spread=1.0, exact=torch.float32):
    """Vectors, weight, bias and targets; the larger the spread, the less likely are the targets."""
    generator = torch.Generator().manual_seed(3)
    given = [
        torch.randn(*shape, generator=generator).to(exact) for shape in ((COUNT, 8), (WORDS, 8), (WORDS,))
    ]
    given[1] *= spread
    return [one.requires_grad_() for one in given], torch.randint(WORDS, (COUNT,), generator=generator)


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("spread", [1, 30])
def test_the_mean_is_that_of_torch_over_several_chunks(smoothing, spread):
    given, targets = inputs(spread)
    vectors, weight, bias = given
    mean = mean_cross_entropy(vectors, weight, bias, targets, torch.float32, smoothing)
    logits = vectors @ weight.t() + bias
    expected = torch.nn.functional.cross_entropy(logits, targets, label_smoothing=smoothing)
    torch.testing.assert_close(mean, expected)
    pairs = zip(torch.autograd.grad(3 * mean, given), torch.autograd.grad(3 * expected, given), strict=True)
    for ours, theirs in pairs:
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_the_weighted_sum_and_each_value_are_those_of_torch(dtype, smoothing, biased):
    exact = torch.float64 if dtype == torch.float64 else torch.float32
    (vectors, weight, bias), targets = inputs(exact=exact)
    given = [vectors, weight, bias] if biased else [vectors, weight]
    shares = torch.rand(COUNT, generator=torch.Generator().manual_seed(1)).to(exact)
    total, each = CrossEntropy.apply(
        vectors, weight, bias if biased else None, targets, shares, dtype, smoothing
    )
    logits = vectors @ weight.t() + (bias if biased else 0)
    theirs = torch.nn.functional.cross_entropy(logits, targets, reduction="none", label_smoothing=smoothing)
    tolerance = {torch.float64: 1e-9, torch.float32: 1e-4, torch.bfloat16: 0.3}[dtype]
    rough = {"rtol": 0.05 if dtype == torch.bfloat16 else 1e-6, "atol": tolerance}
    torch.testing.assert_close(each, theirs, **rough)
    assert not each.requires_grad
    expected = torch.autograd.grad(3 * (theirs * shares).sum(), given)
    for ours, reference in zip(torch.autograd.grad(3 * total, given), expected, strict=True):
        torch.testing.assert_close(ours, reference, **rough)


def test_no_targets_have_no_loss_and_gradients_of_zero():
    (vectors, weight, bias), targets = inputs()
    total, each = CrossEntropy.apply(
        vectors[:0], weight, bias, targets[:0], torch.empty(0), torch.float32, 0.1
    )
    assert total.item() == 0 and each.shape == (0,)
    for gradient, one in zip(torch.autograd.grad(total, (weight, bias)), (weight, bias), strict=True):
        assert torch.equal(gradient, torch.zeros_like(one))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_values_of_words_less_likely_than_any_number_are_exact(dtype):
    vectors = torch.tensor([[1.0], [47.0], [400.0], [0.5]], dtype=dtype)
    weight = torch.tensor([[1.0], [-1.0]], dtype=dtype)
    shares = torch.ones(4, dtype=dtype)
    _, each = CrossEntropy.apply(vectors, weight, None, torch.ones(4, dtype=torch.long), shares, dtype, 0.0)
    expected = torch.nn.functional.cross_entropy(
        vectors @ weight.t(), torch.ones(4, dtype=torch.long), reduction="none"
    )
    torch.testing.assert_close(each, expected)


def test_the_loss_alone_is_the_same_and_computes_no_gradients(monkeypatch):
    (vectors, weight, bias), targets = inputs()
    asked = []
    for name in ("multiply", "add_product"):
        computed = getattr(loss, name)
        monkeypatch.setattr(loss, name, lambda *given, own=computed: asked.append(given) or own(*given))
    with_gradients = mean_cross_entropy(vectors, weight, bias, targets, torch.float32, 0.1)
    assert len(asked) == 3 * CHUNKS
    asked.clear()
    with torch.no_grad():
        alone = mean_cross_entropy(vectors, weight, bias, targets, torch.float32, 0.1)
    assert alone.item() == with_gradients.item() and not alone.requires_grad
    assert len(asked) == CHUNKS
