"""Common parts of the fuzz tests of corpus readers: the number of cases, odd files, and a plain reader.

TUVOUS_FUZZ is the number of cases for each reader; the default suits every day.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from workflow_scripts.core.errors import InputError

fuzz = settings(
    max_examples=int(os.environ.get("TUVOUS_FUZZ", "60")),
    deadline=20_000,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# What released files hold besides sentences, and what they should not hold.
PIECES = st.sampled_from(
    [
        *("\n", "\r\n", "\r", "\n\n", "\t", " ", "\0", "\x0b", "\x0c", "\x1c", "\x85"),
        *(
            "\ufeff",
            "\u2028",
            "\u2029",
            "\u00a0",
            "\u202f",
            "\u0301",
            "😀",
            "é",
            "word",
            "Two words.",
            "x" * 70_000,
        ),
        *("[F]", "[/F]", "[F]usted[F]", "[/F]te[F]", '"', "\\", "{", "}"),
    ]
).map(str.encode)
FILE = st.lists(PIECES | st.binary(max_size=6), max_size=12).map(b"".join)
# Half of the cases get as far as the sentences: the second file has the first one's line feeds.
TWO = st.tuples(FILE, FILE) | FILE.map(lambda data: (data, data.replace(b"word", b"mot")))


def raw_lines(data: bytes) -> list[bytes]:
    return data.removesuffix(b"\n").split(b"\n") if data else []


def bad_line(data: bytes) -> int | None:
    """The first line that is not UTF-8, counted from 1."""
    for number, line in enumerate(raw_lines(data), 1):
        try:
            line.decode()
        except UnicodeDecodeError:
            return number
    return None


def sentences(data: bytes) -> list[str] | None:
    """What a file says, read in the plainest way; None if it says nothing that can be read."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    found = text.removesuffix("\n").split("\n") if text else []
    found = [line.removesuffix("\r") for line in found]
    if found:
        found[0] = found[0].removeprefix("\ufeff")
    return [line.replace("\r", " ").replace("\t", " ") for line in found]


def filled(data: bytes) -> list[str] | None:
    """As `sentences`, but None if a line is empty, or there is none."""
    found = sentences(data)
    return found if found and all(line.strip() for line in found) else None


def parsed(path: Path) -> list[str]:
    data = path.read_bytes()
    assert not data or data.endswith(b"\n")
    return data.decode().split("\n")[:-1]


@contextmanager
def folder() -> Iterator[Path]:
    """A folder for one case."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def names_place(error: InputError, root: Path) -> bool:
    """Whether a message is one line that names a file of the corpus."""
    return str(root) in str(error) and "\n" not in str(error)


def put(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def read_or_refused(path: Path, data: bytes, read: Callable[[Path], Any]) -> Any:
    """The result of reading these bytes, or None if they are refused with an error that names their place.

    The place is the file and a line; of an empty file, the file alone may be named.
    """
    try:
        return read(put(path, data))
    except InputError as error:
        assert names_place(error, path) and (error.line is not None or not data)
        return None
