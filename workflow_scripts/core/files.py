"""Reading and writing the files on which stages meet.

A text file is UTF-8, one sentence a line, lines end with LF and with nothing else (no-break spaces, form
feeds and U+2028 are text). A name that ends in ``.gz`` is compressed, byte for byte the same each time.
Every file is written to a temporary name in the same folder and renamed at the end, so that nobody ever
sees half a file.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import math
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, TypeVar

from tqdm import tqdm

from workflow_scripts.core.errors import InputError

T = TypeVar("T")


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file without their LF, in constant memory.

    Raises InputError if the file is missing or a folder, is not UTF-8 (naming the line) or is a broken gzip.
    """
    number = 0
    try:
        with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as stream:
            for raw in stream:
                number += 1
                yield raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
        if not number and path.suffix == ".gz" and not path.stat().st_size:
            raise EOFError("not a byte in it")
    except FileNotFoundError:
        raise InputError("no such file", path=path) from None
    except IsADirectoryError:
        raise InputError("a folder, not a file", path=path) from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8 (byte {error.start} of the line is {error.object[error.start]:#04x})",
            path=path,
            line=number,
            fix="convert it, for example with iconv -f latin1 -t utf-8",
        ) from None
    except (EOFError, zlib.error, OSError) as error:
        if path.suffix != ".gz":
            raise
        raise InputError(
            f"broken gzip after line {number} ({error})", path=path, fix="delete it and run again"
        ) from None


def read_lines(path: Path, *, filled: bool = False) -> list[str]:
    """Return all lines of a text file; with `filled`, an empty line is an InputError."""
    text = list(lines(path))
    if filled:
        for number, line in enumerate(text, 1):
            if not line.strip():
                raise InputError("empty line", path=path, line=number, fix="every line needs a sentence")
    return text


def parallel(*paths: Path) -> Iterator[tuple[str, ...]]:
    """Yield the lines of several files side by side, in constant memory.

    Raises InputError, naming the files and their numbers of lines, if they differ in length.
    """
    streams = [lines(path) for path in paths]
    for count, row in enumerate(_zip_longest(streams)):
        if None in row:
            counts = [
                count + (first is not None) + sum(1 for _ in rest)
                for first, rest in zip(row, streams, strict=True)
            ]
            raise InputError(
                "files are not parallel: "
                + ", ".join(f"{path} has {n} lines" for path, n in zip(paths, counts, strict=True)),
                fix="every file needs one line per sentence",
            )
        yield row  # type: ignore[misc]


def _zip_longest(streams: Sequence[Iterator[str]]) -> Iterator[tuple[str | None, ...]]:
    while any(row := tuple(next(stream, None) for stream in streams)) or not all(v is None for v in row):
        yield row


def read_parallel(*paths: Path, filled: bool = False) -> list[list[str]]:
    """Return the lines of each file; all files must have the same number of lines (see `parallel`)."""
    for _ in parallel(*paths):
        pass
    return [read_lines(path, filled=filled) for path in paths]


@contextmanager
def writing(path: Path, *, binary: bool = False) -> Iterator[IO]:
    """Open a file for writing under a temporary name; rename it when the block ends without an error.

    The parent folder is made. After an error (a full disk, a Ctrl-C) the temporary file is removed and what
    stood at `path` before still stands there.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with ExitStack() as stack:
            stream: IO = stack.enter_context(part.open("wb"))
            raw = stream
            if path.suffix == ".gz":
                # No name and no time in the header: the same text gives the same bytes.
                stream = stack.enter_context(
                    gzip.GzipFile(filename="", mode="wb", fileobj=stream, compresslevel=6, mtime=0)  # type: ignore[arg-type]
                )
            if not binary:
                stream = stack.enter_context(
                    io.TextIOWrapper(stream, encoding="utf-8", newline="\n", write_through=False)
                )
            yield stream
            if not binary:
                stream.flush()
            raw.flush()
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def writing_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder that replaces `path` when the block ends without an error."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir()
    try:
        yield part
        shutil.rmtree(path, ignore_errors=True)
        os.replace(part, path)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def write_lines(path: Path, text: Iterable[str]) -> int:
    """Write one string a line and return their number; a string that holds a line feed is a bug."""
    count = 0
    with writing(path) as stream:
        for count, line in enumerate(text, 1):
            if "\n" in line:
                raise ValueError(f"line {count} for {path} holds a line feed: {line!r}")
            stream.write(line + "\n")
    return count


def read_numbers(path: Path, column: int = 0) -> list[float]:
    """Return the numbers in one tab-separated column; InputError names the line of a field that is none.

    What is not finite is no number: nan would go through all sums that come after.
    """
    numbers = []
    for number, line in enumerate(lines(path), 1):
        fields = line.split("\t")
        try:
            numbers.append(float(fields[column]))
            if not math.isfinite(numbers[-1]):
                raise ValueError
        except (ValueError, IndexError):
            field = repr(fields[column]) if column < len(fields) else f"missing (column {column + 1})"
            raise InputError(f"{field} is not a number", path=path, line=number) from None
    return numbers


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def progress(items: Iterable[T], what: str, total: int | None = None, unit: str = "line") -> Iterator[T]:
    """Pass items on, with a progress bar on a terminal and a line every ten seconds in a log."""
    return iter(
        tqdm(
            items,
            desc=what,
            total=total,
            unit=unit,
            unit_scale=True,
            mininterval=0.5 if sys.stderr.isatty() else 10,
            ascii=not sys.stderr.isatty(),
            file=sys.stderr,
        )
    )


def chunks(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Cut a stream into lists of `size` items (the last may be shorter)."""
    chunk: list[T] = []
    for item in items:
        chunk.append(item)
        if len(chunk) == size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def map_lines(
    source: Path, target: Path, function: Callable[[list[str]], list[str]], size: int = 10_000
) -> int:
    """Write `function` of every chunk of lines of `source` to `target`, streaming; return the line count."""
    return write_lines(target, (out for chunk in chunks(lines(source), size) for out in function(chunk)))
