"""Punkt and NLTK's words."""

import shutil

import nltk
import pytest
from nltk.tokenize.punkt import PunktSentenceTokenizer, PunktTokenizer, PunktTrainer

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines
from workflow_scripts.text import sentences
from workflow_scripts.text.punkt import learn_punkt

TEXT = [
    "O Sr. Silva chegou. Ele viu o Sr. Costa e a Sra. Lima na av. Paulista.",
    "A Sra. Costa saiu com o Sr. Souza. Depois ela voltou. Ele não.",
    "Fica na av. Brasil, perto da pra\u00e7a. O Sr. Lima mora lá!",
    "",
] * 8
NEW = "Vi o Sr. Alves hoje. Ele mora na av. Central? Sim... N\u00e3o sei. "


@pytest.fixture(scope="module")
def punkt(tmp_path_factory):
    """A folder named as NLTK wants it."""
    root = tmp_path_factory.mktemp("nltk") / "tokenizers" / "punkt_tab"
    write_lines(root / "text.txt.gz", TEXT)
    learn_punkt(root / "pt", texts=[root / "text.txt.gz"])
    return root / "pt"


def test_learns_abbreviations(punkt):
    split = sentences.load_splitter(punkt)
    assert split(NEW) == ["Vi o Sr. Alves hoje.", "Ele mora na av. Central?", "Sim... N\u00e3o sei."]
    assert split("") == split("  ") == []
    assert split("Sem ponto") == ["Sem ponto"]
    assert sentences.default_splitter()("Vi o Sr. Alves.") == ["Vi o Sr.", "Alves."]


def test_equals_nltk(punkt, monkeypatch):
    trainer = PunktTrainer()
    trainer.train("\n".join(line for line in TEXT if line))
    reference = PunktSentenceTokenizer(trainer.get_params())
    split = sentences.load_splitter(punkt)
    for text in [NEW, *TEXT]:
        assert split(text) == reference.tokenize(text)
    # NLTK itself reads the folder.
    monkeypatch.setattr(nltk.data, "path", [str(punkt.parents[2])])
    assert split(NEW) == PunktTokenizer("pt").tokenize(NEW)


def test_same_text_same_bytes(punkt, tmp_path):
    sentences.train(TEXT, tmp_path / "again")
    names = ["abbrev_types.txt", "collocations.tab", "ortho_context.tab", "sent_starters.txt"]
    assert sorted(path.name for path in punkt.iterdir()) == names
    for name in names:
        assert (punkt / name).read_bytes() == (tmp_path / "again" / name).read_bytes()
    assert "sr\n" in (punkt / "abbrev_types.txt").read_text(encoding="utf-8")


def test_nothing_to_learn_from(tmp_path):
    with pytest.raises(InputError, match="no text"):
        sentences.train(["", " "], tmp_path / "m")
    with pytest.raises(InputError, match="no Punkt model"):
        sentences.load_splitter(tmp_path)


@pytest.mark.parametrize(
    ("sentence", "count"),
    [
        ("", 0),
        ("Oi", 1),
        ("Oi, tudo bem?", 5),
        ("I can't go.", 5),
        ("l'ami d'ici...", 3),
        ("(a) 3,5 e.g.", 6),
    ],
)
def test_counts_tokens_as_nltk(sentence, count):
    assert sentences.count_tokens(sentence) == count == len(sentences.words(sentence))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("collocations.tab", "onetab"),
        ("collocations.tab", "a\tb\tc"),
        ("ortho_context.tab", "word"),
        ("ortho_context.tab", "word\t"),
        ("ortho_context.tab", "word\t1.5"),
        ("ortho_context.tab", "word\t" + "9" * 5000),
    ],
)
def test_names_the_line_that_is_none_of_a_model(punkt, tmp_path, name, line):
    folder = tmp_path / "pt"
    shutil.copytree(punkt, folder)
    write_lines(folder / name, [line])
    with pytest.raises(InputError, match=rf"{name}:1: not .* learn the model again"):
        sentences.load_splitter(folder)
