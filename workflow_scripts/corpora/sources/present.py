"""What of a source is on this machine, and its checksum."""

from __future__ import annotations

import hashlib
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.corpora.sources import licensed as licences
from workflow_scripts.corpora.sources.registry import Entry
from workflow_scripts.corpora.sources.sums import Checksum, checksum, read_sums, record_of, recorded


def state(entry: Entry, place: Path, registry: Path) -> tuple[str, list[Path]]:
    """`present`, `missing`, `incomplete` or `damaged`, of several files how many; and the damaged files.

    :param entry: a row of the registry
    :param place: where its file or folder is if it is there
    :param registry: the registry's table, beside which checksum lists lie
    """
    if entry.access == "on request":
        if not place.is_dir():
            return "missing", []
        return ("incomplete" if licences.layout(entry, place)[1] else "present"), []
    if not entry.files:
        if not place.exists():
            return "missing", []
        expected = entry.sha256 or recorded(place)
        damaged = place.is_file() and expected and checksum(place, expected) != expected
        return ("damaged", [place]) if damaged else ("present", [])
    sums = read_sums(registry.parent / entry.files)
    there = [name for name in sums if (place / name).is_file()]
    broken = [place / name for name in there if digest(place / name) != sums[name]]
    for word, count in (("damaged", len(broken)), ("missing", len(sums) - len(there))):
        if count:
            return word if count == len(sums) else f"{count} files {word}", broken
    return "present", []


def measure(entry: Entry, place: Path, registry: Path) -> tuple[str, int]:
    """The SHA-256 of a source that is there, and its bytes.

    Of several files it is the SHA-256 of their checksum list, as `sha256sum` writes it: for a corpus with a
    list in `resources/sources/` that list, else one of all files that belong to it, sorted by path. Raises
    InputError for a file that is not the registry's.
    """
    if entry.files:
        expected = read_sums(registry.parent / entry.files)
    elif place.is_dir():
        inside = (
            licences.layout(entry, place)[0] if entry.access == "on request" else sorted(place.rglob("*"))
        )
        expected = {path.relative_to(place).as_posix(): "" for path in inside if path.is_file()}
    else:
        return _checked(place, entry.sha256 or recorded(place)), place.stat().st_size
    sums = {name: _checked(place / name, sha256) for name, sha256 in expected.items()}
    listed = "".join(f"{sha256}  {name}\n" for name, sha256 in sums.items())
    return hashlib.sha256(listed.encode()).hexdigest(), sum((place / name).stat().st_size for name in sums)


def checked_by(entry: Entry, place: Path) -> str:
    """What a download is checked by: `registry`, `first download`; nothing for what is no download."""
    if entry.access != "open":
        return ""
    if entry.sha256 or entry.files:
        return "registry"
    return "first download" if record_of(place).exists() else ""


def _checked(path: Path, expected: str) -> str:
    """A file's SHA-256; InputError if it does not have the expected checksum, of whichever kind."""
    if not path.is_file():
        raise InputError("no such file", path=path, fix="get the corpus again")
    found = checksum(path, expected)
    if expected and found != expected:
        raise InputError(
            f"wrong checksum: {Checksum(expected, 0).name} is {found}, expected {expected}",
            path=path,
            fix="delete it and run again",
        )
    return digest(path) if Checksum(expected, 0).prefix else found
