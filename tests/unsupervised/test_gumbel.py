import pytest
import torch

from tests.unsupervised import plain
from tests.unsupervised.test_model import SENTENCES, columns, model_of
from workflow_scripts.seq2seq.dropout import Dropout
from workflow_scripts.text.symbols import BEGIN, END, PADDING
from workflow_scripts.unsupervised import sampling
from workflow_scripts.unsupervised.prior import Prior, PriorSizes
from workflow_scripts.unsupervised.sampling import Relaxation, lowest, relaxed_sample, sample

WANTED = [1, 0, 0, 1]
LONGEST = 10


def encoded(model, sentences=SENTENCES):
    return model.encode(*columns(sentences), Dropout(), model.output.dtype)


def how(soft=False, temperature=1.0, seed=5, rate=0.0, dtype=torch.float64, longest=LONGEST):
    return Relaxation(
        temperature=temperature,
        longest=longest,
        generator=torch.Generator().manual_seed(seed),
        dropout=Dropout(rate, torch.Generator().manual_seed(seed + 1)),
        dtype=dtype,
        soft=soft,
    )


def numbers(model, seed=5):
    """Gumbel noise as `how(seed=seed)` draws it: per step (B, words that may be generated)."""
    generator = torch.Generator().manual_seed(seed)
    return [
        plain.gumbel_numbers(
            (len(SENTENCES), len(model.output) - lowest(step, False)), generator, torch.float64
        )
        for step in range(LONGEST)
    ]


def value(samples, score, weights):
    """Something that depends on all of a sentence's samples, and on their probability."""
    return score + (samples * weights[: len(samples)]).sum()


def prior_of():
    prior = Prior(PriorSizes(11, 5, 4))
    prior.initialise(torch.Generator().manual_seed(1))
    with torch.no_grad():
        for parameter in prior.parameters():
            parameter.mul_(6)
    return prior.double().requires_grad_(False)


@pytest.fixture(params=[1, 3, 8])
def interval(request, monkeypatch):
    """The number of steps between two counts of unfinished sentences: 1 on the processor, 8 on a GPU."""
    asked = []
    monkeypatch.setattr(sampling, "patience", lambda device: asked.append(device) or request.param)
    yield request.param
    assert asked


@pytest.mark.parametrize("soft", [True, False])
@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_samples_and_gradients_are_those_of_the_plain_model(interval, soft, temperature):
    model, prior = model_of(), prior_of()
    # With these numbers the longest sentence takes eight steps.
    noise, settings = numbers(model, seed=6), how(soft, temperature, seed=6)
    samples, score, real = relaxed_sample(model, encoded(model), torch.tensor(WANTED), settings)
    weights = torch.randn(LONGEST, 4, 11, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    ours = score - prior.score(samples, real) + (samples * weights[: len(samples)]).sum((0, 2))
    ours.sum().backward()
    gradients = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()
    lengths = set()
    for place, (source, style) in enumerate(zip(SENTENCES, WANTED, strict=True)):
        gumbel = [step[place] for step in noise]
        z, log_q = plain.relaxed(model, source, style, LONGEST, temperature, gumbel, soft)
        lengths.add(len(z))
        assert real[:, place].tolist() == [1] * len(z) + [0] * (len(real) - len(z))
        torch.testing.assert_close(samples[: len(z), place], z)
        assert (samples[len(z) :, place] == 0).all()
        theirs = value(z, log_q, weights[:, place]) - plain.prior_score(prior, z)
        assert ours[place].item() == pytest.approx(theirs.item(), rel=1e-10)
        theirs.backward()
    assert len(lengths) > 1, "all sentences end together: the test shows too little"
    assert len(samples) == min(LONGEST, -(-max(lengths) // interval) * interval)
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-9, atol=1e-11, msg=name)
        assert parameter.grad.abs().max() > 1e-6, name


def test_gradients_of_the_soft_sample_are_finite_differences():
    model, prior = model_of(scale=0.6), prior_of()
    parameters = list(model.parameters())
    weights = torch.randn(LONGEST, 4, 11, generator=torch.Generator().manual_seed(2), dtype=torch.float64)

    def loss():
        samples, score, real = relaxed_sample(
            model, encoded(model), torch.tensor(WANTED), how(soft=True, rate=0.2)
        )
        return (value(samples, score.sum(), weights) - prior.score(samples, real).sum()), real

    first, real = loss()
    first.backward()
    generator = torch.Generator().manual_seed(5)
    for parameter in parameters:
        direction = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        slope = (parameter.grad * direction).sum().item()
        ends = []
        with torch.no_grad():
            for side in (1e-6, -1e-6):
                parameter.add_(direction, alpha=side)
                found, same = loss()
                assert torch.equal(real, same)
                ends.append(found.item())
                parameter.add_(direction, alpha=-side)
        assert slope == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-5, abs=1e-6)
        assert abs(slope) > 1e-4


def test_the_straight_through_gradient_of_one_step_is_the_soft_one():
    # With one step no sample is read again, and a linear function's gradient is the same everywhere.
    weights = torch.randn(1, 4, 11, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    found = []
    for soft in (True, False):
        model = model_of()
        samples, _, _ = relaxed_sample(
            model, encoded(model), torch.tensor(WANTED), how(soft, longest=1, rate=0.2)
        )
        assert ((samples == 0) | (samples == 1)).all() != soft
        (samples * weights).sum().backward()
        found.append([None if p.grad is None else p.grad.clone() for p in model.parameters()])
    for soft, hard in zip(*found, strict=True):
        torch.testing.assert_close(soft, hard)


def test_hard_samples_have_the_probabilities_of_the_model():
    model = model_of(scale=0.3)
    source = encoded(model, [SENTENCES[0]] * 4000)
    samples, score, real = relaxed_sample(model, source, torch.ones(4000, dtype=torch.long), how(longest=2))
    decoder = plain.Decoder(model, plain.encode(model, SENTENCES[0]))
    first = decoder.step(model.style[1])[4:].log_softmax(0)
    seen = samples[0].mean(0)
    assert (seen[:4] == 0).all()
    torch.testing.assert_close(seen[4:], first.exp().detach(), rtol=0, atol=0.03)
    # log q of a word at the first step, and then of what follows it.
    best = samples[0, :, 4:].argmax(1)
    assert (real[0] == 1).all()
    assert (score <= first[best] + 1e-12).all()


def test_ended_sentences_send_back_no_gradient():
    model = model_of()
    samples, score, real = relaxed_sample(model, encoded(model), torch.tensor(WANTED), how())
    behind = (1 - real).bool()
    assert behind.any()
    (samples[behind].sum() + 0 * score.sum()).backward()
    assert all(not p.grad.any() for p in model.parameters())


def test_dropout_of_relaxed_samples_has_its_own_numbers():
    model = model_of()
    found = [
        relaxed_sample(model, encoded(model), torch.tensor(WANTED), how(rate=rate))[1]
        for rate in (0, 0.5, 0.5)
    ]
    assert torch.equal(found[1], found[2])
    assert not torch.equal(found[0], found[1])


@pytest.mark.parametrize("temperature", [0.0, 0.01, 1.0])
def test_samples_are_those_of_the_plain_model(interval, temperature):
    model, longest = model_of(scale=1.2, seed=25), 10
    ids, lengths = sample(
        model,
        encoded(model),
        torch.tensor(WANTED),
        longest=longest,
        dtype=torch.float64,
        temperature=temperature,
        generator=torch.Generator().manual_seed(7),
    )
    uniform = torch.empty(longest, 4, dtype=torch.float64).uniform_(
        generator=torch.Generator().manual_seed(7)
    )
    wanted = [
        plain.sample(model, source, style, longest, temperature, uniform[:, place])
        for place, (source, style) in enumerate(zip(SENTENCES, WANTED, strict=True))
    ]
    assert lengths.tolist() == list(map(len, wanted))
    assert len(set(map(len, wanted))) > 2
    assert torch.equal(ids, columns(wanted)[0])
    assert not ids.is_inference()


def test_samples_follow_the_temperature():
    model = model_of(scale=0.3)
    source = encoded(model, [SENTENCES[0]] * 4000)
    style = torch.ones(4000, dtype=torch.long)
    decoder = plain.Decoder(model, plain.encode(model, SENTENCES[0]))
    logits = decoder.step(model.style[1])[4:].detach()
    for temperature in (0.5, 2.0):
        generator = torch.Generator().manual_seed(1)
        ids, _ = sample(
            model,
            source,
            style,
            longest=1,
            dtype=torch.float64,
            temperature=temperature,
            generator=generator,
        )
        seen = torch.bincount(ids[1], minlength=11)[4:] / 4000
        torch.testing.assert_close(seen.double(), (logits / temperature).softmax(0), rtol=0, atol=0.03)


@pytest.mark.parametrize("released", [False, True])
def test_what_is_no_word_is_generated_only_by_the_released_model(released):
    model = model_of(released=released)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        # The words <unk>, <pad> and <s> are as probable as any.
        model.output.zero_()
    source = encoded(model, [SENTENCES[0]] * 200)
    style = torch.ones(200, dtype=torch.long)
    ids, lengths = sample(
        model, source, style, longest=5, dtype=torch.float64, temperature=1.0, generator=generator
    )
    samples, score, _ = relaxed_sample(model, source, style, how(longest=5))
    assert (lengths > 2).all() and (ids[0] == BEGIN).all()
    special = [number for number in range(END) if number in ids[1:] and number != PADDING]
    assert special == ([1, 2] if released else [])
    assert bool(samples[..., :END].any()) == released
    assert score.isfinite().all()


def test_a_sentence_alone_gives_the_same_sample():
    model = model_of(dtype=torch.float32, scale=1.2, seed=20)
    style = torch.tensor(WANTED)
    ids, lengths = sample(model, encoded(model), style, longest=9, dtype=torch.float32)
    for place, source in enumerate(SENTENCES):
        alone, length = sample(
            model, encoded(model, [source]), style[[place]], longest=9, dtype=torch.float32
        )
        assert length[0] == lengths[place]
        assert torch.equal(alone[:, 0], ids[: length[0], place])


def test_bf16_samples_are_finite():
    model = model_of(dtype=torch.float32, scale=0.3)
    source = model.encode(*columns(SENTENCES), Dropout(), torch.bfloat16)
    samples, score, _ = relaxed_sample(
        model, source, torch.tensor(WANTED), how(dtype=torch.bfloat16, rate=0.1)
    )
    (samples.sum() + score.sum()).backward()
    assert all(parameter.grad.isfinite().all() for parameter in model.parameters())
    ids, _ = sample(model, source, torch.tensor(WANTED), longest=4, dtype=torch.bfloat16, temperature=0.01)
    assert (ids >= 0).all()
