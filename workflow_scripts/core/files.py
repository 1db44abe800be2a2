"""Reading and writing the files on which stages meet.

A text file is UTF-8 with one sentence per line; only LF ends a line (no-break spaces, form feeds and U+2028
are text). A file whose name ends in ``.gz`` is compressed, with the same bytes each time. Every file is
written under a temporary name in the same folder and renamed at the end, so that nobody ever sees half a
file. No line is longer than `LONGEST_LINE`: a gzip of 17 MB can contain a line of 4 GiB.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import math
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar
from weakref import WeakSet

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fields import check_size
from workflow_scripts.core.system_errors import explained
from workflow_scripts.core.temporary import replacing

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")
# In bytes; no sentence and no row of a table comes near it.
LONGEST_LINE = 1 << 20
# Progress bars that have not ended.
_bars: WeakSet[tqdm] = WeakSet()


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file without their LF, in constant memory.

    Raises InputError if the file cannot be read (see `reading`), is not UTF-8 or has too long a line (naming
    the line).
    """
    with reading(path) as stream:
        yield from text_lines(stream, path)


@contextmanager
def reading(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, decompressed if its name ends in ``.gz``.

    Raises InputError if the system refuses to read it, here or in the block, and for a broken gzip.
    """
    packed = path.suffix == ".gz"
    try:
        with ExitStack() as stack:
            stream: IO[bytes] = stack.enter_context(path.open("rb"))
            if packed:
                if not path.stat().st_size:
                    raise EOFError("not a byte in it")
                # A buffer of bytes finds the ends of lines faster than GzipFile itself.
                unpacked: Any = stack.enter_context(gzip.GzipFile(fileobj=stream))
                stream = stack.enter_context(io.BufferedReader(unpacked, 1 << 16))
            yield stream
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        if not packed:
            raise
        raise InputError(f"broken gzip ({error})", path=path, fix="get or make it again") from None
    except OSError as error:
        # An error about another file.
        known = explained(error, path) if error.filename in (None, str(path)) else None
        if known is None:
            raise
        raise known from None


def text_lines(stream: IO[bytes], name: Path | str) -> Iterator[str]:
    """Yield the lines of a stream of UTF-8 bytes without their LF (or CR LF), in constant memory.

    `name` is the stream's name in messages. Raises InputError, naming the line, for bytes that are not UTF-8
    and for a line of more than `LONGEST_LINE` bytes, of which no more is read.
    """
    number = 0
    try:
        # With room for CR LF.
        for raw in iter(partial(stream.readline, LONGEST_LINE + 2), b""):
            number += 1
            if len(raw) > LONGEST_LINE and len(raw.rstrip(b"\r\n")) > LONGEST_LINE:
                raise InputError(
                    f"a line of more than {LONGEST_LINE} bytes", path=name, line=number, fix="is this text?"
                )
            yield raw.decode("utf-8").removesuffix("\n").removesuffix("\r")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8 (byte {error.start} of the line is {error.object[error.start]:#04x})",
            path=name,
            line=number,
            fix="convert it, for example with iconv -f latin1 -t utf-8",
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


def check_targets(sources: Sequence[Path], targets: Sequence[Path]) -> None:
    """Raise InputError if the numbers of sources and targets differ."""
    if len(sources) != len(targets):
        raise InputError(f"{len(sources)} sources but {len(targets)} targets", fix="give as many of each")


@contextmanager
def writing(path: Path, *, binary: bool = False) -> Iterator[IO]:
    """Open a file for writing under a temporary name; rename it when the block ends without an error.

    The parent folder is created. After an error (a full disk, Ctrl-C) the temporary file is removed, and an
    earlier file at `path` is unchanged.
    """
    with replacing(path) as part, ExitStack() as stack:
        stream: IO = stack.enter_context(part.open("wb"))
        if Path(path).suffix == ".gz":
            # No name and no time in the header: the same text gives the same bytes.
            stream = stack.enter_context(
                gzip.GzipFile(filename="", mode="wb", fileobj=stream, compresslevel=6, mtime=0)  # type: ignore[arg-type]
            )
        if not binary:
            stream = stack.enter_context(
                io.TextIOWrapper(stream, encoding="utf-8", newline="\n", write_through=False)
            )
        yield stream


@contextmanager
def writing_folder(path: Path) -> Iterator[Path]:
    """Yield an empty temporary folder that replaces `path` when the block ends without an error.

    An earlier folder stays at `path`, or beside it, until the new one is in its place; see `temporary.sweep`.
    """
    with replacing(path, folder=True) as part:
        yield part


def write_lines(path: Path, text: Iterable[str]) -> int:
    """Write one string per line and return their number; a string that contains a line feed is a bug."""
    count = 0
    with writing(path) as stream:
        for count, line in enumerate(text, 1):
            if "\n" in line:
                raise ValueError(f"line {count} for {path} contains a line feed: {line!r}")
            stream.write(line + "\n")
    return count


def read_numbers(path: Path, column: int = 0) -> list[float]:
    """Return the numbers in one tab-separated column; InputError names the line of a field without one.

    Infinite numbers and nan are refused: nan would spread through all later sums. Numbers that are too large
    for sums (`fields.LARGEST`) are refused as well.
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
        check_size(numbers[-1], fields[column], path, number)
    return numbers


def digest(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def digests_in(folder: Path) -> list[str]:
    """`name=digest` of each file in a folder, sorted by name; hidden files are left out."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and not path.name.startswith("."))
    return [f"{path.name}={digest(path)}" for path in files]


def progress(items: Iterable[T], what: str, total: int | None = None, unit: str = "line") -> Iterator[T]:
    """Yield the items, with a progress bar on a terminal or a line every ten seconds in a log."""
    # Imported here, since rules import this module, and Snakemake's own environment has no tqdm.
    from tqdm import tqdm

    bar = tqdm(
        items,
        desc=what,
        total=total,
        unit=unit,
        unit_scale=True,
        mininterval=0.5 if sys.stderr.isatty() else 10,
        ascii=not sys.stderr.isatty(),
        file=sys.stderr,
    )
    _bars.add(bar)
    return iter(bar)


def end_progress() -> None:
    """End the lines of all progress bars, so that the next message begins on a new line."""
    for bar in list(_bars):
        bar.close()


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
    """Write `function` of each chunk of lines of `source`, streaming; return the line count."""
    return write_lines(target, (out for chunk in chunks(lines(source), size) for out in function(chunk)))
