"""Text to words of a capped vocabulary, to word files, and back."""

import gzip
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, read_lines, write_lines
from workflow_scripts.seq2seq.data import Vocabulary
from workflow_scripts.text import moses
from workflow_scripts.text.symbols import SPECIAL
from workflow_scripts.unsupervised.encode import encode
from workflow_scripts.unsupervised.learn_words import learn_words
from workflow_scripts.unsupervised.words import Words, read_sentences

INFORMAL = ["Salut, t'es où là ?", "pff j'en sais rien là là", "Paul dit que Marie est là.", ""]
FORMAL = ["Bonjour, où êtes-vous ?", "Paul dit que Marie est partie.", "Je ne sais pas où est Marie."]
SHARED = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="session")
def texts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    write_lines(folder / "informal.txt", INFORMAL)
    write_lines(folder / "formal.txt.gz", FORMAL)
    return [folder / "informal.txt", folder / "formal.txt.gz"]


def learn(folder: Path, texts: list[Path], most: int = 1000) -> Path:
    learn_words(folder / "words", texts=texts, languages=["fr"] * len(texts), max_words=most)
    return folder / "words"


@pytest.fixture(scope="session")
def folder(texts, tmp_path_factory):
    return learn(tmp_path_factory.mktemp("model"), texts)


@pytest.fixture(scope="session")
def words(folder):
    return Words.load(folder)


def test_words_vocabulary_is_by_frequency_and_then_by_code_point(folder, words):
    assert sorted(path.name for path in folder.iterdir()) == ["truecase.fr.txt", "vocabulary.txt"]
    assert sorted(path.name for path in folder.parent.iterdir()) == ["words"]
    tokens = [token for line in words.tokens(INFORMAL + FORMAL, "fr") for token in line.split()]
    counts = {token: tokens.count(token) for token in tokens}
    assert max(counts.values()) > 1
    expected = sorted(counts, key=lambda token: (-counts[token], token))
    assert read_lines(folder / "vocabulary.txt") == [*SPECIAL, *expected]
    assert words.vocabulary == [*SPECIAL, *expected]
    assert words.digest == digest(folder / "vocabulary.txt")
    assert words.languages == ["fr"]


def test_words_vocabulary_does_not_depend_on_the_order_of_files(folder, texts, tmp_path):
    other = learn(tmp_path, [texts[1], texts[0], texts[1]])
    for name in ("vocabulary.txt", "truecase.fr.txt"):
        assert (other / name).read_bytes() == (folder / name).read_bytes()


def test_words_vocabulary_is_capped(texts, words, tmp_path):
    few = Words.load(learn(tmp_path, texts, most=5))
    assert few.vocabulary == words.vocabulary[: 4 + 5]
    (encoded,) = few.encode(["Paul est ici."], "fr")
    assert encoded == [word if word in few.known else "<unk>" for word in ("Paul", "est", "ici", ".")]
    assert "<unk>" in encoded


def test_words_come_back(words):
    assert words.decode(words.encode(FORMAL, "fr"), "fr") == FORMAL
    assert words.decode(words.encode(["", "Paul est là."], "fr"), "fr") == ["", "Paul est là."]
    # Marie is known with her capital; forms at the beginning of a sentence teach nothing about case.
    assert words.encode(["marie bonjour MARIE"], "fr") == [["Marie", "<unk>", "Marie"]]


def test_words_special_symbols_vanish_and_are_no_text(words):
    (encoded,) = words.encode(["<s> Paul </s> <pad> <unk>"], "fr")
    assert not {"<s>", "</s>", "<pad>"} & set(encoded)
    assert encoded.count("<unk>") >= 4
    back = words.decode([["<s>", "Paul", "<unk>", "est", "là", ".", "</s>", "<pad>"], ["<unk>"], []], "fr")
    assert back == ["Paul est là.", "", ""]
    special = Words([*SPECIAL, "a"], words.truecasers)
    assert special.known == {"a"}


@SHARED
@given(st.text(max_size=60))
def test_words_of_any_text_fit_a_word_file(words, text):
    (encoded,) = words.encode([text], "fr")
    assert " ".join(encoded).split() == encoded
    assert set(encoded) <= {"<unk>"} | words.known
    assert len(encoded) == len(words.tokens([text], "fr")[0].split())


def test_words_bad_models(words, folder, tmp_path):
    with pytest.raises(InputError, match=r"no language 'pt'; known: fr"):
        words.encode(["x"], "pt")
    with pytest.raises(InputError, match=r"no language 'pt'; known: fr"):
        words.decode([["x"]], "pt")
    with pytest.raises(InputError, match=r"vocabulary\.txt: no such file"):
        Words.load(tmp_path)
    (tmp_path / "vocabulary.txt").write_text("<pad>\n<s>\n")
    with pytest.raises(InputError, match="does not begin with <pad> <unk> <s> </s>"):
        Words.load(tmp_path)
    (tmp_path / "vocabulary.txt").write_text("<pad>\n<unk>\n<s>\n</s>\na\na\n")
    with pytest.raises(InputError, match="lists a word twice"):
        Words.load(tmp_path)


def test_words_bad_arguments(texts, folder, tmp_path):
    with pytest.raises(InputError, match="2 texts but 1 languages"):
        learn_words(tmp_path / "w", texts=texts, languages=["fr"], max_words=9)
    with pytest.raises(InputError, match="max_words = 0"):
        learn_words(tmp_path / "w", texts=texts, languages=["fr", "fr"], max_words=0)
    write_lines(tmp_path / "empty.txt", ["", ""])
    with pytest.raises(InputError, match=r"empty\.txt: no word in the texts"):
        learn_words(tmp_path / "w", texts=[tmp_path / "empty.txt"], languages=["fr"], max_words=9)
    assert [path.name for path in tmp_path.iterdir()] == ["empty.txt"]
    with pytest.raises(InputError, match="max_length = 0"):
        encode(folder, texts=texts, targets=texts, language="fr", max_length=0)
    with pytest.raises(InputError, match="2 texts but 1 targets"):
        encode(folder, texts=texts, targets=texts[:1], language="fr", max_length=9)


@pytest.mark.slow
def test_words_memory_does_not_grow_with_the_text(tmp_path, monkeypatch):
    monkeypatch.setattr(moses, "tokenise", lambda texts, language: list(texts))
    peaks = []
    for size in (11_000, 44_000):
        write_lines(tmp_path / "text.txt", ("deux mots" for _ in range(size)))
        tracemalloc.start()
        learn(tmp_path, [tmp_path / "text.txt"])
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < 1.2 * peaks[0]


def test_word_file(folder, words, texts, tmp_path, capsys):
    targets = [tmp_path / "informal.words", tmp_path / "formal.words"]
    encode(folder, texts=texts, targets=targets, language="fr", max_length=7)
    messages = capsys.readouterr().err.splitlines()
    for target, text in zip(targets, texts, strict=True):
        encoded = words.encode(read_lines(text), "fr")
        kept = [" ".join(sentence) for sentence in encoded if 0 < len(sentence) <= 7]
        empty, long = encoded.count([]), sum(len(sentence) > 7 for sentence in encoded)
        assert kept and read_lines(target) == kept
        message = next(line for line in messages if str(target) in line)
        assert f"{len(kept)} sentences" in message
        assert f"dropped {empty} empty ones and {long} with more than 7 words" in message
    assert "dropped 1 empty ones" in "".join(messages) and "and 0 with" not in messages[0]


def test_word_file_becomes_ids(folder, words, texts, tmp_path):
    target = tmp_path / "formal.words"
    encode(folder, texts=[texts[1]], targets=[target], language="fr", max_length=50)
    vocabulary = Vocabulary.read(folder / "vocabulary.txt")
    sentences = read_sentences(vocabulary, target)
    expected = words.encode(FORMAL, "fr")
    assert sentences.lengths.tolist() == [len(sentence) for sentence in expected]
    flat = [vocabulary.symbols[number] for number in sentences.ids]
    assert flat == [word for sentence in expected for word in sentence]

    write_lines(target, ["Paul", "Paul personne"])
    with pytest.raises(InputError, match=r"formal\.words:2: the piece 'personne' is not in"):
        read_sentences(vocabulary, target)
    write_lines(target, ["Paul", ""])
    with pytest.raises(InputError, match=r"formal\.words:2: empty line"):
        read_sentences(vocabulary, target)
    write_lines(target, [])
    with pytest.raises(InputError, match=r"formal\.words: no sentences"):
        read_sentences(vocabulary, target)


@pytest.mark.slow
def test_words_commands(texts, folder, tmp_path, module):
    options = ("--texts", *texts, "--languages", "fr", "fr", "--max-words", 1000)
    done = module("unsupervised.learn_words", tmp_path / "words", *options)
    assert done.returncode == 0, done.stderr
    assert digest(tmp_path / "words" / "vocabulary.txt") == digest(folder / "vocabulary.txt")
    targets = [tmp_path / "informal.txt.gz", tmp_path / "formal.txt.gz"]
    options = ("--texts", *texts, "--targets", *targets, "--language", "fr", "--max-length", 50)
    done = module("unsupervised.encode", tmp_path / "words", *options)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert sum(len(gzip.decompress(path.read_bytes()).splitlines()) for path in targets) == 6
