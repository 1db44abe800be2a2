"""Temporary names for what is being written, how it gets its own name, and what a kill left behind.

A name holds the machine, the process and a random number, since jobs on several machines share a folder:
`.out.txt.3f2a91bc-4711-0badcafe.part`. What is renamed is on the disk before, and its name after that, so
that a machine that goes down leaves the old file or the new one, and never an empty one.
"""

import errno
import hashlib
import os
import re
import secrets
import shutil
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from workflow_scripts.core.system_errors import renamed

# After so many seconds without a change, what another machine wrote is taken for left behind.
OLD = 7 * 24 * 3600
# Folders that are being written: what is in them is brought to the disk together, at the end.
_written: set[Path] = set()


@contextmanager
def replacing(path: Path, *, folder: bool = False) -> Iterator[Path]:
    """Yield a temporary path; what the block makes there replaces `path` if it ends without an error.

    The parent folder is made, and what killed processes left of earlier tries is removed. With `folder`, an
    empty folder is there already. After an error what stood at `path` before still stands there.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    alone = not any(parent in _written for parent in path.parents)
    if alone:
        sweep(path)
    part = _beside(path, "part")
    try:
        if folder:
            part.mkdir()
            _written.add(part)
        yield part
        if alone:
            _to_disk(part)
        _put(part, path)
        if alone:
            _sync(path.parent)
    except Exception as error:
        known = renamed(error, part, path)
        if known is error:
            raise
        raise known from error
    finally:
        _written.discard(part)
        remove(part)


@contextmanager
def scratch(path: Path) -> Iterator[Path]:
    """Yield an empty folder beside `path` for what is made on the way to it.

    It is removed at the end; what a killed process has left goes when `path` is written again.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    sweep(path)
    part = _beside(path, "part")
    part.mkdir()
    try:
        yield part
    finally:
        remove(part)


def sweep(path: Path) -> None:
    """Remove what killed processes left of writing `path`; a folder that was being replaced is put back.

    Whether a process still runs can be asked on its own machine only. What comes from another one, or from
    before names told the machine, goes when nothing in it has changed for a week.
    """
    names = re.compile(
        rf"\.{re.escape(_stem(path))}\.(?:(?P<machine>[0-9a-f]{{8}})-)?(?P<process>\d+)(?:-[0-9a-f]{{8}})?\."
        r"(?P<kind>part|old)"
    )
    try:
        found = [match for name in os.listdir(path.parent) if (match := names.fullmatch(name))]
    except OSError:
        # Whoever writes there will be told why it cannot be.
        return
    for match in found:
        left = path.with_name(match[0])
        gone = match["machine"] == machine() and not runs(int(match["process"]))
        if not gone and not unchanged(left, OLD):
            continue
        if match["kind"] == "old" and not os.path.lexists(path):
            with suppress(OSError):
                os.rename(left, path)
        else:
            remove(left)


def remove(path: Path) -> None:
    """Delete a file, a link or a folder with all that is in it; one that is not there is no error."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink()


def unchanged(path: Path, seconds: float) -> bool:
    """Whether neither a file nor, of a folder, anything in it has changed for so long."""
    newest = 0.0
    with suppress(OSError):
        newest = path.lstat().st_mtime
        for folder, _, files in os.walk(path):
            for name in ("", *files):
                newest = max(newest, os.lstat(os.path.join(folder, name)).st_mtime)
    return newest + seconds < time.time()


@cache
def machine() -> str:
    """Eight digits for this machine; in a container, for its own numbering of processes."""
    try:
        numbering = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        numbering = 0
    return hashlib.sha256(f"{socket.gethostname()} {numbering}".encode()).hexdigest()[:8]


def unique() -> str:
    """A text that no other process writes, on whatever machine: machine, process and a random number."""
    return f"{machine()}-{os.getpid()}-{secrets.token_hex(4)}"


def runs(process: int) -> bool:
    """Whether a process of this machine has not ended."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    try:
        status = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return True
    # One that nobody has waited for has ended; in a container whose first process waits for none, it stays
    # so.
    return status.rpartition(b")")[2].split()[:1] != [b"Z"]


def _beside(path: Path, kind: str) -> Path:
    return path.with_name(f".{_stem(path)}.{unique()}.{kind}")


def _stem(path: Path) -> str:
    """The name, or where little room is left for more (255 bytes), a digest of it."""
    name = os.fsencode(path.name)
    return path.name if len(name) <= 200 else hashlib.sha256(name).hexdigest()[:32]


def _put(part: Path, path: Path) -> None:
    """Rename; a folder that stands at `path` is kept under another name until the new one is there."""
    if part.is_dir() and os.path.lexists(path):
        old = _beside(path, "old")
        os.rename(path, old)
        try:
            os.rename(part, path)
        except BaseException:
            os.rename(old, path)
            raise
        remove(old)
    else:
        os.replace(part, path)


def _to_disk(path: Path) -> None:
    """Wait until a file, or a folder with all that is in it, is on the disk."""
    if path.is_dir():
        found = [Path(folder, name) for folder, _, files in os.walk(path) for name in ("", *files)]
        # Side by side, since a disk does many at once in little more time than one.
        with ThreadPoolExecutor(min(16, len(found))) as pool:
            list(pool.map(_sync, found))
    else:
        _sync(path)


def _sync(path: Path) -> None:
    """Wait until a file's text, or a folder's names, are on the disk; some file systems have no such call."""
    if path.is_symlink():
        return
    try:
        opened = os.open(path, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(opened)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            error.filename = str(path)
            raise
    finally:
        os.close(opened)
