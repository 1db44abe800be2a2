"""Wheels that pip finds in a folder, not on the network."""

import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest


def offered(folder: Path, package: str, files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel of version 1.0 of a package, which is all that pip finds; its code stops whoever runs it."""
    name = package.replace("-", "_")
    path = folder / f"wheels/{name}-1.0-py3-none-any.whl"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        for place, content in {
            f"{name}/__init__.py": "raise SystemExit('code of the package was run')",
            **{f"{name}/{place}": content for place, content in files.items()},
            f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n",
            f"{name}-1.0.dist-info/WHEEL": "Wheel-Version: 1.0\nTag: py3-none-any\n",
            f"{name}-1.0.dist-info/RECORD": "",
        }.items():
            archive.writestr(place, content)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(path.parent))
    return path
