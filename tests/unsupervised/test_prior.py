"""The prior's two ways to score, against each other and against a loop over sentences and tokens."""

import pytest
import torch
from torch import Tensor

from workflow_scripts.core.errors import InputError
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.seq2seq.model import Model, Sizes
from workflow_scripts.text.symbols import BEGIN, END, PADDING
from workflow_scripts.unsupervised.prior import Prior, PriorSizes

WORDS = 13
SENTENCES = [[5, 7, 5, 12], [4], [], [9, 1, 10, 11, 4, 6], [8, 12]]


def random_prior(seed: int = 1, dtype: torch.dtype = torch.float64) -> Prior:
    prior = Prior(PriorSizes(WORDS, 5, 6))
    prior.initialise(torch.Generator().manual_seed(seed))
    with torch.no_grad():
        for parameter in prior.parameters():
            parameter.mul_(8)
    return prior.to(dtype)


def padded(sentences: list[list[int]]) -> Tensor:
    """Columns of <s>, words, </s> and padding."""
    rows = [torch.tensor([BEGIN, *sentence, END]) for sentence in sentences]
    return torch.nn.utils.rnn.pad_sequence(rows, padding_value=PADDING)


def one_hot(ids: Tensor, dtype: torch.dtype = torch.float64) -> tuple[Tensor, Tensor]:
    """What a generator gives to `score` for these columns."""
    return torch.nn.functional.one_hot(ids[1:], WORDS).to(dtype), ids[1:] != PADDING


def plain(prior: Prior, samples: Tensor) -> Tensor:
    """The score of one sentence, (T, V), one token and one gate at a time."""
    lstm = prior.lstm
    hidden = memory = torch.zeros(prior.sizes.hidden, dtype=samples.dtype)
    word = prior.embedding[BEGIN]
    total = torch.zeros((), dtype=samples.dtype)
    for sample in samples:
        gates = lstm.weight_ih_l0 @ word + lstm.bias_ih_l0 + lstm.weight_hh_l0 @ hidden + lstm.bias_hh_l0
        enter, forget, candidate, out = gates.chunk(4)
        memory = forget.sigmoid() * memory + enter.sigmoid() * candidate.tanh()
        hidden = out.sigmoid() * memory.tanh()
        logs = (prior.output @ hidden + prior.output_bias).log_softmax(0)
        for number in range(prior.sizes.vocabulary):
            total = total + sample[number] * logs[number]
        word = sum(sample[number] * prior.embedding[number] for number in range(prior.sizes.vocabulary))
    return total


def test_prior_scores_sentences_as_the_plain_one():
    prior = random_prior()
    samples, real = one_hot(padded(SENTENCES))
    expected = [plain(prior, samples[: len(s) + 1, i]).item() for i, s in enumerate(SENTENCES)]
    assert prior.score(samples, real).tolist() == pytest.approx(expected, rel=1e-12)
    assert prior.score(samples, real.double()).tolist() == pytest.approx(expected, rel=1e-12)
    assert max(expected) - min(expected) > 10


def test_prior_scores_relaxed_sentences_as_the_plain_one():
    prior = random_prior()
    logits = torch.randn(7, 3, WORDS, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    samples = logits.softmax(2).requires_grad_()
    scores = prior.score(samples, torch.ones(7, 3))
    expected = torch.stack([plain(prior, samples[:, i]) for i in range(3)])
    torch.testing.assert_close(scores, expected, rtol=1e-12, atol=0)
    weights = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    (gradient,) = torch.autograd.grad((scores * weights).sum(), samples)
    (wanted,) = torch.autograd.grad((expected * weights).sum(), samples)
    torch.testing.assert_close(gradient, wanted, rtol=1e-10, atol=1e-12)


def test_prior_loss_is_the_mean_score():
    prior = random_prior()
    ids = padded(SENTENCES)
    samples, real = one_hot(ids)
    loss = prior.loss(ids, torch.float64, Dropout())
    assert loss.item() == pytest.approx(
        -prior.score(samples, real).sum().item() / real.sum().item(), rel=1e-12
    )


def test_prior_gradients_agree_for_all_parameters():
    prior = random_prior()
    ids = padded(SENTENCES)
    samples, real = one_hot(ids)
    ours = torch.autograd.grad(prior.loss(ids, torch.float64, Dropout()), list(prior.parameters()))
    theirs = torch.autograd.grad(-prior.score(samples, real).sum() / real.sum(), list(prior.parameters()))
    for one, two in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, two, rtol=1e-9, atol=1e-12)


def test_prior_score_is_differentiable_by_finite_differences():
    prior = random_prior()
    real = torch.tensor([[1, 1], [1, 1], [1, 0]], dtype=torch.float64)
    soft = torch.randn(3, 2, WORDS, generator=torch.Generator().manual_seed(3), dtype=torch.float64).softmax(
        2
    )
    assert torch.autograd.gradcheck(lambda x: prior.score(x, real), soft.requires_grad_())
    # A sample counts as what is predicted, and as what the next step reads.
    (gradient,) = torch.autograd.grad(prior.score(soft, real).sum(), soft)
    last = prior.score(soft, torch.tensor([[0, 0], [0, 0], [1, 1]]))
    (through,) = torch.autograd.grad(last.sum(), soft)
    assert through[:2].abs().max() > 1e-3
    assert gradient[2, 1].abs().max() == 0


def test_prior_straight_through_gradient_is_that_at_the_hard_sample():
    prior = random_prior()
    soft = torch.randn(4, 2, WORDS, generator=torch.Generator().manual_seed(4), dtype=torch.float64).softmax(
        2
    )
    soft.requires_grad_()
    hard = torch.nn.functional.one_hot(soft.argmax(2), WORDS).double()
    (through,) = torch.autograd.grad(prior.score(hard + soft - soft.detach(), torch.ones(4, 2)).sum(), soft)
    hard.requires_grad_()
    (direct,) = torch.autograd.grad(prior.score(hard, torch.ones(4, 2)).sum(), hard)
    torch.testing.assert_close(through, direct, rtol=1e-12, atol=1e-14)


def test_prior_padding_changes_nothing():
    prior = random_prior(dtype=torch.float32)
    samples, real = one_hot(padded(SENTENCES), torch.float32)
    together = prior.score(samples, real)
    for number, sentence in enumerate(SENTENCES):
        ids = padded([sentence])
        alone = prior.score(*one_hot(ids, torch.float32))
        assert alone.item() == pytest.approx(together[number].item(), rel=1e-5)
        loss = prior.loss(ids, torch.float32, Dropout()) * (len(sentence) + 1)
        assert -loss.item() == pytest.approx(alone.item(), rel=1e-5)
    behind = samples.clone()
    behind[~real] = 7
    assert torch.equal(prior.score(behind, real), together)


def test_prior_dropout_is_for_training_alone():
    prior = random_prior(dtype=torch.float32)
    ids = padded(SENTENCES)
    generator = torch.Generator()

    def loss(seed: int) -> float:
        generator.manual_seed(seed)
        return prior.loss(ids, torch.float32, Dropout(0.5, generator)).item()

    assert loss(1) == loss(1) != loss(2)
    # In training mode too, which is the only one: a frozen prior must be differentiable on any device.
    assert prior.eval().training
    assert prior.lstm.training
    samples, real = one_hot(ids, torch.float32)
    assert torch.equal(prior.score(samples, real), prior.score(samples, real))


def test_prior_in_bf16_is_close():
    prior = random_prior(dtype=torch.float32)
    ids = padded(SENTENCES)
    exact, coarse = (prior.loss(ids, dtype, Dropout()) for dtype in (torch.float32, torch.bfloat16))
    assert coarse.dtype == torch.float32
    assert exact.item() != coarse.item() == pytest.approx(exact.item(), rel=0.03)
    for gradient in torch.autograd.grad(coarse, list(prior.parameters())):
        assert gradient.dtype == torch.float32
    samples, real = one_hot(ids, torch.float32)
    exact = prior.score(samples, real)
    coarse = prior.score(samples.requires_grad_(), real, torch.bfloat16)
    assert coarse.dtype == torch.float32
    assert not torch.equal(exact, coarse)
    torch.testing.assert_close(coarse, exact, rtol=0.05, atol=0.2)
    assert torch.autograd.grad(coarse.sum(), samples)[0].dtype == torch.float32


def test_prior_file(tmp_path):
    prior = random_prior(dtype=torch.float32)
    prior.write(tmp_path / "a", {"seed": 3})
    prior.write(tmp_path / "b", {"seed": 3})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    again, facts = Prior.read(tmp_path / "a")
    assert facts == {"seed": 3}
    assert again.sizes == prior.sizes
    samples, real = one_hot(padded(SENTENCES), torch.float32)
    assert torch.equal(again.score(samples, real), prior.score(samples, real))


def test_prior_file_that_is_none(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        Prior.read(tmp_path / "none")
    (tmp_path / "text").write_text("text")
    with pytest.raises(InputError, match=r"text: no language-model prior"):
        Prior.read(tmp_path / "text")
    Model(Sizes(9, 4, 4, 4)).write(tmp_path / "translator", {})
    with pytest.raises(InputError, match=r"translator: no language-model prior"):
        Prior.read(tmp_path / "translator")
