"""Archives and XML, harmed or not: all lines come out, or a message with the file does."""

import gzip
import io
import re
import tarfile
import zipfile
from itertools import pairwise
from typing import Any
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.corpora.fuzzing import (
    FILE,
    TWO,
    bad_line,
    folder,
    fuzz,
    names_place,
    parsed,
    put,
    raw_lines,
    sentences,
)
from workflow_scripts.core.counts import read_counts
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines
from workflow_scripts.corpora.moses import read_moses
from workflow_scripts.corpora.sources.unpack import unpack
from workflow_scripts.corpora.yahoo import read_yahoo

# A harm is done to the bytes of an archive: nothing, a cut, or another byte in one place.
HARM = st.tuples(st.sampled_from(["none", "cut", "byte"]), st.floats(0, 1), st.integers(1, 255))


def harmed(data: bytes, harm: tuple[str, float, int]) -> bytes:
    kind, where, change = harm
    place = min(int(where * len(data)), len(data) - 1)
    if kind == "cut":
        return data[:place]
    if kind == "byte":
        return data[:place] + bytes([data[place] ^ change]) + data[place + 1 :]
    return data


@fuzz
@given(FILE, HARM)
def test_fuzz_lines_of_gzip(data, harm):
    with folder() as root:
        path = put(root / "a.txt.gz", harmed(gzip.compress(data, mtime=0), harm))
        try:
            found = list(lines(path))
        except InputError as error:
            assert names_place(error, path)
            assert harm[0] != "none" or error.line == bad_line(data)
        else:
            # A checksum protects it.
            assert found == [line.decode().removesuffix("\r") for line in raw_lines(data)]


def zipped(members: dict[str, bytes], method: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name), content, method)
    return stream.getvalue()


METHODS = st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])


@fuzz
@given(TWO, METHODS, HARM, st.booleans())
def test_fuzz_moses(data, method, harm, twice):
    members = {"README": b"text", "Any.en-pt_br.pt_br": data[1], "Any.en-pt_br.en": data[0]}
    if twice:
        members["Other.en-pt_br.en"] = data[0]
    expected = [sentences(content) for content in data]
    readable = all(expected) and len(expected[0] or []) == len(expected[1] or []) and not twice
    with folder() as root:
        path = put(root / "in" / "en-pt_br.txt.zip", harmed(zipped(members, method), harm))
        outs = root / "out" / "en", root / "out" / "pt"
        try:
            read_moses(path, *outs)
        except InputError as error:
            assert names_place(error, path) and not (outs[0].exists() or outs[1].exists())
            assert harm[0] != "none" or not readable
        else:
            # A harmed name may be no name of a language any more.
            assert readable or (twice and harm[0] == "byte")
            assert [parsed(out) for out in outs] == expected


@fuzz
@given(FILE | FILE.map(b"PK\x03\x04".__add__))
def test_fuzz_moses_of_bytes(data):
    with folder() as root:
        path = put(root / "en-it.txt.zip", data)
        with pytest.raises(InputError) as caught:
            read_moses(path, root / "en", root / "it")
        assert names_place(caught.value, path)


@pytest.mark.slow
@fuzz
@given(FILE, HARM, st.sampled_from(["zip", "tar", "tar.gz", "tar.xz", "tar.bz2"]), METHODS)
def test_fuzz_unpack(data, harm, kind, method):
    if kind == "zip":
        whole = zipped({"a/b": data, "c": b"c"}, method)
    else:
        stream = io.BytesIO()
        with tarfile.open(fileobj=stream, mode=f"w:{kind.removeprefix('tar').removeprefix('.')}") as file:  # type: ignore[call-overload]
            for name, content in (("a/b", data), ("c", b"c")):
                info = tarfile.TarInfo(name)
                info.size = len(content)
                file.addfile(info, io.BytesIO(content))
        whole = stream.getvalue()
    with folder() as root:
        path = put(root / f"x.{kind}", harmed(whole, harm))
        try:
            unpack(path, root / "out")
        except InputError as error:
            assert names_place(error, path) and harm[0] != "none" and not (root / "out").exists()
        else:
            # A tar has no checksum of its content.
            if harm[0] == "none" or kind != "tar":
                assert (root / "out/a/b").read_bytes() == data


LEGAL = [
    *("\n", "\r\n", "\t", " ", "\u2028", "\u00a0", "\u0301", "😀", "é", "word", "Two words.", "&", "]]>"),
    *("<br>", "<br />", "</p>", "<b>", "< p>", "<", ">", "x" * 70_000, "<" + " " * 70_000, "<p " * 20_000),
]
ANSWER = st.lists(st.sampled_from(LEGAL), max_size=6).map("".join)


def expected_lines(answer: str) -> list[str]:
    """What an answer gives, written without the reader's own pattern."""
    first, *pieces = answer.replace("\r\n", "\n").strip().split("<")
    text = first
    for piece in pieces:
        tag, closed, rest = piece.partition(">")
        breaks = closed and tag.replace("/", " ", 1).split()[:1] in (["br"], ["p"])
        text += f"\n{rest}" if breaks else f"<{piece}"
    return [" ".join(line.split()) for line in re.split("[\n\u2028]", text) if line.strip()]


@fuzz
@given(
    st.lists(ANSWER, max_size=3),
    st.sampled_from(["none", "inside", "outside"]),
    st.sampled_from(["", "UTF-8", "latin-1", "utf-16", "cp037", "hex", "no-such", "shift_jis", "idna"]),
    st.lists(st.floats(0, 1), max_size=2).map(sorted),
    HARM,
)
def test_fuzz_yahoo(answers, markup, encoding, cuts, harm):
    # A text with other text outside of it; a text with an element in it.
    extra = {"none": "", "inside": "<answer_item>one<br/>two</answer_item>", "outside": ""}[markup]
    items = "".join(f"<answer_item>{escape(text, {chr(13): '&#xd;'})}</answer_item>" for text in answers)
    after = "<bestanswer>lost</bestanswer>" if markup == "outside" else ""
    head = f'<?xml version="1.0" encoding="{encoding}"?>' if encoding else ""
    question = f"<document>{extra}{items}<qlang>fr</qlang><maincat>x</maincat></document>"
    data = harmed(f"{head}<feed><vespaadd>{question}</vespaadd>{after}</feed>".encode(), harm)
    plain = harm[0] == "none" and encoding in ("", "UTF-8")
    expected = [
        *(["one", "two"] if extra else []),
        *(line for text in answers for line in expected_lines(text)),
    ]
    bounds = [0, *(int(cut * len(data)) for cut in cuts), len(data)]
    with folder() as root:
        parts = [
            put(root / "in" / f"x.xml.part{number}.gz", gzip.compress(data[start:end], mtime=0))
            for number, (start, end) in enumerate(pairwise(bounds))
        ]
        options: dict[str, Any] = {"language": "fr", "category": "none"}
        try:
            read_yahoo(*parts, out=root / "out.txt", counts=root / "counts.tsv", **options)
        except InputError as error:
            assert "\n" not in str(error) and not (root / "out.txt").exists()
            assert str(root) in str(error) or "language 'fr'" in str(error)
            assert not plain or not expected or markup == "outside"
        else:
            found = parsed(root / "out.txt")
            assert all(line.strip() for line in found)
            assert read_counts(root / "counts.tsv")["sentences"] == len(found)
            if plain:
                assert found == expected and markup != "outside"


@fuzz
@given(FILE | FILE.map(b"<a>".__add__), st.sampled_from(["x.xml", "x.xml.gz"]), st.booleans())
def test_fuzz_yahoo_of_bytes(data, name, packed):
    with folder() as root:
        path = put(root / name, gzip.compress(data) if packed else data)
        with pytest.raises(InputError) as caught:
            read_yahoo(path, out=root / "o", counts=root / "c", language="fr", category="none")
        assert "\n" not in str(caught.value) and not (root / "o").exists()
