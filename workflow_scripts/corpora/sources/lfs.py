"""Git LFS: instead of a large file, a repository contains a pointer, a few lines with its SHA-256."""

from pathlib import Path

FIRST = b"version https://git-lfs.github.com/spec/v1\n"


def is_pointer(path: Path) -> bool:
    """Whether a file is a Git LFS pointer, by its first line."""
    with path.open("rb") as stream:
        return stream.read(len(FIRST)) == FIRST
