"""Get one file: from its pinned address, resumed after a break, or from a mirror; its checksum is checked."""

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
# Statuses after which another try may work.
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
# What may stand in If-Range: one line, and short, since servers refuse requests with long headers.
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
    """Make the target a copy of what stands at an address, or in the mirror, with the expected checksum.

    What has arrived when a download breaks stays in the `partial` folder; the next try, or the next run,
    asks for the rest only. Where no checksum is known, `record` has the first download's written beside the
    target (``<target>.sha256``), with which every later download must agree. Raises InputError for a file
    without a known checksum and without `record`, an address that does not answer or leads away from https,
    a file that stays truncated, and a wrong checksum (with both sums).

    :param target: the file to write
    :param url: its address
    :param sha256: its checksum in hexadecimal, or `git:` and Git's id of its content, or `md5:` and its MD5
        sum, or an empty text where none is known
    :param partial: folder of unfinished downloads
    :param retries: further tries after one that brought nothing new
    :param record: take a file without a known checksum, and record its own
    :param mirror: folder that holds the same files; with it the network is not used
    :param mirror_path: the file's path below the mirror
    """
    if not (sha256 or record):
        raise InputError(
            "no checksum of this file is known",
            path=url,
            fix="write its SHA-256 into resources/sources.csv, or accept its first one: downloads.unpinned",
        )
    source = None if mirror is None else mirror / mirror_path
    expected = sha256.lower() or recorded(target)
    if source is not None:
        _from_mirror(target, source, expected or recorded(source), new=not expected)
    else:
        part = _Part.of(url, partial)
        _fetch(url, part, retries)
        found = checksum(part.path, expected)
        if expected and found != expected:
            pointer = is_pointer(part.path)
            part.remove()
            _wrong_sum(url, expected, found, None if sha256 else record_of(target), pointer=pointer)
        if not expected:
            _record(target, found)
        _move(part.path, target)
        part.remove()


def _record(target: Path, found: str) -> None:
    """Record the checksum of a first download; before the file is there, so that none is without a record."""
    write_record(target, found)
    print(
        f"{target}: nobody has published a checksum; {found} is recorded in {record_of(target)}",
        file=sys.stderr,
    )


def _wrong_sum(
    source: str | Path, expected: str, found: str, record: Path | None, *, pointer: bool
) -> NoReturn:
    if pointer:
        raise InputError(
            POINTER, path=source, fix="the address in resources/sources.csv must be that of the file"
        )
    fix = "the file has changed or was damaged on its way; it is removed, run again to get it anew"
    if record:
        fix = f"it is not what the first download brought; if that is right, delete {record} and run again"
    name = Checksum(expected, 0).name
    raise InputError(f"wrong checksum: {name} is {found}, expected {expected}", path=source, fix=fix)


def _from_mirror(target: Path, source: Path, expected: str, *, new: bool) -> None:
    """Copy a file of the mirror; with `new` there is no record of its checksum yet."""
    if not source.is_file():
        raise InputError("the mirror does not hold this file", path=source, fix="put it there")
    total = -(-source.stat().st_size // CHUNK)
    running = Checksum(expected, source.stat().st_size)
    with source.open("rb") as stream, _writing_as_is(target) as copy:
        for chunk in progress(iter(lambda: stream.read(CHUNK), b""), f"copy {target.name}", total, "MiB"):
            running.update(chunk)
            copy.write(chunk)
        found = running.text()
        if expected and found != expected and is_pointer(source):
            raise InputError(POINTER, path=source, fix="run `git lfs pull` where the mirror's copy is from")
        if expected and found != expected:
            raise InputError(
                f"wrong checksum: {running.name} is {found}, expected {expected}",
                path=source,
                fix="put the right file into the mirror",
            )
        if new:
            _record(target, found)


@dataclass(frozen=True)
class _Part:
    """An unfinished download, and what the server called that version of the file."""

    path: Path
    version: Path

    @classmethod
    def of(cls, url: str, folder: Path) -> _Part:
        folder.mkdir(parents=True, exist_ok=True)
        # The same name for the same address, whoever downloads it.
        name = f"{hashlib.sha256(url.encode()).hexdigest()[:16]}.{url.rsplit('/', 1)[-1][:80]}"
        name = re.sub(r"[^\w.-]", "_", name)
        return cls(folder / f"{name}.part", folder / f"{name}.version")

    def size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def remove(self) -> None:
        self.path.unlink(missing_ok=True)
        self.version.unlink(missing_ok=True)


class _Session(requests.Session):
    """Follows redirects, but none that leads from https to anything else: there, anyone may send a file."""

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """Where an answer leads; nothing if it is no redirect."""
        target = super().get_redirect_target(resp)
        if target is not None and urlsplit(resp.url).scheme == "https":
            there = urljoin(resp.url, target)
            if urlsplit(there).scheme != "https":
                raise InputError(
                    f"leads to {there}, away from https",
                    path=resp.url,
                    fix="try again later, or name a 'mirror' folder that holds the file",
                )
        return target


class _Again(Exception):
    """A try that failed in a way that may pass."""


def _fetch(url: str, part: _Part, retries: int) -> None:
    """Try until the part is the whole file; a try that brought something new does not count as failed."""
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
                fix=f"{part.size()} bytes are kept: run again to go on from there, or name a 'mirror' folder",
            ) from None
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2**failed)
        failed += 1
        print(f"{url}: {problem}; again in {pause:g} s ({failed} of {retries})", file=sys.stderr)
        time.sleep(pause)


def _try(url: str, part: _Part) -> None:
    """Ask for what is missing, and append it; _Again if the file is not complete afterwards."""
    version = _version(part)
    start = part.size()
    # Compressed in transit, a byte range would not be one of the file.
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
            raise _Again("the server cannot go on where the last try ended; starting anew")
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
    """What `_note_version` has kept, empty if nothing; what no server has sent is removed with its part."""
    if not part.version.is_file():
        return ""
    text = part.version.read_bytes().strip()
    if VERSION.fullmatch(text):
        return text.decode("ascii")
    part.remove()
    return ""


def _note_version(answer: requests.Response, part: _Part) -> None:
    """Keep what makes a later range request safe: only a strong ETag or a date may stand in If-Range."""
    version = answer.headers.get("ETag", "")
    if not version or version.startswith("W/"):
        version = answer.headers.get("Last-Modified", "")
    if version:
        write_lines(part.version, [version])
    else:
        part.version.unlink(missing_ok=True)


def _move(source: Path, target: Path) -> None:
    """Rename a file, or copy it where the two folders lie on different disks."""
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
    """`files.writing`, which compresses what is called .gz, for bytes that are compressed already."""
    with replacing(target) as part, part.open("wb") as stream:
        yield stream


if __name__ == "__main__":
    run(download)
