"""Whether a source is on this machine, and its checksum."""

import hashlib
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.corpora.sources import licensed as licences
from workflow_scripts.corpora.sources.registry import Entry
from workflow_scripts.corpora.sources.sums import Checksum, checksum, read_sums, record_of, recorded


def state(entry: Entry, place: Path, registry: Path) -> tuple[str, list[Path]]:
    """The state (`present`, `missing`, `incomplete`, `damaged`, or how many files are) and the damaged files.

    :param entry: a row of the registry
    :param place: where its file or folder should be
    :param registry: the registry's table; checksum lists are beside it
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
    existing = [name for name in sums if (place / name).is_file()]
    broken = [place / name for name in existing if digest(place / name) != sums[name]]
    for word, count in (("damaged", len(broken)), ("missing", len(sums) - len(existing))):
        if count:
            return word if count == len(sums) else f"{count} files {word}", broken
    return "present", []


def measure(entry: Entry, place: Path, registry: Path) -> tuple[str, int]:
    """The SHA-256 of a present source, and its size in bytes.

    For several files it is the SHA-256 of their checksum list, as `sha256sum` writes it: the corpus' list in
    `resources/sources/`, else a list of all files that belong to it, sorted by path. Raises InputError for a
    file that is not the registry's.
    """
    if entry.files:
        expected = read_sums(registry.parent / entry.files)
    elif place.is_dir():
        paths = licences.layout(entry, place)[0] if entry.access == "on request" else sorted(place.rglob("*"))
        expected = {path.relative_to(place).as_posix(): "" for path in paths if path.is_file()}
    else:
        return _checked(place, entry.sha256 or recorded(place)), place.stat().st_size
    sums = {name: _checked(place / name, sha256) for name, sha256 in expected.items()}
    listed = "".join(f"{sha256}  {name}\n" for name, sha256 in sums.items())
    return hashlib.sha256(listed.encode()).hexdigest(), sum((place / name).stat().st_size for name in sums)


def checked_by(entry: Entry, place: Path) -> str:
    """The origin of a download's checksum: `registry`, `first download`; empty if there is none."""
    if entry.access != "open":
        return ""
    if entry.sha256 or entry.files:
        return "registry"
    return "first download" if record_of(place).exists() else ""


def _checked(path: Path, expected: str) -> str:
    """A file's SHA-256; InputError if it does not have the expected checksum, whatever its kind."""
    if not path.is_file():
        raise InputError("no such file", path=path, fix="get the corpus again")
    actual = checksum(path, expected)
    if expected and actual != expected:
        raise InputError(
            f"wrong checksum: {Checksum(expected, 0).name} is {actual}, expected {expected}",
            path=path,
            fix="delete it and run again",
        )
    return digest(path) if Checksum(expected, 0).prefix else actual
