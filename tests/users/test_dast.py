"""DAST: its parts, its training, and its output."""

from pathlib import Path
from typing import Any

import pytest

from tests.responders.test_language_models import CPU
from tests.users.test_pairs import POLITE, RUDE
from workflow_scripts.config.style import DastCourse, DastNetwork
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.seq2seq.device import prepare
from workflow_scripts.users.rewrite_by_dast import rewrite_by_dast
from workflow_scripts.users.train_dast import DastTraining, train_dast

SIZES = DastNetwork(vocabulary_size=200, embedding=24, style=8, domain=4, content=52, dropout=0.0, filters=6)
REQUESTS = ["Could you please look at this page?", "Would you mind that?", "Why did you do that?", "Stop it."]
LABELS = ["1", "1", "-1", "-1"]


def course(**changes: Any) -> DastCourse:
    given = {"learning_rate": 0.01, "warmup_updates": 0, "decay": "none", "batch_size": 16, "accumulate": 1}
    rest = {"epochs": 2, "pretraining": 1, "max_updates": None, "gradient_clip": 30.0}
    return DastCourse(**{**given, **rest, "adversarial": 1.0, "temperature": 0.1, **changes})


def put_texts(folder: Path) -> None:
    """Users' words, and requests with labels."""
    texts = {"polite": POLITE, "impolite": RUDE, "sentences": REQUESTS, "labels": LABELS}
    for name, lines in texts.items():
        write_lines(folder / f"{name}.txt", lines)


@pytest.fixture
def files(tmp_path):
    put_texts(tmp_path)
    return {name: tmp_path / f"{name}.txt" for name in ("polite", "impolite", "sentences", "labels")}


def trained(files: dict[str, Path], model: Path, sizes: DastNetwork = SIZES, **changes: Any) -> bytes:
    train_dast(
        model,
        **files,
        network=sizes,
        course=course(**changes),
        max_length=20,
        seed=1,
        checkpoints=model.parent / "states",
        **CPU,
    )
    return model.read_bytes()


def first() -> Any:
    from workflow_scripts.users import dast

    texts = [*POLITE, *RUDE, *REQUESTS]
    vocabulary = dast.Vocabulary.of(texts, 200)
    return dast.Trained(SIZES, vocabulary, dast.Dast(len(vocabulary.words), SIZES))


def training(one: Any, **changes: Any) -> DastTraining:
    domains = [(REQUESTS[:2], REQUESTS[2:]), (POLITE, RUDE)]
    return DastTraining(one, domains, course(**changes), 20, prepare("cpu", "float32", 1), 1)


def test_words_and_text():
    from workflow_scripts.users.dast import END, MARKS, UNKNOWN, Vocabulary

    known = Vocabulary.of(["It's 9:15, isn't it?", "It is."], 100)
    assert known.words[:4] == list(MARKS)
    (row,) = known.numbers(["It's 9:15, isn't it?"], 20)
    assert known.texts([[*row, END, *row]]) == ["It's 9:15, isn't it?"]
    assert known.numbers(["It was"], 20)[0][1] == UNKNOWN and known.texts([[UNKNOWN, END]]) == [""]
    assert len(known.numbers(["It is . It is ."], 4)[0]) == 4
    assert Vocabulary.of(["b a a b c"], 6).words[4:] == ["a", "b"]


def test_a_discriminator_reads_words_and_shares_of_words_alike():
    """One-hot shares give the same logits, and what stands behind the end of a sentence does not count."""
    import torch

    from workflow_scripts.users.dast import batch

    one = first().network.eval()
    words, lengths = batch([[5, 6, 7, 8, 9, 10, 11], [6, 7]], prepare("cpu", "float32", 1))
    judge = one.discriminators[1]
    found = judge(words, lengths)
    shares = torch.nn.functional.one_hot(words, one.embedding.shape[0]).float()
    assert torch.allclose(found, judge(shares, lengths), atol=1e-6)
    other = words.clone()
    other[1, 2:] = 9
    assert torch.equal(found, judge(other, lengths))
    other[1, 1] = 9
    assert not torch.allclose(found, judge(other, lengths))


def test_the_end_of_a_short_sentence_is_where_it_ends():
    """What is read and rebuilt of a sentence does not depend on the longer ones beside it."""
    import torch

    from workflow_scripts.users.dast import batch

    one, where = first().network.eval(), prepare("cpu", "float32", 1)
    rows = [[5, 6], [7, 8, 9, 10, 11, 12, 13]]
    words, lengths = batch(rows, where)
    content, styles = one.content(words, lengths), torch.tensor([0.0, 1.0])
    both = one.reconstruction(words, lengths, one.start(content, styles, 1))
    alone = []
    for place, row in enumerate(rows):
        part, length = batch([row], where)
        apart = one.content(part, length)
        assert torch.allclose(apart[0], content[place], atol=1e-6)
        alone.append(one.reconstruction(part, length, one.start(apart, styles[place : place + 1], 1)))
    assert both.item() == pytest.approx(sum(loss.item() for loss in alone) / 2, abs=1e-4)


def test_who_learns_when():
    """In pretraining both sides of the game learn, each for itself; then the auto-encoder alone."""
    one = first()
    made = training(one, pretraining=1, epochs=2, learning_rate=0.001)
    judges = [value.clone() for value in one.network.discriminators.parameters()]
    own = one.network.style.weight.clone()
    steps = made.order(0)
    made.step(steps[:1])
    learnt = list(one.network.discriminators.parameters())
    assert any(not before.equal(after) for before, after in zip(judges, learnt, strict=True))
    assert not own.equal(one.network.style.weight)
    judges, own = [value.clone() for value in learnt], one.network.style.weight.clone()
    made.update = made.per_epoch
    made.step(made.order(1)[:1])
    assert all(before.equal(after) for before, after in zip(judges, learnt, strict=True))
    assert not own.equal(one.network.style.weight)


def test_a_batch_has_as_many_sentences_of_each_side():
    made = training(first(), batch_size=4)
    steps = made.order(0)
    assert len(steps) == 4
    seen = []
    for places in steps:
        assert [made.styles[place] for place in places] == [0, 0, 1, 1] * 2
        requests = sum(map(len, made.places[0]))
        assert [place < requests for place in places] == [True] * 4 + [False] * 4
        seen += places
    assert set(seen) == set(range(len(made.rows))) and made.order(1) != steps


@pytest.mark.slow
def test_sentences_are_learnt_by_heart(files, tmp_path):
    """From its own style's vector each of eight sentences is written as it was."""
    import torch

    from workflow_scripts.users import dast

    trained(files, tmp_path / "model", epochs=120, pretraining=120)
    found = dast.load(tmp_path / "model", prepare("cpu", "float32", 1))
    words, lengths = dast.batch(found.vocabulary.numbers(RUDE, 20), prepare("cpu", "float32", 1))
    with torch.no_grad():
        content = found.network.content(words, lengths)
        state = found.network.start(content, content.new_ones(len(RUDE)), dast.USERS)
        assert found.vocabulary.texts(found.network.write(state, 20).tolist()) == RUDE


@pytest.mark.slow
def test_a_style_is_transferred(tmp_path):
    """Where one word is all that tells the styles apart, that word is exchanged."""
    things = ("a room", "a table", "a train", "the address", "the number", "a taxi", "a seat", "the bill")
    write_lines(tmp_path / "polite.txt", [f"please get {one}" for one in things])
    write_lines(tmp_path / "impolite.txt", [f"now get {one}" for one in things])
    write_lines(tmp_path / "sentences.txt", [f"{w} read {t}" for w in ("please", "now") for t in things])
    write_lines(tmp_path / "labels.txt", ["1"] * 8 + ["-1"] * 8)
    files = {name: tmp_path / f"{name}.txt" for name in ("polite", "impolite", "sentences", "labels")}
    trained(files, tmp_path / "model", epochs=200, pretraining=100, learning_rate=0.005, temperature=1.0)
    given = {"sources": [files["polite"]], "targets": [tmp_path / "out"], "max_length": 20, "batch_size": 3}
    rewrite_by_dast(model=tmp_path / "model", **given, **CPU)
    found = read_lines(tmp_path / "out")
    # All eight with each of twenty seeds; at temperature 0.1, with a few seeds, fewer and none.
    assert sum(line.startswith("now get") for line in found) >= 7
    # All eight with nineteen of twenty seeds, six with the other one; by chance it would be one.
    kept = sum(line.endswith(one) for line, one in zip(found, things, strict=True))
    assert kept >= 4, found


@pytest.mark.parametrize("style", [0.0, 1.0])
def test_the_adversary_is_of_the_other_style(style):
    """By hand: the mean -log p, by the discriminator, of the other style in what is written in that style."""
    import torch

    from workflow_scripts.users import dast

    network, plan = first().network, course(temperature=0.7)
    words, lengths = dast.batch([[5, 6, 7, 8, 9, 10], [6, 7, 8], [9]], prepare("cpu", "float32", 1))
    styles = torch.full((3,), style)
    torch.manual_seed(4)
    _, found = network.losses(words, lengths, styles, dast.USERS, plan, True)
    states = network.start(network.content(words, lengths), 1 - styles, dast.USERS)
    torch.manual_seed(4)
    written = network.soft_words(states, words.shape[1], plan.temperature)
    impolite = torch.sigmoid(network.discriminators[dast.USERS](written, lengths))
    other = impolite if style == 0 else 1 - impolite
    assert found.item() == pytest.approx(-other.log().mean().item(), rel=1e-5)
    # Its gradient reaches what reads and what writes.
    found.backward()
    for one in (network.encoder, network.decoder, network.projection):
        assert all(value.grad.abs().max() > 0 for value in one.parameters())


def test_a_side_without_a_sentence_is_refused(files, tmp_path):
    write_lines(files["labels"], ["1", "1", "1", "1"])
    with pytest.raises(InputError, match=r"sentences\.txt: requests: one style has no sentence"):
        trained(files, tmp_path / "model")
    write_lines(files["labels"], ["1"])
    with pytest.raises(InputError, match="1 labels but 4 sentences"):
        trained(files, tmp_path / "model")
    with pytest.raises(InputError, match="1 sources but 0 targets"):
        rewrite_by_dast(
            model=tmp_path / "m", sources=[tmp_path], targets=[], max_length=5, batch_size=2, **CPU
        )
