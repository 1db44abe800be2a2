"""Checksums of downloads: lists as `sha256sum` writes them, and the record that a first download leaves.

A file whose checksum nobody has published has a record beside it, ``<file>.sha256``: a list of one line.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines

# Before the name that Git gives a file's content, the SHA-1 of its size and content: the checksum of a file
# that a commit pins.
GIT = "git:"
# Before an MD5 sum, where somebody else's list has nothing better: it tells damage, not intent.
MD5 = "md5:"
_CHUNK = 1 << 20


class Checksum:
    """The checksum of bytes that come one after the other."""

    def __init__(self, like: str, size: int) -> None:
        """`like`: one of the same kind, empty for SHA-256; `size`: how many bytes will come."""
        self.prefix = next((prefix for prefix in (GIT, MD5) if like.startswith(prefix)), "")
        if self.prefix == GIT:
            self._sum = hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)
        elif self.prefix == MD5:
            self._sum = hashlib.md5(usedforsecurity=False)
        else:
            self._sum = hashlib.sha256()

    @property
    def name(self) -> str:
        """What it is called."""
        return {GIT: "Git's id", MD5: "md5"}.get(self.prefix, "sha256")

    def update(self, data: bytes) -> None:
        """Add some bytes."""
        self._sum.update(data)

    def text(self) -> str:
        """It, as the registry writes it."""
        return self.prefix + self._sum.hexdigest()


def checksum(path: Path, like: str) -> str:
    """A file's checksum, of the kind of another one."""
    found = Checksum(like, path.stat().st_size)
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            found.update(chunk)
    return found.text()


def read_sums(path: Path) -> dict[str, str]:
    """The files of a checksum list: path -> SHA-256 in hexadecimal.

    Raises InputError for a line that is none, a path that leaves its folder, and a path that stands twice.
    """
    sums: dict[str, str] = {}
    for number, line in enumerate(lines(path), 1):
        found = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
        if not found:
            raise InputError("not '<sha256>  <path>'", path=path, line=number)
        name = PurePosixPath(found[2])
        # Only one spelling of a path: a/./b and a//b would be the file a/b once more.
        plain = str(name) == found[2] and name.parts and not {"\\", "\0"} & set(found[2])
        if name.is_absolute() or ".." in name.parts or not plain:
            raise InputError(f"'{name}' is not a path below a folder", path=path, line=number)
        if found[2] in sums:
            raise InputError(f"'{name}' stands twice", path=path, line=number)
        sums[found[2]] = found[1]
    if not sums:
        raise InputError("no files", path=path)
    return sums


def record_of(file: Path) -> Path:
    """Where the checksum of a file's first download is recorded."""
    return file.with_name(f"{file.name}.sha256")


def recorded(file: Path) -> str:
    """The SHA-256 of a file's first download, or an empty text if there was none.

    Raises InputError for a record that is not one line about this file: what it said is lost, and a download
    that nothing is compared with must not pass for one that was.
    """
    record = record_of(file)
    if not record.exists():
        return ""
    fix = f"restore it; or delete it, and compare the next checksum of {file.name} with another source"
    try:
        sums = read_sums(record)
    except InputError as error:
        problem = f"no record of a checksum ({error.problem})"
        raise InputError(problem, path=record, line=error.line, fix=fix) from None
    if list(sums) != [file.name]:
        raise InputError(f"no record of the checksum of {file.name} alone", path=record, fix=fix)
    return sums[file.name]


def write_record(file: Path, sha256: str) -> None:
    """Record the checksum of a file's first download beside it."""
    write_lines(record_of(file), [f"{sha256}  {file.name}"])
