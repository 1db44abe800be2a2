"""Readers: every file is read whole, or file and line are named."""

import csv
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tables import put
from workflow_scripts.core.errors import InputError
from workflow_scripts.leaves.comparison import read_printed
from workflow_scripts.papers.pt16.ratings import read_ratings
from workflow_scripts.politeness.corpus import english_lexicon, read_lexicon, read_requests
from workflow_scripts.politeness.found import read_found

# A long run of its own asks for more: TUVOUS_FUZZ=10000.
CASES = int(os.environ.get("TUVOUS_FUZZ", "300"))
AWKWARD = [
    "\r",
    "\n",
    "\r\n",
    "\ufeff",
    "\u2028",
    "\u00a0",
    '"',
    '""',
    ",",
    "\t",
    "\0",
    "'",
    "[",
    "]",
    "é",
    "क्",
]
PIECES = st.lists(st.sampled_from(AWKWARD) | st.text(max_size=6), max_size=12).map("".join)


# Removed when the tests end: hypothesis makes many files within one test.
FOLDER = tempfile.TemporaryDirectory()


def new_file() -> Path:
    handle, name = tempfile.mkstemp(suffix=".csv", dir=FOLDER.name)
    os.close(handle)
    return Path(name)


def written(data: bytes) -> Path:
    path = new_file()
    path.write_bytes(data)
    return path


def read_or_named(reader: Callable[[Path], object], data: bytes) -> object | None:
    """What a reader makes of some bytes; its complaint must name the file, and the line if there is one."""
    path = written(data)
    try:
        return reader(path)
    except InputError as error:
        assert str(error).startswith(str(path))
        assert "\n" not in str(error)
        assert error.line is None or 1 <= error.line <= data.count(b"\n") + 1
        return None
    finally:
        path.unlink()


READERS: dict[str, tuple[Callable[[Path], object], bytes]] = {
    "requests": (read_requests, b"sentence,score\n"),
    "lexicon": (read_lexicon, b"0,1,2\nStrategy - Please,,\n"),
    "ratings": (read_ratings, b"1.0\t1,1,1,1,1\tid\tAll is well .\n"),
    "printed": (lambda path: read_printed(path, "lang", "metric"), b"lang,metric,printed\n"),
    "found": (read_found, b"rule,lang,strategy,words,flagged,mapped,requests,mean,first,fourth,signature\n"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
@settings(max_examples=CASES)
@given(data=st.binary(max_size=200) | PIECES.map(str.encode), headed=st.booleans())
def test_any_bytes_are_read_or_named(name, data, headed):
    reader, header = READERS[name]
    read_or_named(reader, header + data if headed else data)


@pytest.mark.slow
@settings(max_examples=CASES)
@given(
    texts=st.lists(PIECES.filter(lambda text: text.strip() != ""), min_size=1, max_size=6),
    end=st.sampled_from(["\n", "\r\n"]),
    mark=st.booleans(),
)
def test_no_request_is_lost(texts, end, mark):
    path = new_file()
    with path.open("w", encoding="utf-8", newline="") as stream:
        stream.write("\ufeff" if mark else "")
        writer = csv.writer(stream, lineterminator=end, quoting=csv.QUOTE_ALL)
        writer.writerow(["sentence", "score"])
        writer.writerows([text, "0.5"] for text in texts)
    requests = read_requests(path)
    path.unlink()
    assert [request.text for request in requests] == [text.replace("\r\n", "\n") for text in texts]


@pytest.mark.slow
@settings(max_examples=CASES)
@given(
    entries=st.lists(
        st.tuples(
            PIECES.filter(lambda text: text.strip() != "" and text.splitlines() == [text]),
            st.integers(1, 10**6),
        ),
        max_size=5,
    )
)
def test_a_lexicon_keeps_every_sequence(entries):
    path = new_file()
    put(path, ("0", "1", "2"), [("Strategy - X", "", ""), ("word", str(entries), "True")])
    (word,) = read_lexicon(path)["X"]
    path.unlink()
    assert word.sequences == tuple(entries)


def test_a_very_long_line_is_named():
    long = b"x" * 300_000
    with pytest.raises(InputError, match=r":3: not a row of a CSV"):
        read_requests(written(b"sentence,score\na,1\n" + long + b",1\n"))
    assert len(read_requests(written(b"sentence,score\n" + long[:100_000] + b",1\n"))[0].text) == 100_000
    path = written(b"0,1,2\nStrategy - X,,\nword," + b"[" * 100_000 + b",True\n")
    with pytest.raises(InputError, match=r":3: "):
        read_lexicon(path)


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (b"", None),
        (b"\n", 1),
        (b"text,score\na,1\n", 1),
        (b"sentence,score\n", None),
        (b"sentence,score\na,1\n\nb,2\n", 3),
        (b"sentence,score\na,1,\n", 2),
        (b"sentence,score\na,nan\n", 2),
        (b"sentence,score\na,1e999\n", 2),
        (b"sentence,score\na,1e9\n", 2),
        (b"sentence,score\na,100\nb,-100.5\n", 3),
        (b"sentence,score\na,1_0\n", 2),
        ("sentence,score\na,١\n".encode(), 2),
        (b"sentence,score\n \xc2\xa0,1\n", 2),
        (b"sentence,score\na,1\nb\xff,1\n", 3),
        (b'sentence,score\na,1\n"b,1\nc,1\n', 3),
        (b'sentence,score\n"a"b,1\n', 2),
        (b"sentence,score\na\rb,1\n", 2),
    ],
)
def test_bad_requests_are_named(rows, line):
    with pytest.raises(InputError) as caught:
        read_requests(written(rows))
    assert caught.value.line == line


def test_line_breaks_and_odd_spaces_within_quotes_are_text():
    path = written('\ufeffsentence,score\r\n"a\u2028b,\u00a0""c""\nd",-0.5\r\ne\u2028f,1'.encode())
    assert [(r.text, r.score) for r in read_requests(path)] == [
        ('a\u2028b,\u00a0"c"\nd', -0.5),
        ("e\u2028f", 1),
    ]


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ("word,[],True\n", ":2: no line 'Strategy - ...' before"),
        ("Strategy - A,,\n", "strategy 'A' has no word"),
        ("Strategy - A,,\nw,[],True\nStrategy - A,,\n", ":4: not the only title"),
        ("Strategy - A,,x\n", ":2: not the only title"),
        ("Strategy - A,,\nw,[],yes\n", ":3: not a word"),
        ("Strategy - A,,\nw,\"[('a', 0)]\",True\n", ":3: "),
        ("Strategy - A,,\nw,\"[('a', True)]\",True\n", ":3: "),
        ("Strategy - A,,\nw,\"{'a': 1}\",True\n", ":3: "),
        ("Strategy - A,,\nw,\"[('a', 1)\",True\n", ":3: "),
        ("Strategy - A,,\nw,\"[('a\\nb', 1)]\",True\n", ":3: "),
        ("Strategy - A,,\nw,\"[('a\\ud800', 1)]\",True\n", ":3: "),
        ("Strategy - A,,\nw,\"[('a\\u2028b', 1)]\",True\n", ":3: "),
        ("Strategy - A,,\nw,__import__('os').getcwd(),True\n", ":3: "),
        ("", "no line 'Strategy - ...'"),
    ],
)
def test_bad_lexicons_are_named(rows, says):
    with pytest.raises(InputError) as caught:
        read_lexicon(written(f"0,1,2\n{rows}".encode()))
    assert says in str(caught.value)


def test_long_fields_are_cut_where_they_are_named():
    for size, said in ((40, "x" * 40), (41, "x" * 40 + "...")):
        with pytest.raises(InputError, match=rf"score '{said}' is not a number"):
            read_requests(written(b"sentence,score\na," + b"x" * size + b"\n"))


def test_lexicons_share_their_english_words(tmp_path):
    rows = [("Strategy - A", "", ""), ("one", "[]", "False")]
    ones = put(tmp_path / "aa.csv", ("0", "1", "2"), rows)
    others = put(tmp_path / "bb.csv", ("0", "1", "2"), [*rows, ("two", "[]", "False")])
    with pytest.raises(InputError, match=r"bb.csv: other English words than in aa.csv"):
        english_lexicon([(path, read_lexicon(path)) for path in (ones, others)])


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"1\t1\tid", "3 tab-separated fields instead of 4"),
        (b"x\t1\tid\ttext", "rating 'x' is not a number from -3 to 3"),
        (b"3.5\t1\tid\ttext", "rating '3.5' is"),
        (b"-3.1\t1\tid\ttext", "rating '-3.1' is"),
        (b"1\t1,4\tid\ttext", "rating '4' is"),
        (b"1\t1_0\tid\ttext", "rating '1_0' is"),
        (b"\xff" + b"9" * 99 + b"\t1\tid\ttext", r"rating '\\\\xff9{39}' is"),
        (b"", "1 tab-separated fields instead of 4"),
    ],
)
def test_bad_ratings_are_named(line, says):
    with pytest.raises(InputError, match=says) as caught:
        read_ratings(written(b"1.0\t1,1\tid\ttext\n" + line + b"\n1.0\t1,1\tid\ttext\n"))
    assert caught.value.line == 2


def test_sentences_of_ratings_may_have_any_encoding():
    assert read_ratings(written(b"-1.5\t-1,-2\tid\tcaf\xe9\r\n2\t\tid\t\xff\xfe")) == [-1.5, 2.0]
