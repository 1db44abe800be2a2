import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests.unsupervised import plain
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.text.moses import Truecaser
from workflow_scripts.unsupervised.decode import decode
from workflow_scripts.unsupervised.model import Model, Sizes
from workflow_scripts.unsupervised.words import Words

ROOT = Path(__file__).parents[2]
TEXTS = ["salut toi", "", "bonjour monsieur , bonjour madame .", "inconnu", "<unk> </s> toi"]
SETTINGS = {"batch_size": 2, "max_length": 6, "precision": "float32", "device": "cpu", "threads": 1}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A text model of a few words, a model with large random weights, and sentences."""
    folder = tmp_path_factory.mktemp("decode")
    words = ["salut", "toi", "bonjour", "monsieur", "madame", ",", "."]
    (folder / "words").mkdir()
    (folder / "words/vocabulary.txt").write_text(
        "".join(f"{word}\n" for word in ["<pad>", "<unk>", "<s>", "</s>", *words])
    )
    Truecaser.train(["salut toi", "bonjour monsieur", "bonjour madame"]).save(
        folder / "words/truecase.fr.txt"
    )
    for released in (False, True):
        model = Model(Sizes(11, 4, 6, 3), released)
        model.initialise(torch.Generator().manual_seed(3))
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.mul_(3)
        model.write(folder / f"model.{released}", {"vocabulary": digest(folder / "words/vocabulary.txt")})
    (folder / "source.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    return folder


def call(folder, target, style="formal", **changed):
    settings = {**SETTINGS, "model": folder / "model.False", **changed}
    decode(folder / "words", folder / "source.txt", target, language="fr", style=style, **settings)
    return target.read_text().splitlines()


@pytest.mark.parametrize("style", ["informal", "formal"])
def test_outputs_are_those_of_the_plain_model(folder, tmp_path, style):
    words = Words.load(folder / "words")
    model = Model.read(folder / "model.False")[0].double()
    wanted = []
    for sentence in words.encode(TEXTS, "fr"):
        ids = [2, *(words.vocabulary.index(word) for word in sentence), 3]
        found = plain.sample(model, ids, ("informal", "formal").index(style), 6, 0.0, None)
        wanted.append([words.vocabulary[number] for number in found[1:-1]] if sentence else [])
    lines = call(folder, tmp_path / "out.txt", style)
    assert lines == words.decode(wanted, "fr")
    assert [bool(line) for line in lines] == [True, False, True, True, True]


def test_the_batch_size_changes_nothing(folder, tmp_path):
    assert call(folder, tmp_path / "a", batch_size=1) == call(folder, tmp_path / "b", batch_size=5)


def test_the_released_model_writes_a_line_for_each_line(folder, tmp_path):
    lines = call(folder, tmp_path / "out.txt", model=folder / "model.True")
    assert [bool(line) for line in lines] == [True, False, True, True, True]


def test_a_file_without_text(folder, tmp_path):
    (tmp_path / "source").write_text("\n\n")
    decode(
        folder / "words",
        tmp_path / "source",
        tmp_path / "target",
        language="fr",
        style="formal",
        model=folder / "model.False",
        **SETTINGS,
    )
    assert (tmp_path / "target").read_text() == "\n\n"


@pytest.mark.slow
def test_the_command(folder, tmp_path):
    options = [f"--{name.replace('_', '-')}={value}" for name, value in SETTINGS.items()]
    line = [
        *(sys.executable, "-m", "workflow_scripts.unsupervised.decode", str(folder / "words")),
        *(str(folder / "source.txt"), str(tmp_path / "out.txt"), f"--model={folder / 'model.False'}"),
        *("--language=fr", "--style=formal", *options),
    ]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert (tmp_path / "out.txt").read_text().splitlines() == call(folder, tmp_path / "same.txt")


def test_foreign_models_are_refused(folder, tmp_path):
    model, _ = Model.read(folder / "model.False")
    model.write(tmp_path / "other", {"vocabulary": "other"})
    with pytest.raises(InputError, match="another vocabulary"):
        call(folder, tmp_path / "out.txt", model=tmp_path / "other")
    with pytest.raises(InputError, match="batch_size = 0"):
        call(folder, tmp_path / "out.txt", batch_size=0)
