"""Command: get one file from its pinned address, resumed after a break, or from a mirror, and check it."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, NoReturn
from urllib.parse import urljoin, urlsplit

import requests

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress, write_lines
from workflow_scripts.core.temporary import replacing
from workflow_scripts.corpora.sources.lfs import is_pointer
from workflow_scripts.corpora.sources.sums import Checksum, checksum, record_of, recorded, write_record

CHUNK = 1 << 20
POINTER = "wrong checksum: this is a pointer of Git LFS, not the file that it points to"
# Seconds to connect, and seconds without a byte.
TIMEOUT = (30, 60)
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# Statuses after which another try may succeed.
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
# Valid values of If-Range: one line, and short, since servers refuse requests with long headers.
VERSION = re.compile(rb"[!-~]([ -~]{0,998}[!-~])?")


def download(
    target: Path,
    *,
    url: str,
    sha256: str,
    partial: Path,
    retries: int,
    record: bool = False,
    mirror: Path | None = None,
    mirror_path: str = "",
) -> None:
    """Make the target a copy of the file at an address, or in the mirror, with the expected checksum.

    The bytes of a broken download stay in the `partial` folder; the next try, or the next run, asks only for
    the rest. If no checksum is known, `record` writes that of the first download beside the target
    (``<target>.sha256``), and every later download must match it. Raises InputError for a file without a
    known checksum and without `record`, an address that does not answer or leads away from https, a file
    that stays truncated, and a wrong checksum (with both sums).

    :param target: the file to write
    :param url: its address
    :param sha256: its checksum in hexadecimal, or `git:` and Git's id of its content, or `md5:` and its MD5
        sum; empty if none is known
    :param partial: folder of unfinished downloads
    :param retries: further tries after one that received nothing new
    :param record: accept a file without a known checksum, and record the checksum that it has
    :param mirror: folder that contains the same files; if given, the network is not used
    :param mirror_path: the file's path below the mirror
    """
    if not (sha256 or record):
        raise InputError(
            "no checksum of this file is known",
            path=url,
            fix="add its SHA-256 to resources/sources.csv, or accept the first one: downloads.unpinned",
        )
    source = None if mirror is None else mirror / mirror_path
    expected = sha256.lower() or recorded(target)
    if source is not None:
        _from_mirror(target, source, expected or recorded(source), new=not expected)
    else:
        part = _Part.of(url, partial)
        _fetch(url, part, retries)
        actual = checksum(part.path, expected)
        if expected and actual != expected:
            pointer = is_pointer(part.path)
            part.remove()
            _wrong_sum(url, expected, actual, None if sha256 else record_of(target), pointer=pointer)
        if not expected:
            _record(target, actual)
        _move(part.path, target)
        part.remove()


def _record(target: Path, actual: str) -> None:
    """Record the checksum of a first download, before the file is in place: no file lacks its record."""
    write_record(target, actual)
    print(
        f"{target}: no checksum is published; {actual} is recorded in {record_of(target)}",
        file=sys.stderr,
    )


def _wrong_sum(
    source: str | Path, expected: str, actual: str, record: Path | None, *, pointer: bool
) -> NoReturn:
    if pointer:
        raise InputError(
            POINTER, path=source, fix="the address in resources/sources.csv must be the address of the file"
        )
    fix = "the file has changed or was damaged in transit; it has been removed: run again to download it"
    if record:
        fix = f"it differs from the first download; if that is intended, delete {record} and run again"
    name = Checksum(expected, 0).name
    raise InputError(f"wrong checksum: {name} is {actual}, expected {expected}", path=source, fix=fix)


def _from_mirror(target: Path, source: Path, expected: str, *, new: bool) -> None:
    """Copy a file from the mirror; `new` means that its checksum has no record yet."""
    if not source.is_file():
        raise InputError("the mirror does not contain this file", path=source, fix="put it there")
    total = -(-source.stat().st_size // CHUNK)
    running = Checksum(expected, source.stat().st_size)
    with source.open("rb") as stream, _writing_as_is(target) as copy:
        for chunk in progress(iter(lambda: stream.read(CHUNK), b""), f"copy {target.name}", total, "MiB"):
            running.update(chunk)
            copy.write(chunk)
        actual = running.text()
        if expected and actual != expected and is_pointer(source):
            raise InputError(POINTER, path=source, fix="run `git lfs pull` where the mirror's copy is from")
        if expected and actual != expected:
            raise InputError(
                f"wrong checksum: {running.name} is {actual}, expected {expected}",
                path=source,
                fix="put the right file into the mirror",
            )
        if new:
            _record(target, actual)


@dataclass(frozen=True)
class _Part:
    """An unfinished download, and the server's name for that version of the file."""

    path: Path
    version: Path

    @classmethod
    def of(cls, url: str, folder: Path) -> _Part:
        folder.mkdir(parents=True, exist_ok=True)
        # Every download from an address has the same name.
        name = f"{hashlib.sha256(url.encode()).hexdigest()[:16]}.{url.rsplit('/', 1)[-1][:80]}"
        name = re.sub(r"[^\w.-]", "_", name)
        return cls(folder / f"{name}.part", folder / f"{name}.version")

    def size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self.version.unlink(missing_ok=True)


class _Session(requests.Session):
    """Follows redirects, except from https to another scheme, over which anyone may send a file."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """The target of a redirect; None if the answer is not one."""
        target = super().get_redirect_target(resp)
        if target is not None and urlsplit(resp.url).scheme == "https":
            address = urljoin(resp.url, target)
            if urlsplit(address).scheme != "https":
                raise InputError(
                    f"leads to {address}, away from https",
                    path=resp.url,
                    fix="try again later, or name a 'mirror' folder that contains the file",
                )
        return target


class _Again(Exception):
    """A try that failed in a way that may pass."""


def _fetch(url: str, part: _Part, retries: int) -> None:
    """Try until the part is the whole file; a try that received new bytes does not count as failed."""
    failed, furthest = 0, part.size()
    while True:
        try:
            _try(url, part)
            return
        except (requests.RequestException, _Again) as error:
            problem = str(error)
        if part.size() > furthest:
            failed, furthest = 0, part.size()
        if failed >= retries:
            raise InputError(
                f"cannot be downloaded: {problem}",
                path=url,
                fix=f"{part.size()} bytes are kept: run again to resume, or name a 'mirror' folder",
            ) from None
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**failed)
        failed += 1
        print(f"{url}: {problem}; again in {pause:g} s ({failed} of {retries})", file=sys.stderr)
        time.sleep(pause)


def _try(url: str, part: _Part) -> None:
    """Request the missing bytes and append them; _Again if the file is still not complete."""
    version = _version(part)
    start = part.size()
    # A byte range of a compressed transfer would not be a range of the file.
    headers = {"Accept-Encoding": "identity"}
    if start:
        headers["Range"] = f"bytes={start}-"
        if version:
            headers["If-Range"] = version
    with (
        _Session() as session,
        session.get(url, headers=headers, stream=True, timeout=TIMEOUT) as answer,
    ):
        status = answer.status_code
        span = re.match(r"bytes (?:(\d+)-\d+|\*)/(\d+|\*)", answer.headers.get("Content-Range", ""))
        if status == 416 and span and span[2] == str(start):
            return
        if status == 416 or (status == 206 and not (span and span[1] == str(start))):
            part.remove()
            raise _Again("the server cannot resume where the last try ended; starting again")
        if status in PASSING:
            raise _Again(f"status {status} {answer.reason}")
        if status not in (200, 206):
            raise InputError(f"the server answers {status} {answer.reason}", path=url)
        if status == 200:
            start = 0
            _note_version(answer, part)
        length = answer.headers.get("Content-Length", "")
        whole = start + int(length) if length.isdigit() else None
        total = -(-int(length) // CHUNK) if length.isdigit() else None
        with part.path.open("ab" if start else "wb") as stream:
            chunks = answer.iter_content(CHUNK)
            for chunk in progress(chunks, part.path.name[17:].removesuffix(".part"), total, "MiB"):
                stream.write(chunk)
    if whole is not None and part.size() != whole:
        raise _Again(f"truncated: {part.size()} of {whole} bytes arrived")


def _version(part: _Part) -> str:
    """The version that `_note_version` saved, or empty; an invalid one is removed with its part."""
    if not part.version.is_file():
        return ""
    text = part.version.read_bytes().strip()
    if VERSION.fullmatch(text):
        return text.decode("ascii")
    part.remove()
    return ""


def _note_version(answer: requests.Response, part: _Part) -> None:
    """Save the version that makes a later range request safe: If-Range takes a strong ETag or a date only."""
    version = answer.headers.get("ETag", "")
    if not version or version.startswith("W/"):
        version = answer.headers.get("Last-Modified", "")
    if version:
        write_lines(part.version, [version])
    else:
        part.version.unlink(missing_ok=True)


def _move(source: Path, target: Path) -> None:
    """Rename a file, or copy it if the two folders are on different disks."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.replace(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with source.open("rb") as stream, _writing_as_is(target) as copy:
            while chunk := stream.read(CHUNK):
                copy.write(chunk)


@contextmanager
def _writing_as_is(target: Path) -> Iterator[IO[bytes]]:
    """Like `files.writing`, which compresses files named .gz, but for bytes that are already compressed."""
    with replacing(target) as part, part.open("wb") as stream:
        yield stream


if __name__ == "__main__":
    run(download)
