"""Unpack an untrusted archive without writing anything outside its folder."""

import errno
import lzma
import re
import shutil
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, progress, writing_folder

# Text compresses 3 to 20 times; an archive beyond both limits is made to fill the disk.
LARGEST_RATIO = 1000
HARMLESS_SIZE = 100 * 2**20
MOST_MEMBERS = 10_000
# Bytes of a tar's extended header of a member: a long name, a long link, other attributes.
LARGEST_HEADER = 2**20
AGAIN = "delete it and get it again"
NO_ARCHIVE = "this archive is not trustworthy"
# What the modules zipfile and tarfile raise for damaged, encrypted and unusually compressed archives.
BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, OSError, RuntimeError, ValueError, OverflowError),
)


@contextmanager
def tar_member(archive: Path, name: str) -> Iterator[IO[bytes]]:
    """Open a file in a tar (also .gz, .bz2, .xz) as a stream, without unpacking.

    Raises InputError for a broken archive, one with more members before the file than an archive may have,
    and one without this file.
    """
    with reading(archive, "tar"), tarfile.open(archive, tarinfo=_Member) as file:
        for number, info in enumerate(file, 1):
            if number > MOST_MEMBERS:
                raise InputError(f"over {MOST_MEMBERS} members", path=archive, fix=NO_ARCHIVE)
            stream = file.extractfile(info) if info.isfile() and _same(info.name, name) else None
            if stream is not None:
                yield stream
                return
        raise InputError(f"no file {name} in it", path=archive, fix=AGAIN)


def _same(first: str, second: str) -> bool:
    """Whether two names in an archive mean the same file."""
    return PurePosixPath(first) == PurePosixPath(second)


def unpack(archive: Path, folder: Path, *, sha256: str | None = None) -> None:
    """Unpack a zip or a tar (also .gz, .bz2, .xz) into the folder; after an error, the folder is unchanged.

    Memory holds the members' names and one block of their contents. Raises InputError for a checksum other
    than the expected one and for a broken archive; and, naming the member, for absolute paths, '..', links,
    devices, names that occur twice, names or other attributes of a member of over 1 MiB, encrypted members,
    more members than an archive may have, and the compression ratio of an archive bomb.

    :param archive: the archive
    :param folder: the folder to make; an existing one is replaced
    :param sha256: its checksum in hexadecimal, empty if none is known; by default nothing is compared
    """
    with reading(archive, "archive"):
        if sha256 is not None:
            _check_sum(archive, sha256)
        if zipfile.is_zipfile(archive):
            members = _zip_members(archive)
        elif _is_tar(archive):
            members = _tar_members(archive)
        else:
            raise InputError(
                "neither a zip nor a tar archive", path=archive, fix="delete it and get it again"
            )
        limit = max(HARMLESS_SIZE, LARGEST_RATIO * archive.stat().st_size)
        seen: dict[PurePosixPath, bool] = {}
        total = 0
        with writing_folder(folder) as part:
            named = enumerate(progress(members, f"unpack {archive.name}", unit="member"), 1)
            for number, (name, size, stream) in named:
                if number > MOST_MEMBERS:
                    raise InputError(f"over {MOST_MEMBERS} members", path=archive, fix=NO_ARCHIVE)
                path = _safe(archive, name)
                _check_new(archive, path, stream is not None, seen)
                total += size
                if total > limit:
                    raise InputError(
                        f"unpacks to over {limit} bytes at '{name}', over {LARGEST_RATIO} times its size",
                        path=archive,
                        fix=NO_ARCHIVE,
                    )
                if stream is None:
                    (part / path).mkdir(parents=True, exist_ok=True)
                    continue
                (part / path).parent.mkdir(parents=True, exist_ok=True)
                with (part / path).open("wb") as target:
                    shutil.copyfileobj(stream, target, 1 << 20)


@contextmanager
def reading(archive: Path, kind: str) -> Iterator[None]:
    """Turn errors about the bytes of an archive into InputError; others, such as a full disk, pass."""
    if not archive.is_file():
        raise InputError("no such file", path=archive)
    try:
        yield
    except _TooLarge:
        problem = f"the name or the attributes of a member take over {LARGEST_HEADER} bytes"
        raise InputError(problem, path=archive, fix=NO_ARCHIVE) from None
    except BROKEN as error:
        # An error with a file name is about a file that is being written.
        if isinstance(error, OSError) and (error.filename or error.errno in (errno.ENOSPC, errno.EDQUOT)):
            raise
        problem = f"broken {kind} ({' '.join(str(error).split())})"
        raise InputError(problem, path=archive, fix=AGAIN) from None


def _check_sum(archive: Path, sha256: str) -> None:
    """Raise InputError unless an archive has the expected checksum."""
    if not sha256:
        fix = "add its SHA-256 to resources/sources.csv"
        raise InputError("no checksum of this archive is known", path=archive, fix=fix)
    actual = digest(archive)
    if actual != sha256:
        raise InputError(f"wrong checksum: sha256 is {actual}, expected {sha256}", path=archive, fix=AGAIN)


def _zip_members(archive: Path) -> Iterator[tuple[str, int, IO[bytes] | None]]:
    """Name, unpacked size and content (None for a folder) of each member."""
    with zipfile.ZipFile(archive) as file:
        for info in file.infolist():
            mode = info.external_attr >> 16
            # Archives made outside Unix have no file types.
            if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR):
                raise InputError(f"member '{info.filename}' is a link or a device", path=archive)
            if info.flag_bits & 1:
                raise InputError(f"member '{info.filename}' is encrypted", path=archive)
            # zipfile cuts the name at a NUL; `orig_filename` has all of it.
            if info.is_dir():
                yield info.orig_filename, 0, None
            else:
                with file.open(info) as stream:
                    yield info.orig_filename, info.file_size, stream


class _Member(tarfile.TarInfo):
    """A member whose name and attributes tarfile may read into memory."""

    def _proc_member(self, file: tarfile.TarFile) -> tarfile.TarInfo:
        """Read the data after the header, by tarfile's hook for subclasses; _TooLarge above the limit."""
        if self.type in ABOUT_MEMBERS and self.size > LARGEST_HEADER:
            raise _TooLarge
        return super()._proc_member(file)  # type: ignore[misc, no-any-return]


class _TooLarge(Exception):
    """A long name, a long link or other attributes that have more bytes than any file system allows."""


ABOUT_MEMBERS = frozenset(
    {
        *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
        *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    }
)


def _is_tar(archive: Path) -> bool:
    """Whether a file is a tar, tested with the reader that limits its headers."""
    try:
        tarfile.open(archive, tarinfo=_Member).close()
    except tarfile.ReadError:
        return False
    return True


def _tar_members(archive: Path) -> Iterator[tuple[str, int, IO[bytes] | None]]:
    with tarfile.open(archive, tarinfo=_Member) as file:
        for info in file:
            if info.isdir():
                yield info.name, 0, None
            elif info.isreg() and not info.issparse():
                yield info.name, info.size, file.extractfile(info)
            else:
                raise InputError(f"member '{info.name}' is a link or a device", path=archive)
        # The checksum of a compressed tar is at its end.
        while file.fileobj and file.fileobj.read(1 << 20):
            pass


def _safe(archive: Path, name: str) -> PurePosixPath:
    """The path of a member; InputError if it could lie outside the folder."""
    path = PurePosixPath(name)
    if (
        path.is_absolute()
        or ".." in path.parts
        or "\\" in name
        or "\0" in name
        or re.match("[A-Za-z]:", name)
    ):
        raise InputError(f"member {name!r} would escape from the folder", path=archive)
    return path


def _check_new(archive: Path, path: PurePosixPath, is_file: bool, seen: dict[PurePosixPath, bool]) -> None:
    """Record a member; InputError if its name is taken, or a file's name is used as a folder."""
    clash = path in seen and (is_file or seen[path])
    if clash or any(seen.get(parent) for parent in path.parents):
        raise InputError(f"member '{path}' occurs twice", path=archive)
    for parent in path.parents:
        seen.setdefault(parent, False)
    seen[path] = is_file


if __name__ == "__main__":
    run(unpack)
