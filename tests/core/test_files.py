import gzip
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from workflow_scripts.core.counts import HEADER, read_counts
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import (
    LONGEST_LINE,
    chunks,
    digest,
    lines,
    parallel,
    read_lines,
    read_numbers,
    read_parallel,
    write_lines,
    writing,
    writing_folder,
)

# Everything that is text, line separators of other worlds included, but no LF and no final CR.
SENTENCES = st.lists(
    st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])).filter(
        lambda text: not text.endswith("\r")
    )
)


@pytest.mark.slow
@given(SENTENCES)
def test_written_lines_come_back(tmp_path_factory, text):
    for name in ("a.txt", "a.txt.gz"):
        path = tmp_path_factory.mktemp("files") / name
        assert write_lines(path, text) == len(text)
        assert read_lines(path) == text


def test_gzip_has_the_same_bytes_each_time(tmp_path, monkeypatch):
    """Its header has room for a name and for the time, in seconds."""
    now = time.time()
    for number, name in enumerate(("a.txt.gz", "b.txt.gz")):
        monkeypatch.setattr(time, "time", lambda number=number: now + 5 * number)
        write_lines(tmp_path / name, ["um", "dois"])
    assert digest(tmp_path / "a.txt.gz") == digest(tmp_path / "b.txt.gz")


def test_bytes_that_are_not_utf8_are_named(tmp_path):
    path = tmp_path / "latin1.txt"
    path.write_bytes(b"bom\n" + "não\n".encode("latin1"))
    with pytest.raises(InputError, match=r"latin1\.txt:2: not UTF-8"):
        read_lines(path)


def test_a_cut_gzip_is_bad_input(tmp_path):
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"um\n" * 1000)[:-12])
    with pytest.raises(InputError, match="broken gzip"):
        read_lines(path)


def test_files_of_different_lengths_are_named_with_their_counts(tmp_path):
    write_lines(tmp_path / "a.txt", ["", "b", "c"])
    write_lines(tmp_path / "b.txt", ["a", "b"])
    with pytest.raises(InputError, match=r"a\.txt has 3 lines, .*b\.txt has 2 lines"):
        read_parallel(tmp_path / "a.txt", tmp_path / "b.txt")
    assert list(parallel(tmp_path / "b.txt", tmp_path / "b.txt")) == [("a", "a"), ("b", "b")]


def test_an_empty_line_is_named(tmp_path):
    write_lines(tmp_path / "a.txt", ["a", " ", "c"])
    with pytest.raises(InputError, match=r"a\.txt:2: empty line"):
        read_lines(tmp_path / "a.txt", filled=True)


def test_a_field_that_is_no_number_is_named(tmp_path):
    write_lines(tmp_path / "a.txt", ["1.5", "formal"])
    with pytest.raises(InputError, match=r"a\.txt:2: 'formal' is not a number"):
        read_numbers(tmp_path / "a.txt")


def test_an_error_leaves_what_stood_there(tmp_path):
    path = tmp_path / "a.txt"
    write_lines(path, ["old"])
    with pytest.raises(RuntimeError), writing(path) as stream:
        stream.write("new")
        raise RuntimeError
    with pytest.raises(RuntimeError), writing_folder(tmp_path / "folder") as folder:
        (folder / "file").touch()
        raise RuntimeError
    assert read_lines(path) == ["old"]
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path):
    """The limit on file size stands in for a disk that is full: the same error from the same call."""
    code = (
        "import resource, signal, errno, os\n"
        "from pathlib import Path\n"
        "from workflow_scripts.core.command import run\n"
        "from workflow_scripts.core.files import write_lines\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))\n"
        "def fill(target: Path) -> None:\n"
        "    '''Write too much.\n\n    :param target: file\n    '''\n"
        "    try:\n"
        "        write_lines(target, ['x' * 99] * 10_000)\n"
        "    except OSError as error:\n"
        "        assert error.errno == errno.EFBIG\n"
        "        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target)) from None\n"
        "run(fill)\n"
    )
    target = tmp_path / "out" / "a.txt"
    done = subprocess.run([sys.executable, "-c", code, str(target)], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ") and "no space left" in done.stderr
    assert done.stderr.count("\n") == 1
    assert os.listdir(target.parent) == []


def test_chunks_keep_every_item():
    assert list(chunks(range(5), 2)) == [[0, 1], [2, 3], [4]]


def test_the_nearest_word_is_offered():
    assert nearest("treshold", ["threshold", "pack"]) == "did you mean 'threshold'?"
    assert nearest("zzz", ["b", "a"]) == "known: a, b"
    assert next(lines(Path(__file__))) == Path(__file__).read_text(encoding="utf-8").split("\n")[0]


def test_what_is_no_text_file_is_named(tmp_path):
    whole = gzip.compress(b"one\ntwo\n" * 1000, mtime=0)
    damaged = whole[:15] + bytes([whole[15] ^ 0xFF]) + whole[16:]
    for data in (b"", b"plain", whole[:-9], damaged):
        (tmp_path / "a.gz").write_bytes(data)
        with pytest.raises(InputError, match=r"a\.gz: broken gzip \("):
            list(lines(tmp_path / "a.gz"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError, match="folder: a folder, not a file"):
        list(lines(tmp_path / "folder"))


@pytest.mark.parametrize("number", ["nan", "inf", "-1e999"])
def test_what_is_not_finite_is_no_number(tmp_path, number):
    (tmp_path / "a.txt").write_text(f"1\n{number}\n")
    with pytest.raises(InputError, match=rf"a\.txt:2: '{number}' is not a number"):
        read_numbers(tmp_path / "a.txt")


def test_what_is_too_large_for_sums_is_named(tmp_path):
    (tmp_path / "a.txt").write_text("1e15\n-1e308\n")
    with pytest.raises(InputError, match=r"a\.txt:2: '-1e308' is too large"):
        read_numbers(tmp_path / "a.txt")


@pytest.mark.parametrize(
    ("text", "line"), [("", None), ("raw\t1\n", 1), ("\nraw\t²\n", 2), ("\na\t1\nb\t2\na\t3\n", 4)]
)
def test_counts_with_a_mistake(tmp_path, text, line):
    (tmp_path / "counts.tsv").write_text((HEADER if text.startswith("\n") else "") + text, encoding="utf-8")
    with pytest.raises(InputError, match="count") as error:
        read_counts(tmp_path / "counts.tsv")
    assert error.value.line == line


BOMB = """
import resource, sys
from pathlib import Path
from workflow_scripts.core import command
from workflow_scripts.core.csv_files import read_rows
from workflow_scripts.core.files import lines
def read(path: Path) -> None:
    '''Read.

    :param path: file
    '''
    # One line of 4 GiB is more than there is.
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    sum(1 for _ in (READ))
command.run(read)
"""


@pytest.fixture(scope="module")
def bomb(tmp_path_factory):
    """A gzip of a few MB: a beginning, and then 4 GiB of some bytes."""
    folder = tmp_path_factory.mktemp("bombs")

    def made(begin: bytes, filling: bytes) -> Path:
        path = folder / f"{len(os.listdir(folder))}.gz"
        # Members of a gzip stand one after another: one of 64 MiB, 64 times.
        member = gzip.compress(filling * ((64 << 20) // len(filling)), 9, mtime=0)
        path.write_bytes(gzip.compress(begin, mtime=0) + member * 64)
        return path

    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    ("begin", "filling", "read", "problem"),
    [
        (b"um\n", b"a", "lines(path)", r":2: a line of more than 1048576 bytes"),
        (b"", b"\0", "lines(path)", r":1: a line of more than 1048576 bytes"),
        (b'a,b\n"', b"a", "read_rows(path, ['a'])", r":2: a line of more than 1048576 bytes"),
        (b'a,b\n"', b'\n","', "read_rows(path, ['a'])", r":2: a row of more than 1048576 characters"),
    ],
)
def test_a_line_without_end_is_refused_before_memory_is_taken(bomb, begin, filling, read, problem):
    path = bomb(begin, filling)
    assert path.stat().st_size < 35 << 20
    command = [sys.executable, "-c", BOMB.replace("READ", read), path]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 2, done.stderr[-2000:]
    assert re.fullmatch(rf"error: .*{problem}.*\n", done.stderr), done.stderr


@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n"])
def test_the_longest_line_is_read(tmp_path, end):
    for name in ("a", "a.gz"):
        for size in (LONGEST_LINE, LONGEST_LINE + 1):
            data = b"x" * size + end + b"next"
            (tmp_path / name).write_bytes(gzip.compress(data, 1) if name == "a.gz" else data)
            if size == LONGEST_LINE and end:
                assert list(map(len, lines(tmp_path / name))) == [size, 4]
            else:
                with pytest.raises(InputError, match=r":1: a line of more than"):
                    list(lines(tmp_path / name))
