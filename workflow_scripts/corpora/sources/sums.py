"""Checksums of downloads: lists as `sha256sum` writes them, and the record of a first download.

A file without a published checksum has a record beside it, ``<file>.sha256``: a list of one line. A folder
that a user puts in place has one too, with a line for each file.
"""

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines

# Prefix of Git's name of a file's content, the SHA-1 of its size and content: the checksum of a file that a
# commit pins.
GIT = "git:"
# Prefix of an MD5 sum, for published lists with nothing better: it detects damage, not tampering.
MD5 = "md5:"
_CHUNK = 1 << 20


class Checksum:
    """The running checksum of bytes that arrive in pieces."""

    def __init__(self, like: str, size: int) -> None:
        """`like`: a checksum of the same kind, empty for SHA-256; `size`: the total number of bytes."""
        self.prefix = next((prefix for prefix in (GIT, MD5) if like.startswith(prefix)), "")
        if self.prefix == GIT:
            self._sum = hashlib.sha1(f"blob {size}\0".encode(), usedforsecurity=False)
        elif self.prefix == MD5:
            self._sum = hashlib.md5(usedforsecurity=False)
        else:
            self._sum = hashlib.sha256()

    @property
    def name(self) -> str:
        """The name of this kind of checksum."""
        return {GIT: "Git's id", MD5: "md5"}.get(self.prefix, "sha256")

    def update(self, data: bytes) -> None:
        """Add some bytes."""
        self._sum.update(data)

    def text(self) -> str:
        """The checksum, as the registry writes it."""
        return self.prefix + self._sum.hexdigest()


def checksum(path: Path, like: str) -> str:
    """A file's checksum, of the same kind as `like`."""
    running = Checksum(like, path.stat().st_size)
    with path.open("rb") as stream:
        while chunk := stream.read(_CHUNK):
            running.update(chunk)
    return running.text()


def read_sums(path: Path) -> dict[str, str]:
    """The files of a checksum list: path -> SHA-256 in hexadecimal.

    Raises InputError for a line of another form, a path that leaves its folder, and a repeated path.
    """
    sums: dict[str, str] = {}
    for number, line in enumerate(lines(path), 1):
        match = re.fullmatch(r"([0-9a-f]{64})  (.+)", line)
        if not match:
            raise InputError("not '<sha256>  <path>'", path=path, line=number)
        name = PurePosixPath(match[2])
        # Only one spelling of a path: a/./b and a//b would be the same file as a/b.
        plain = str(name) == match[2] and name.parts and not {"\\", "\0"} & set(match[2])
        if name.is_absolute() or ".." in name.parts or not plain:
            raise InputError(f"'{name}' is not a path below a folder", path=path, line=number)
        if match[2] in sums:
            raise InputError(f"'{name}' occurs twice", path=path, line=number)
        sums[match[2]] = match[1]
    if not sums:
        raise InputError("no files", path=path)
    return sums


def record_of(file: Path) -> Path:
    """Where the checksum of a file's first download, or of a folder's files, is recorded."""
    return file.with_name(f"{file.name}.sha256")


def recorded(file: Path) -> str:
    """The SHA-256 of a file's first download, or an empty text if there was none.

    Raises InputError for a record that is not one line about this file: its checksum is lost, and a download
    without a comparison must not pass for a checked one.
    """
    record = record_of(file)
    if not record.exists():
        return ""
    fix = f"restore it; or delete it, and compare the next checksum of {file.name} with another source"
    try:
        sums = read_sums(record)
    except InputError as error:
        problem = f"not a record of a checksum ({error.problem})"
        raise InputError(problem, path=record, line=error.line, fix=fix) from None
    if list(sums) != [file.name]:
        raise InputError(f"not a record of the checksum of {file.name} only", path=record, fix=fix)
    return sums[file.name]


def write_record(file: Path, sha256: str) -> None:
    """Record the checksum of a file's first download beside it."""
    write_sums(record_of(file), {file.name: sha256})


def write_sums(path: Path, sums: Mapping[str, str]) -> None:
    """Write a checksum list: path -> SHA-256 in hexadecimal."""
    write_lines(path, [f"{sha256}  {name}" for name, sha256 in sums.items()])
