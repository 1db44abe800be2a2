"""Any bytes into the readers of text and tables: all lines come out, or a message with file and line does."""

import math
import re
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpora.fuzzing import (
    FILE,
    PIECES,
    TWO,
    bad_line,
    filled,
    folder,
    fuzz,
    names_place,
    parsed,
    put,
    raw_lines,
    read_or_refused,
    sentences,
)
from tests.corpora.test_sources import HEAD, row
from workflow_scripts.core.counts import HEADER, read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, read_lines, read_numbers, write_lines
from workflow_scripts.corpora.gyafc import DOMAINS, SPLITS, groups, read_gyafc
from workflow_scripts.corpora.pt16 import read_pt16
from workflow_scripts.corpora.sources.licensed import check_licensed, missing
from workflow_scripts.corpora.sources.registry import Entry, load
from workflow_scripts.corpora.sources.sums import read_sums
from workflow_scripts.corpora.xformal import FILES, read_xformal


@fuzz
@given(FILE)
def test_fuzz_lines(data):
    with folder() as root:
        path = put(root / "a.txt", data)
        try:
            found = list(lines(path))
        except InputError as error:
            assert names_place(error, path)
            assert error.line == bad_line(data) is not None
        else:
            assert found == [line.decode().removesuffix("\r") for line in raw_lines(data)]


NUMBERS = st.sampled_from([b"1", b"-0.5", b"1e3", b"nan", b"inf", b"1e999", b"x", b"", b" 2 ", b"\t3"])


@fuzz
@given(st.lists(NUMBERS, max_size=6).map(b"\n".join) | FILE)
def test_fuzz_numbers(data):
    with folder() as root:
        path = put(root / "scores.txt", data)
        try:
            found = read_numbers(path)
        except InputError as error:
            assert names_place(error, path) and error.line is not None
        else:
            assert len(found) == len(raw_lines(data)) and all(map(math.isfinite, found))


COUNTS = st.tuples(
    st.sampled_from(["raw", "dropped:url", "", "\u2028", "a b", "\ufeff"]),
    st.sampled_from(["0", "17", "-1", "²", "٣", "9" * 5000, "", "1\t2", "1 "]),
).map(lambda pair: "\t".join(pair).encode())


@fuzz
@given(
    st.lists(COUNTS, max_size=5).map(lambda rows: b"\n".join([HEADER.encode(), *rows]))
    | FILE
    | FILE.map((HEADER.encode() + b"\n").__add__)
)
def test_fuzz_counts(data):
    with folder() as root:
        found = read_or_refused(root / "counts.tsv", data, read_counts)
        if found is not None:
            rows = [line.decode().removesuffix("\r").split("\t") for line in raw_lines(data)]
            assert [[step, str(count)] for step, count in found.items()] == [
                [step, str(int(count))] for step, count in rows[1:]
            ]


@pytest.fixture(scope="module")
def gyafc():
    """The whole layout; a case changes two files of it."""
    with tempfile.TemporaryDirectory() as name:
        for domain in DOMAINS:
            for split in SPLITS:
                for file in [name for group in groups(split) for name in group]:
                    put(Path(name) / domain / split / file, f"{domain}\n".encode())
        yield Path(name)


@pytest.mark.slow
@fuzz
@given(split=st.sampled_from(sorted(SPLITS)), data=TWO)
def test_fuzz_gyafc(gyafc, split, data):
    names = ("informal", "formal" if split == "train" else "formal.ref2")
    files = [gyafc / DOMAINS[1] / split / name for name in names]
    for path, content in zip(files, data, strict=True):
        path.write_bytes(content)
    count = len(sentences(data[0]) or [])
    others = [gyafc / DOMAINS[1] / split / f"formal.ref{i}" for i in (0, 1, 3) if split != "train"]
    for path in others:
        path.write_bytes(b"other\n" * count)
    out = gyafc / "out"
    try:
        expected = [sentences(content) for content in data]
        readable = all(expected) and len(expected[0] or []) == len(expected[1] or [])
        try:
            read_gyafc(gyafc, out)
        except InputError as error:
            assert names_place(error, gyafc) and not readable and not out.exists()
        else:
            assert readable
            for name, text in zip(names, expected, strict=True):
                assert parsed(out / f"{SPLITS[split]}.{name}.txt") == [DOMAINS[0], *(text or [])]
    finally:
        shutil.rmtree(out, ignore_errors=True)
        for path in (*files, *others):
            path.write_bytes(f"{DOMAINS[1]}\n".encode())


@fuzz
@given(st.sampled_from(FILES[1:]), TWO)
def test_fuzz_xformal(name, data):
    expected = [filled(content) for content in data]
    count = len(expected[0] or [])
    readable = all(expected) and len(expected[1] or []) == count
    with folder() as root:
        for file in FILES:
            put(root / "xformal_eval" / "pt-br" / file, b"s\n" * count)
        put(root / "xformal_eval" / "pt-br" / "informal", data[0])
        put(root / "xformal_eval" / "pt-br" / name, data[1])
        try:
            read_xformal(root, root / "out", language="pt")
        except InputError as error:
            assert names_place(error, root) and not readable and not (root / "out").exists()
        else:
            assert readable
            assert parsed(root / "out/informal.txt") == expected[0]
            assert parsed(root / "out" / f"{name}.txt") == expected[1]


RATINGS = st.sampled_from(["1.0", "-3", "3.1", "nan", "1_0", "٣", "", "0.5,1", "1,,2", "9" * 400, "\ufeff1"])
WORDS = st.lists(
    PIECES.map(bytes.decode) | st.sampled_from(["``", "''", "-LRB-", "n't", "( " * 2000, "."]), max_size=5
).map(" ".join)
RATED = st.tuples(RATINGS, RATINGS, st.just("id"), WORDS).map(lambda fields: "\t".join(fields).encode())


def rating(text: str) -> bool:
    return re.fullmatch(r"[+-]?\d+(\.\d+)?", text, re.ASCII) is not None and -3 <= float(text) <= 3


def is_rated(number: int, line: bytes) -> bool:
    """Whether a line can be read as the corpus has them."""
    try:
        text = line.decode().removesuffix("\r")
    except UnicodeDecodeError:
        return False
    fields = (text if number else text.removeprefix("\ufeff")).split("\t")
    return (
        len(fields) == 4
        and rating(fields[0])
        and all(map(rating, filter(None, fields[1].split(","))))
        and bool(fields[3].strip())
    )


@fuzz
@given(st.lists(RATED | st.just(b"1.5\t1,2\tid\tOne sentence ."), max_size=5).map(b"\n".join) | FILE)
def test_fuzz_pt16(data):
    rows = raw_lines(data)
    readable = all(is_rated(number, line) for number, line in enumerate(rows))
    with folder() as root:
        path = put(root / "answers", data)
        try:
            read_pt16(path, root / "out", held_out=0, seed=1)
        except InputError as error:
            assert names_place(error, path) and not (root / "out").exists()
            assert not readable or not rows
            assert error.line is not None or not rows
        else:
            assert readable
            found = parsed(root / "out/train.sentences.txt")
            assert len(found) == len(rows) == len(read_numbers(root / "out/train.scores.txt"))
            for text, line in zip(found, rows, strict=True):
                plain = line.decode().split("\t")[3].replace("-LRB-", "")
                assert [c for c in text if c.isalpha()] == [c for c in plain if c.isalpha()]
                assert text.strip()


NAMES = st.sampled_from(
    [
        *("informal", *(f"formal.ref{i}" for i in range(4))),
        *("pt", "br", "xformal_eval", "gyafc_translated", "x.xml", "x.xml.gz", "x.xml.part1.gz"),
        *("x.xml.part٣.gz", "x.xml.part2.gz", "a\nb", "\u2028", "é", "e\u0301", "\udcff", "a b"),
    ]
)
ENTRIES = {
    name: Entry(name, name, "1", "", "on request", "", "", "", "", "", "place", "licence", "", "ask")
    for name in ("gyafc", "xformal", "yahoo", "yahoo-fr")
}


@fuzz
@given(st.sampled_from(sorted(ENTRIES)), st.lists(st.lists(NAMES, min_size=1, max_size=4), max_size=8))
def test_fuzz_licensed(name, paths):
    with folder() as root:
        for parts in paths:
            path = root.joinpath("place", *parts)
            if not any(p.is_file() for p in (path, *path.parents)) and not path.exists():
                put(path, b"text\n")
        fields = [getattr(ENTRIES[name], field) for field in ENTRIES[name].__dataclass_fields__]
        registry = put(root / "sources.csv", (HEAD + ",".join(fields) + "\n").encode())
        message = missing(ENTRIES[name], root)
        try:
            check_licensed(root, root / "stamp", entry=name, registry=registry)
        except InputError as error:
            assert "\n" not in str(error) and not (root / "stamp").exists()
            assert message == str(error) or "is not a valid file name" in str(error)
        else:
            assert message is None
            for line in read_lines(root / "stamp"):
                file, size = line.split("\t")
                assert (root / "place" / file).stat().st_size == int(size) == 5


@fuzz
@given(
    st.lists(PIECES | st.sampled_from([row("a").encode(), row("b", "generated").encode(), b","]), max_size=6)
    .map(b"".join)
    .map(HEAD.encode().__add__)
    | FILE
)
def test_fuzz_registry(data):
    with folder() as root:
        found = read_or_refused(root / "sources.csv", data, load)
        if found is not None:
            # Only the rows that are made here can be read, and a line break is in none of them.
            assert len(found) == len(raw_lines(data)) - 1


SUM = b"0" * 64
LISTED = st.sampled_from(
    [b"a", b"a/b", b"a//b", b"./a", b".", b"..", b"/a", b"a\0", b"\xc3\xa9", b"a b", b"a/"]
)


@fuzz
@given(st.lists(LISTED.map((SUM + b"  ").__add__) | PIECES, max_size=4).map(b"\n".join) | FILE)
def test_fuzz_sums(data):
    with folder() as root:
        found = read_or_refused(root / "sums", data, read_sums)
        if found is not None:
            assert len(found) == len(raw_lines(data))
            assert len({(root / "x" / name).resolve() for name in found}) == len(found)
            assert all((root / "x") in (root / "x" / name).resolve().parents for name in found)


@pytest.fixture(scope="module")
def vocabulary():
    from workflow_scripts.seq2seq.data import Vocabulary
    from workflow_scripts.unsupervised.words import read_sentences

    with folder() as root:
        write_lines(root / "vocabulary.txt", ["<pad>", "<unk>", "<s>", "</s>", "word", "é", "a\u2028b"])
        known = Vocabulary.read(root / "vocabulary.txt")
    return lambda path: read_sentences(known, path)


@fuzz
@given(
    data=st.lists(
        st.sampled_from(["word", "é", "a\u2028b", " ", "\n", "\r\n", "\u00a0", "<unk>"]), max_size=9
    )
    .map("".join)
    .map(str.encode)
    | FILE
)
def test_fuzz_sentences(vocabulary, data):
    with folder() as root:
        found = read_or_refused(root / "words.txt", data, vocabulary)
        if found is not None:
            words = [line.decode().removesuffix("\r").split(" ") for line in raw_lines(data)]
            assert found.lengths.tolist() == list(map(len, words))
