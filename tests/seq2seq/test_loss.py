"""The loss of the output layer: torch's, in chunks."""

import pytest
import torch

from workflow_scripts.seq2seq.loss import ROWS, CrossEntropy


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
@pytest.mark.parametrize("spread", [1, 30])
def test_the_loss_is_that_of_torch_over_several_chunks(smoothing, spread):
    generator = torch.Generator().manual_seed(3)
    count = 2 * ROWS + 7
    inputs = [torch.randn(*shape, generator=generator) for shape in ((count, 8), (31, 8), (31,))]
    inputs[1] *= spread
    for one in inputs:
        one.requires_grad_()
    vectors, weight, bias = inputs
    targets = torch.randint(31, (count,), generator=generator)
    loss = CrossEntropy.apply(vectors, weight, bias, targets, torch.float32, smoothing)
    logits = vectors @ weight.t() + bias
    expected = torch.nn.functional.cross_entropy(logits, targets, label_smoothing=smoothing)
    torch.testing.assert_close(loss, expected)
    pairs = zip(torch.autograd.grad(3 * loss, inputs), torch.autograd.grad(3 * expected, inputs), strict=True)
    for ours, theirs in pairs:
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
