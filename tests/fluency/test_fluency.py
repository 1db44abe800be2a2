import math
import os
import random
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.fluency.score import score
from workflow_scripts.fluency.train import train
from workflow_scripts.text.moses import Truecaser, normalise, tokenise

# Compiling the programs takes a minute; with them at hand the tests take seconds.
pytestmark = [] if os.environ.get("TUVOUS_KENLM") else [pytest.mark.slow]

NOUNS = ["casa", "chave", "porta", "mesa", "rua", "carta", "roupa", "escola", "festa", "praia", "história"]
VERBS = ["vejo", "quero", "tenho", "conheço", "procuro", "lembro", "encontro", "deixo", "perdi", "comprei"]
TAILS = ["agora", "hoje cedo", "sem pressa", "com a Maria", "no Brasil", "de novo"]
TEXT = [
    f"{start} {verb} a {noun}{' ' + TAILS[(i + j) % 6] if (i * j) % 3 else ''}."
    for i, noun in enumerate(NOUNS)
    for j, verb in enumerate(VERBS)
    for start in ("Eu", "Hoje eu")
]


def estimate(folder: Path, programs: Path, text: list[str], order: int = 5) -> tuple[Path, Path]:
    write_lines(folder / "text.txt.gz", text)
    model, case = folder / "lm.binary", folder / "truecase.txt"
    train(
        *(programs, model, folder / "text.txt.gz"),
        **{"language": "pt", "order": order, "memory": "64M", "truecaser": case, "temporary": folder / "tmp"},
    )
    assert list((folder / "tmp").iterdir()) == []
    return model, case


def scored(folder: Path, model: Path, case: Path, text: list[str]) -> list[float]:
    write_lines(folder / "s.txt", text)
    score(model, sources=[folder / "s.txt"], targets=[folder / "s.nats"], language="pt", truecaser=case)
    return [float(line) for line in read_lines(folder / "s.nats")]


@pytest.fixture(scope="module")
def trained(tmp_path_factory, programs):
    return estimate(tmp_path_factory.mktemp("lm"), programs, TEXT)


SENTENCES = ["Hoje eu vejo a praia agora.", "a Maria perdi rua", "completamente desconhecido", "", "Casa"]


def test_scores_are_nats_per_token_and_end(tmp_path, trained):
    import kenlm

    model, case = trained
    reference = kenlm.Model(str(model))
    assert reference.order == 5
    tokens = Truecaser.load(case).truecase(tokenise(normalise(SENTENCES, "pt"), "pt"))
    assert tokens[0] == "hoje eu vejo a praia agora ."
    for found, text in zip(scored(tmp_path, model, case, SENTENCES), tokens, strict=True):
        # full_scores gives every token's and the end's log10 probability apart.
        parts = [probability for probability, _, _ in reference.full_scores(text)]
        assert len(parts) == len(text.split()) + 1
        assert found == pytest.approx(-sum(parts) / len(parts) * math.log(10), abs=1e-5)
        assert math.exp(found) == pytest.approx(reference.perplexity(text), rel=1e-4)


def test_probabilities_after_any_context_sum_to_one(trained):
    import kenlm

    model, case = trained
    reference = kenlm.Model(str(model))
    tokens = Truecaser.load(case).truecase(tokenise(normalise(TEXT, "pt"), "pt"))
    words = [*sorted({word for line in tokens for word in line.split()}), "</s>", "<unk>"]
    for context in ("", "eu", "eu vejo a", "a porta de novo", "nunca visto"):
        state, following = kenlm.State(), kenlm.State()
        reference.BeginSentenceWrite(state)
        for word in context.split():
            reference.BaseScore(state, word, following)
            state, following = following, kenlm.State()
        total = sum(10 ** reference.BaseScore(state, word, kenlm.State()) for word in words)
        assert total == pytest.approx(1, abs=1e-5), context


def kneser_ney_bigram(text: list[list[str]]):
    """Interpolated modified Kneser-Ney of order 2 (Chen and Goodman, 1998), from its definition."""
    bigrams = Counter(pair for line in text for pair in zip(["<s>", *line], [*line, "</s>"], strict=True))
    continuations = Counter(word for _, word in bigrams)

    def discounts(counts: Counter) -> list[float]:
        n = Counter(counts.values())
        y = n[1] / (n[1] + 2 * n[2])
        return [0, *(k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3))]

    def smoothed(counts, discount, lower):
        total = sum(counts.values())
        freed = sum(discount[min(count, 3)] for count in counts.values()) / total
        return lambda word: (
            max(counts[word] - discount[min(counts[word], 3)], 0) / total + freed * lower(word)
        )

    size = len(continuations) + 1  # <unk> is a word that was never seen
    unigram = smoothed(continuations, discounts(continuations), lambda word: 1 / size)
    after = defaultdict(Counter)
    for (first, word), count in bigrams.items():
        after[first][word] = count
    discount = discounts(bigrams)
    return {first: smoothed(counts, discount, unigram) for first, counts in after.items()}


def test_model_is_kneser_ney_by_its_definition(tmp_path, programs, capsys):
    # Many rare words, so that every discount can be estimated.
    rng = random.Random(1)
    text = [" ".join(f"w{int(rng.paretovariate(0.7))}" for _ in range(rng.randint(1, 8))) for _ in range(400)]
    model, case = estimate(tmp_path, programs, text, order=2)
    assert "fallback" not in capsys.readouterr().err
    tokens = Truecaser.load(case).truecase(tokenise(normalise(text, "pt"), "pt"))
    after = kneser_ney_bigram([line.split() for line in tokens])
    sentences = ["w1 w4 w9", "w1 w1", "w2 w3 w5 w8 w1", "w6 w1"]
    for sentence, found in zip(sentences, scored(tmp_path, model, case, sentences), strict=True):
        words = sentence.split()
        parts = [math.log(after[a](b)) for a, b in zip(["<s>", *words], [*words, "</s>"], strict=True)]
        assert found == pytest.approx(-sum(parts) / len(parts), abs=2e-5)


def test_fallback_discounts_are_reported(tmp_path, programs, capsys):
    estimate(tmp_path, programs, ["Vejo a casa.", "Vejo a rua."])
    said = capsys.readouterr().err
    assert "too little text for the discounts of 5-grams" in said


def test_same_text_gives_the_same_model(tmp_path, trained, programs):
    again = estimate(tmp_path, programs, TEXT)
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in trained]


def test_lines_without_a_word_are_left_out_and_told(tmp_path, trained, programs, capsys):
    again = estimate(tmp_path, programs, ["", *TEXT[:9], " \t", *TEXT[9:]])
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in trained]
    assert f"{tmp_path / 'text.txt.gz'}: 2 lines without a word are left out" in capsys.readouterr().err


def test_seen_sentences_are_more_fluent(tmp_path, trained):
    good, bad = scored(tmp_path, *trained, ["Hoje eu quero a chave.", "chave quero eu a Hoje ."])
    assert good < bad


def test_no_text_no_model(tmp_path, programs):
    with pytest.raises(InputError, match="no text to estimate"):
        estimate(tmp_path, programs, ["", "  "])
