"""Archives of downloads, made by tests."""

import io
import tarfile
from collections.abc import Mapping
from pathlib import Path


def archive(path: Path, members: Mapping[str, bytes]) -> Path:
    """A tar.gz with some files."""
    with tarfile.open(path, "w:gz") as file:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            file.addfile(info, io.BytesIO(data))
    return path
