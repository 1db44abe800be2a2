from dataclasses import replace

import numpy as np
import pytest
import torch

from tests.unsupervised import plain
from tests.unsupervised.test_gumbel import prior_of
from tests.unsupervised.test_model import columns, model_of
from workflow_scripts.seq2seq.data import Sentences
from workflow_scripts.seq2seq.loss import CrossEntropy
from workflow_scripts.text.symbols import END
from workflow_scripts.unsupervised import loss, streams
from workflow_scripts.unsupervised.loss import Batch, Objective, Settings
from workflow_scripts.unsupervised.noise import Noise
from workflow_scripts.unsupervised.sampling import lowest
from workflow_scripts.unsupervised.streams import Streams

WORDS = [[4, 5, 6, 7, 8], [5], [9, 8, 4], [10, 6, 1, 7]]
STYLE = np.array([1, 0, 1, 0])
SETTINGS = Settings(
    noise=Noise(0.3, 0.2, 3),
    dropout=0.0,
    temperature=0.5,
    max_sample=7,
    lm_weight=0.7,
    gumbel_temperature=1.0,
    max_gumbel=5,
)
CPU = torch.device("cpu")


def batch(style=STYLE):
    return Batch.of(Sentences.of(WORDS), np.asarray(style), np.arange(4))


def objective(model=None, priors=None, **changed):
    model = model or model_of()
    priors = [prior_of(), prior_of()] if priors is None else priors
    return Objective(model, priors, replace(SETTINGS, **changed), model.output.dtype)


def test_a_batch_has_the_informal_sentences_first():
    made = batch()
    assert made.style.tolist() == [0, 0, 1, 1]
    sentences = [[2, *WORDS[place], 3] for place in (1, 3, 0, 2)]
    assert torch.equal(torch.from_numpy(made.ids), columns(sentences)[0])
    assert made.lengths.tolist() == [3, 6, 7, 5]


def test_sentences_of_a_style_keep_their_order():
    lengths = list(range(1, 61))
    made = Batch.of(Sentences.of([[5] * length for length in lengths]), np.array([1, 0] * 30), np.arange(60))
    assert made.lengths.tolist() == [length + 2 for length in (*lengths[1::2], *lengths[::2])]


@pytest.mark.parametrize(
    ("weight", "lm_weight", "styles"),
    [(0.0, 0.0, STYLE), (0.4, 0.0, STYLE), (0.0, 0.7, STYLE), (0.4, 0.7, STYLE), (0.4, 0.7, [0, 0, 1, 0])],
)
def test_every_term_and_gradient_is_that_of_the_plain_loss(weight, lm_weight, styles):
    given = batch(styles)
    model = model_of()
    priors = [prior_of(), prior_of()]
    with torch.no_grad():
        priors[0].output.mul_(-0.5)
    ours = objective(model, priors, lm_weight=lm_weight)
    random = Streams(7, 5, CPU)
    terms = ours(given, weight, random, training=False)
    terms.total.backward()
    gradients = {name: parameter.grad.clone() for name, parameter in model.named_parameters()}
    model.zero_grad()

    uniform = torch.empty(7, 4, dtype=torch.float64).uniform_(generator=random.torch(streams.SAMPLE))
    noise = SETTINGS.noise(given.ids, given.lengths, random.numpy(streams.NOISE))
    generator = random.torch(streams.GUMBEL)
    gumbel = [
        plain.gumbel_numbers((4, 11 - lowest(step, False)), generator, torch.float64) for step in range(5)
    ]
    back, auto, language, spans = [], [], [], set()
    for place in range(4):
        length, style = given.lengths[place], int(given.style[place])
        x = given.ids[:length, place].tolist()
        with torch.no_grad():
            sampled = plain.sample(model, x, 1 - style, 7, 0.5, uniform[:, place])
        back.append(plain.nll(model, x, sampled, style) / (len(x) - 1))
        noisy = noise[0][: noise[1][place], place].tolist()
        auto.append(plain.nll(model, x, noisy, style) / (len(x) - 1))
        z, log_q = plain.relaxed(model, x, 1 - style, 5, 1.0, [g[place] for g in gumbel], False)
        language.append((log_q - plain.prior_score(priors[1 - style], z)) / len(z))
        spans.add(len(z))
    # A mean over tokens is the mean over sentences where all samples are equally long.
    assert len(spans) > 1
    total = plain.mean(back)
    assert terms.back_translation.item() == pytest.approx(plain.mean(back).item(), rel=1e-10)
    if weight:
        total = total + weight * plain.mean(auto)
        assert terms.auto_encoding.item() == pytest.approx(plain.mean(auto).item(), rel=1e-10)
    else:
        assert terms.auto_encoding is None
    if lm_weight:
        total = total + lm_weight * plain.mean(language)
        assert terms.language_model.item() == pytest.approx(plain.mean(language).item(), rel=1e-10)
    else:
        assert terms.language_model is None
    assert terms.total.item() == pytest.approx(total.item(), rel=1e-10)
    total.backward()
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(gradients[name], parameter.grad, rtol=1e-8, atol=1e-11, msg=name)


def test_a_sentence_alone_and_in_a_batch_have_the_same_loss():
    settings = {"temperature": 0.0, "noise": Noise(0, 0, 0), "lm_weight": 0.0}
    ours = objective(model_of(dtype=torch.float32), [], **settings)
    together = ours(batch(), 0.5, Streams(1, 1, CPU), training=False)
    alone = [
        ours(Batch.of(Sentences.of(WORDS), STYLE, np.array([place])), 0.5, Streams(1, 1, CPU), training=False)
        for place in range(4)
    ]
    for name in ("total", "back_translation", "auto_encoding"):
        mean = plain.mean(getattr(terms, name).item() for terms in alone)
        assert getattr(together, name).item() == pytest.approx(mean, abs=1e-6)


def test_without_weight_the_language_model_term_changes_no_bit():
    found = []
    for priors, lm_weight in (([], 0.0), ([prior_of(), prior_of()], 0.0), ([prior_of(), prior_of()], 0.5)):
        ours = objective(model_of(), priors, lm_weight=lm_weight, dropout=0.3)
        terms = ours(batch(), 0.5, Streams(1, 1, CPU), training=True)
        terms.total.backward()
        found.append((terms, [parameter.grad.clone() for parameter in ours.model.parameters()]))
    unmt, dlsm, weighted = found
    assert torch.equal(unmt[0].total, dlsm[0].total)
    assert all(torch.equal(a, b) for a, b in zip(unmt[1], dlsm[1], strict=True))
    # And with a weight it shifts no random number of the other terms.
    assert torch.equal(unmt[0].back_translation, weighted[0].back_translation)
    assert torch.equal(unmt[0].auto_encoding, weighted[0].auto_encoding)
    assert not torch.equal(unmt[0].total, weighted[0].total)


def test_priors_are_frozen():
    priors = [prior_of(), prior_of()]
    for prior in priors:
        prior.requires_grad_(True)
    ours = objective(priors=priors)
    ours(batch(), 0.5, Streams(1, 1, CPU), training=True).total.backward()
    assert all(p.grad is None and not p.requires_grad for prior in priors for p in prior.parameters())


@pytest.mark.parametrize("style", [0, 1])
def test_a_batch_of_one_style_needs_one_prior(style):
    ours = objective()
    only = Batch.of(Sentences.of(WORDS), STYLE, np.flatnonzero(style == STYLE))
    terms = ours(only, 0.5, Streams(1, 1, CPU), training=True)
    assert terms.total.isfinite()


def test_every_use_and_update_has_its_own_numbers():
    uses = (streams.WEIGHTS, streams.ORDER, streams.DROPOUT, streams.SAMPLE, streams.NOISE, streams.GUMBEL)
    seen = set()
    for seed in (1, 2):
        for update in (0, 1):
            for dev in (False, True):
                random = Streams(seed, update, CPU, dev=dev)
                for use in (*uses, streams.GUMBEL_DROPOUT):
                    seen.add(random.numpy(use).random())
                    seen.add(torch.rand((), generator=random.torch(use), dtype=torch.float64).item())
    assert len(seen) == 2 * 2 * 2 * 7 * 2
    again = Streams(1, 0, CPU).numpy(streams.NOISE).random()
    assert again in seen


def test_the_loss_reads_the_other_style():
    # A model that writes word 4 in style 0 and word 5 in style 1 translates each sentence to the other's.
    model = model_of()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
        model.style[0, 0], model.style[1, 0] = -1, 1
        model.decoder_word[0, 18:] = 9
        model.decoder_bias[:18] = 9
        model.combine.fill_(1)
        model.output[4], model.output[5], model.output[END] = -9, 9, -99
    seen = []
    ours = objective(model, [], lm_weight=0.0, temperature=0.0, max_sample=1)
    encode = model.encode
    model.encode = lambda ids, *rest: seen.append(ids) or encode(ids, *rest)
    ours(batch(), 0.0, Streams(1, 1, CPU), training=False)
    assert seen[1][1].tolist() == [5, 5, 4, 4]


@pytest.mark.parametrize("released", [False, True])
def test_what_is_dropped_where(released, monkeypatch):
    """Nothing outside of training, and in sampling for the released code only; each with its own numbers."""
    model = model_of(released=released)
    ours = objective(model, dropout=0.25)
    seen = []

    def noting(called, place):
        def call(*given, **named):
            dropout = named.get("dropout", given[place] if len(given) > place else None)
            dtypes = {value for value in (*given, *named.values()) if isinstance(value, torch.dtype)}
            seen.append((dropout.rate, dropout.generator, dtypes))
            return called(*given, **named)

        return call

    monkeypatch.setattr(model, "encode", noting(model.encode, 2))
    monkeypatch.setattr(model, "forward", noting(model.forward, 3))
    monkeypatch.setattr(loss, "sample", noting(loss.sample, 9))
    # What else computes is asked to do it in the same numbers.
    kinds = []
    relaxed, apply = loss.relaxed_sample, CrossEntropy.apply
    monkeypatch.setattr(
        loss, "relaxed_sample", lambda *given: kinds.append(given[3].dtype) or relaxed(*given)
    )
    monkeypatch.setattr(CrossEntropy, "apply", lambda *given: kinds.append(given[5]) or apply(*given))
    ours(batch(), 0.5, Streams(1, 1, CPU), training=False)
    # Encoder and sampling, encoder and decoder, and the encoder of the language model's term.
    assert [rate for rate, _, _ in seen] == [0.0] * 5
    assert all(dtypes == {torch.float64} for _, _, dtypes in seen)
    assert kinds == [torch.float64] * 2
    seen.clear()
    random = Streams(1, 1, CPU)
    ours(batch(), 0.5, random, training=True)
    sampling = 0.25 if released else 0.0
    assert [rate for rate, _, _ in seen] == [sampling, sampling, 0.25, 0.25, 0.25]
    first, second, third, fourth, last = [generator for _, generator, _ in seen]
    assert first is second and third is fourth
    seeds = [generator.initial_seed() for generator in (third, last)]
    assert seeds == [random.torch(use).initial_seed() for use in (streams.DROPOUT, streams.GUMBEL_DROPOUT)]
    if released:
        assert first.initial_seed() == random.torch(streams.SAMPLE_DROPOUT).initial_seed()
