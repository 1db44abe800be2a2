"""Readers: GYAFC, XFORMAL, formality ratings, Moses archives."""

import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines
from workflow_scripts.corpora import pt16
from workflow_scripts.corpora.gyafc import read_gyafc
from workflow_scripts.corpora.moses import read_moses
from workflow_scripts.corpora.pt16 import detokenise, read_pt16
from workflow_scripts.corpora.xformal import FILES, read_xformal


def make_gyafc(folder: Path) -> Path:
    for domain in ("Entertainment_Music", "Family_Relationships"):
        for split, size in (("train", 3), ("tune", 2), ("test", 1)):
            names = ["informal", "formal"]
            if split != "train":
                names += [f"{style}.ref{i}" for style in names for i in range(4)]
            for name in names:
                write_lines(
                    folder / domain / split / name, (f"{domain} {split} {name} {i}" for i in range(size))
                )
    return folder


def test_gyafc_layout(tmp_path):
    make_gyafc(tmp_path / "GYAFC_Corpus")
    read_gyafc(tmp_path, tmp_path / "out")
    assert len(list((tmp_path / "out").iterdir())) == 2 + 10 + 10
    assert read_lines(tmp_path / "out" / "dev.informal.ref2.txt") == [
        f"{domain} tune informal.ref2 {i}"
        for domain in ("Entertainment_Music", "Family_Relationships")
        for i in range(2)
    ]


def test_gyafc_keeps_empty_lines(tmp_path):
    folder = make_gyafc(tmp_path / "g")
    write_lines(folder / "Family_Relationships/test/formal.ref0", [""])
    read_gyafc(folder, tmp_path / "out")
    found = read_lines(tmp_path / "out/test.formal.ref0.txt")
    assert found == ["Entertainment_Music test formal.ref0 0", ""]


def test_gyafc_with_a_short_reference(tmp_path, module):
    folder = make_gyafc(tmp_path / "g")
    short = folder / "Family_Relationships" / "tune" / "formal.ref3"
    write_lines(short, ["one"])
    done = module("corpora.gyafc", folder, tmp_path / "out")
    assert done.returncode == 2
    assert f"{short.parent / 'informal'} has 2 lines" in done.stderr
    assert f"{short} has 1 lines" in done.stderr
    assert not (tmp_path / "out").exists()


def test_gyafc_with_a_missing_file(tmp_path):
    folder = make_gyafc(tmp_path / "g")
    (folder / "Entertainment_Music" / "train" / "formal").unlink()
    with pytest.raises(InputError, match=r"Entertainment_Music/train/formal: no such file"):
        read_gyafc(folder, tmp_path / "out")
    with pytest.raises(InputError, match="no folder Entertainment_Music"):
        read_gyafc(tmp_path, tmp_path / "out")


def make_xformal(folder: Path, size: int = 3) -> Path:
    for name in FILES:
        write_lines(folder / name, (f"{name} {i}" for i in range(size)))
    return folder


@pytest.mark.parametrize("name", ["pt", "br", "pt-br", "pt_br", "br-pt", "BR-PT", "pt_BR", "ptbr"])
def test_xformal_folder_names(tmp_path, name):
    make_xformal(tmp_path / "XFORMAL" / "xformal_eval" / name)
    make_xformal(tmp_path / "XFORMAL" / "xformal_eval" / "it")
    make_xformal(tmp_path / "XFORMAL" / "gyafc_translated" / "pt" / "test")
    read_xformal(
        tmp_path / "XFORMAL", tmp_path / "out", language="pt", names=["br", "ptbr", "brpt", "brazilian"]
    )
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == sorted(f"{n}.txt" for n in FILES)
    assert read_lines(tmp_path / "out" / "formal.ref2.txt") == [f"formal.ref2 {i}" for i in range(3)]


def test_xformal_language_that_is_not_there(tmp_path):
    make_xformal(tmp_path / "xformal_eval" / "it")
    # What has no informal sentences is no evaluation set.
    (make_xformal(tmp_path / "fr") / "informal").unlink()
    known = "folders with informal and formal.ref0"
    with pytest.raises(InputError) as error:
        read_xformal(tmp_path, tmp_path / "out", language="fr")
    told = f"no folder for language 'fr'; {known}: xformal_eval/it; name one of them 'fr'"
    assert str(error.value) == f"{tmp_path}: {told}"
    make_xformal(tmp_path / "xformal_eval" / "it-old")
    with pytest.raises(InputError) as error:
        read_xformal(tmp_path, tmp_path / "out", language="it")
    told = f"several folders for language 'it'; {known}: xformal_eval/it, xformal_eval/it-old"
    assert str(error.value) == f"{tmp_path}: {told}; name one of them 'it'"
    with pytest.raises(InputError, match=rf"no folder for language 'it'; {known}: none; name"):
        read_xformal(tmp_path / "fr", tmp_path / "out", language="it")


def test_xformal_with_bad_files(tmp_path):
    folder = make_xformal(tmp_path / "fr")
    (folder / "formal.ref1").unlink()
    with pytest.raises(InputError, match=r"formal\.ref1"):
        read_xformal(tmp_path, tmp_path / "out", language="fr")
    write_lines(folder / "formal.ref1", ["a", "b"])
    with pytest.raises(InputError, match=r"informal has 3 lines.*formal\.ref1 has 2 lines"):
        read_xformal(tmp_path, tmp_path / "out", language="fr")
    write_lines(folder / "formal.ref1", ["a", " ", "c"])
    with pytest.raises(InputError, match=r"formal\.ref1:2: empty line"):
        read_xformal(tmp_path, tmp_path / "out", language="fr")
    (folder / "formal.ref1").write_bytes("a\nb\né\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"formal\.ref1:3: not UTF-8"):
        read_xformal(tmp_path, tmp_path / "out", language="fr")
    assert not (tmp_path / "out").exists()


def make_ratings(path: Path, *sentences: str) -> Path:
    write_lines(path, (f"{i % 7 - 3}.0\t-1.0,2.0\tx{i}\t{text}" for i, text in enumerate(sentences)))
    return path


@settings(max_examples=30)
@given(st.lists(st.integers(0, 8), min_size=4, max_size=30), st.integers(0, 3), st.integers(0, 99))
def test_pt16_parts(tmp_path_factory, words, size, seed):
    """Nothing is lost, the order stays, and equal sentences are on one side."""
    folder = tmp_path_factory.mktemp("pt16")
    sentences = [f"{'Word' if i % 2 else 'word'} {word}" for i, word in enumerate(words)]
    file = make_ratings(folder / "answers", *sentences)
    try:
        read_pt16(file, folder, held_out=size, seed=seed)
    except InputError as error:
        assert str(error).startswith(f"{file}: cannot hold out {size} sentences without separating")
        return
    test, train = (read_lines(folder / f"{part}.sentences.txt") for part in ("test", "train"))
    assert len(test) == size
    assert sorted(test + train) == sorted(sentences)
    assert not {text.lower() for text in test} & {text.lower() for text in train}
    assert len(read_numbers(folder / "train.scores.txt")) == len(train)


def test_pt16_seed(tmp_path):
    file = make_ratings(tmp_path / "answers", *(f"sentence number {i} ." for i in range(300)))
    found = []
    for seed in (1, 1, 2):
        read_pt16(file, tmp_path, held_out=50, seed=seed)
        found.append(read_lines(tmp_path / "test.sentences.txt"))
    assert found[0] == found[1] != found[2]
    assert found[0][0].endswith("."), "detokenised"
    scores = read_numbers(tmp_path / "test.scores.txt")
    assert scores == [int(text.split()[2][:-1]) % 7 - 3 for text in found[2]]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("bad\t1.0\tx\tA .", r"answers:3: rating 'bad' is not a number"),
        ("1.0\t1.0,two\tx\tA .", r"answers:3: rating 'two' is not a number"),
        ("nan\t1.0\tx\tA .", r"answers:3: rating 'nan' is not a number"),
        ("4.0\t1.0\tx\tA .", r"answers:3: rating 4.0 is not between"),
        ("1.0\t1.0\tx", r"answers:3: 3 tab-separated fields"),
        ("1.0\t1.0\tx\t ", r"answers:3: no sentence"),
        ("\ufeff1.0\t1.0\tx\tA .", r"answers:3: rating '.*1\.0' is not a number"),
        ("7" * 40 + "\t1.0\tx\tA .", rf"answers:3: rating {'7' * 40} is not between -3 and 3"),
        ("7" * 41 + "\t1.0\tx\tA .", rf"answers:3: rating {'7' * 40}\.\.\. is not between"),
    ],
)
def test_pt16_with_a_bad_line(tmp_path, line, message):
    write_lines(tmp_path / "answers", ["1.0\t1.0\tx\tA .", "1.0\t\tx\tB .", line])
    with pytest.raises(InputError, match=message):
        read_pt16(tmp_path / "answers", tmp_path / "out", held_out=1, seed=1)
    assert not (tmp_path / "out").exists()


def test_pt16_keeps_a_sentence_to_train_on(tmp_path):
    file = make_ratings(tmp_path / "answers", "one .", "two .")
    read_pt16(file, tmp_path / "out", held_out=1, seed=1)
    for size in (2, -1):
        with pytest.raises(InputError, match=rf"answers: 2 sentences, too few to hold out {size}"):
            read_pt16(file, tmp_path / "out", held_out=size, seed=1)
    # A byte order mark stands before the first line, and nowhere else.
    write_lines(file, ["\ufeff1\t1\tx\tA .", "\ufeff1\t1\tx\tB ."])
    with pytest.raises(InputError, match=r"answers:2: rating '.*1' is not a number"):
        read_pt16(file, tmp_path / "out", held_out=0, seed=1)


@pytest.mark.parametrize(
    ("tokenised", "plain"),
    [
        ("They are n't `` here '' , I 'm sure .", "They aren't \"here\", I'm sure."),
        ("Pimp ( 10 ) Earn $ 200,000 !", "Pimp (10) Earn $200,000!"),
        ("a -LRB- b -RRB- c", "a (b) c"),
        ("lysol ... kills it ! ! !", "lysol... kills it!!!"),
        ("You ca n't do that ; why ?", "You can't do that; why?"),
    ],
)
def test_pt16_detokenised(tokenised, plain):
    assert detokenise(tokenised) == plain


@pytest.mark.slow
def test_pt16_real(mirror, tmp_path):
    read_pt16(mirror / "pt16" / "data" / "answers", tmp_path, held_out=500, seed=1)
    counts = {path.name: len(read_lines(path, filled=True)) for path in tmp_path.iterdir()}
    assert counts == {
        "train.sentences.txt": 4477,
        "train.scores.txt": 4477,
        "test.sentences.txt": 500,
        "test.scores.txt": 500,
    }
    text = "\n".join(read_lines(tmp_path / "train.sentences.txt"))
    assert "``" not in text
    assert " n't" not in text
    scores = read_numbers(tmp_path / "train.scores.txt")
    assert min(scores) == pt16.LOWEST
    assert max(scores) <= pt16.HIGHEST


def make_moses(path: Path, english: bytes, other: bytes, pair: str = "en-pt_br") -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("README", "text")
        file.writestr(f"Corpus.{pair}.pt_br", other)
        file.writestr(f"Corpus.{pair}.en", english)
        file.writestr(f"Corpus.{pair}.ids", "1\n")
    return path


def test_moses_text(tmp_path):
    archive = make_moses(
        tmp_path / "a.zip", "a\tb\r\n\u2028c\x85d\n\nlast".encode(), "é\rx\nf\ng\nh\n".encode()
    )
    for languages in (None, ["en", "pt_br"]):
        read_moses(archive, tmp_path / "en.txt.gz", tmp_path / "pt.txt", languages=languages)
        assert read_lines(tmp_path / "en.txt.gz") == ["a b", "\u2028c\x85d", "", "last"]
        assert read_lines(tmp_path / "pt.txt") == ["é x", "f", "g", "h"]


def test_moses_lines_of_the_largest_length(tmp_path, monkeypatch):
    """And a byte order mark within a text is text."""
    monkeypatch.setattr("workflow_scripts.corpora.moses.LONGEST_LINE", 8)
    archive = make_moses(tmp_path / "a.zip", "seven_7\n\ufeffbc\n".encode(), b"a\nb\n")
    read_moses(archive, tmp_path / "en.txt", tmp_path / "pt.txt")
    assert read_lines(tmp_path / "en.txt") == ["seven_7", "\ufeffbc"]
    archive = make_moses(tmp_path / "a.zip", b"a\n", b"eight_88\n")
    with pytest.raises(InputError, match=r"a\.zip/Corpus.*pt_br:1: a line of more than 8 bytes"):
        read_moses(archive, tmp_path / "en.txt", tmp_path / "pt.txt")
    with pytest.raises(InputError, match="languages are en fr it; give two, English first"):
        read_moses(archive, tmp_path / "en.txt", tmp_path / "pt.txt", languages=["en", "fr", "it"])


@pytest.mark.parametrize(
    ("english", "other", "message"),
    [
        (b"a\nb\nc\n", b"d\n", r"Corpus\.en-pt_br\.en has 3 lines, Corpus\.en-pt_br\.pt_br has 1 lines"),
        (b"a\n", b"d\ne\nf\n", r"\.en has 1 lines, Corpus\.en-pt_br\.pt_br has 3 lines"),
        (b"a\nb\n", b"d\n\xff\n", r"a\.zip/Corpus\.en-pt_br\.pt_br:2: not UTF-8"),
        (b"", b"", "no sentence pair"),
    ],
)
def test_moses_with_bad_members(tmp_path, english, other, message):
    archive = make_moses(tmp_path / "a.zip", english, other)
    with pytest.raises(InputError, match=message):
        read_moses(archive, tmp_path / "out" / "en.txt.gz", tmp_path / "out" / "pt.txt.gz")
    assert not list((tmp_path / "out").iterdir())


def test_moses_with_bad_archives(tmp_path):
    archive = make_moses(tmp_path / "a.zip", b"a b c d e f\n" * 50, b"d\n" * 50)
    outs = (tmp_path / "en.txt", tmp_path / "pt.txt")
    with pytest.raises(InputError, match=r"no member for language it; members: Corpus\.en-pt_br\.en"):
        read_moses(archive, *outs, languages=["en", "it"])
    data = bytearray(archive.read_bytes())
    position = data.index(b"Corpus.en-pt_br.pt_br") + 25
    data[position] ^= 0xFF
    (tmp_path / "damaged.zip").write_bytes(data)
    (tmp_path / "half.zip").write_bytes(data[: len(data) // 2])
    for name in ("damaged.zip", "half.zip"):
        with pytest.raises(InputError, match=f"{name}: broken zip"):
            read_moses(tmp_path / name, *outs)
    with pytest.raises(InputError, match="no such file"):
        read_moses(tmp_path / "none.zip", *outs)
    assert not any(path.exists() for path in outs)


def test_moses_on_the_command_line(tmp_path, module):
    archive = make_moses(tmp_path / "a.zip", b"a\n", b"b\n")
    arguments = ("corpora.moses", archive, tmp_path / "en.txt", tmp_path / "pt.txt")
    for options in ((), ("--languages", "en", "pt_br")):
        done = module(*arguments, *options)
        assert done.returncode == 0, done.stderr
        assert read_lines(tmp_path / "pt.txt") == ["b"]


@pytest.mark.slow
def test_moses_memory_does_not_grow(tmp_path):
    peaks = []
    for size in (5_000, 40_000):
        archive = make_moses(
            tmp_path / "a.zip",
            "".join(f"This is line {i} of a long film.\n" for i in range(size)).encode(),
            "".join(f"Esta é a linha {i} de um longo filme.\n" for i in range(size)).encode(),
        )
        tracemalloc.start()
        read_moses(archive, tmp_path / "en.txt.gz", tmp_path / "pt.txt.gz")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 200_000


def test_moses_with_two_corpora_in_one_archive(tmp_path):
    archive = make_moses(tmp_path / "a.zip", b"a\n", b"b\n")
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("Other.en-pt_br.en", b"c\n")
    with pytest.raises(InputError, match=r"two members for language en: Corpus\.en-pt_br\.en, Other\.en"):
        read_moses(archive, tmp_path / "en.txt", tmp_path / "pt.txt")


def test_marks_and_tabs_of_other_systems(tmp_path):
    """A byte order mark is no text; what later stages use as separators becomes a space."""
    mark = "\ufeff".encode()
    archive = make_moses(tmp_path / "a.zip", mark + b"a\tb\r\n", mark + b"c\rd\n")
    read_moses(archive, tmp_path / "en.txt", tmp_path / "pt.txt")
    assert (tmp_path / "en.txt").read_text() + (tmp_path / "pt.txt").read_text() == "a b\nc d\n"
    gyafc = make_gyafc(tmp_path / "g")
    for domain in ("Entertainment_Music", "Family_Relationships"):
        for name in ("informal", "formal"):
            (gyafc / domain / "train" / name).write_bytes(mark + b"a\tb\r\r\n\xe2\x80\xa8c")
    read_gyafc(gyafc, tmp_path / "gyafc")
    assert (tmp_path / "gyafc/train.formal.txt").read_bytes().decode() == "a b \n\u2028c\n" * 2
    xformal = make_xformal(tmp_path / "x" / "it", size=1)
    (xformal / "formal.ref1").write_bytes(mark + b"a\tb\r\n")
    read_xformal(tmp_path / "x", tmp_path / "xformal", language="it")
    assert (tmp_path / "xformal/formal.ref1.txt").read_text() == "a b\n"
    (tmp_path / "answers").write_bytes(mark + b"1.0\t1\tid\tOne .\r\n-1\t\tid\tTwo .\r\n")
    read_pt16(tmp_path / "answers", tmp_path / "pt16", held_out=0, seed=1)
    assert read_lines(tmp_path / "pt16/train.sentences.txt") == ["One.", "Two."]


def test_an_empty_file_is_named(tmp_path):
    gyafc = make_gyafc(tmp_path / "g")
    for name in ("informal", "formal"):
        (gyafc / "Family_Relationships" / "train" / name).write_bytes(b"")
    with pytest.raises(InputError, match=r"Family_Relationships/train/informal: no sentence"):
        read_gyafc(gyafc, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_pt16_in_another_encoding(tmp_path):
    (tmp_path / "blog").write_bytes(b"1.0\t1\tid\tOne .\n1.0\t1\tid\tcaf\xe9 .\n")
    with pytest.raises(InputError, match=r"blog:2: not UTF-8 \(byte 12 of the line is 0xe9\)"):
        read_pt16(tmp_path / "blog", tmp_path / "out", held_out=0, seed=1)


@pytest.mark.parametrize("genre", ["blog", "news"])
def test_pt16_real_genres_in_another_encoding(mirror, tmp_path, genre):
    with pytest.raises(InputError, match=rf"{genre}:\d+: not UTF-8"):
        read_pt16(mirror / "pt16/data" / genre, tmp_path / "out", held_out=0, seed=1)
