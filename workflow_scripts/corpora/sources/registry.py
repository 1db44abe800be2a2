"""The registry of corpus files: corpus, version, origin and licence.

The Snakefile imports this module, so it needs nothing but the standard library and the package's light parts.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from pathlib import Path, PurePosixPath

from workflow_scripts.core.csv_files import read_csv
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.wiring.sockeye import SOCKEYE

ACCESS = ("generated", "open", "on request")
# Corpora whose files a tool unpickles, which runs any code in them.
PICKLED = frozenset({"bicleaner"})


@dataclass(frozen=True)
class Entry:
    """One row of the registry: a file, or for a licensed corpus a folder."""

    id: str
    """Unique name of the row."""
    corpus: str
    """The corpus' name in readers and settings (`corpora.<corpus>` in the configuration)."""
    version: str
    """The version, as the configuration names it."""
    part: str
    """Names one of several files of a version; empty if there is only one."""
    access: str
    """`generated` (demo world), `open` (downloaded) or `on request` (licensed, put in place by the user)."""
    url: str
    """Its address (for many files: that of their folder), or where to ask for a licensed corpus."""
    sha256: str
    """Its checksum in hexadecimal; empty if none is published."""
    size: str
    """Its total size in bytes; empty if unknown."""
    files: str
    """For a corpus of many files: the checksum list in `resources/`."""
    mirror_path: str
    """Its path below a mirror folder."""
    path: str
    """Its path below the folder of the demo world, of the downloads, or of the licensed corpora."""
    licence: str
    """The terms of its use."""
    paper: str
    """The paper to cite."""
    note: str
    """For a licensed corpus: what it is, how to ask for it, and the layout of its folder; else a remark."""


def load(path: Path) -> list[Entry]:
    """Read the registry; InputError names the line of an invalid row."""
    names = [field.name for field in fields(Entry)]
    entries: list[Entry] = []
    for number, row in read_csv(path, names):
        entry = Entry(*row)
        problem = _problem(entry, entries)
        if entry.files and not (path.parent / entry.files).is_file():
            problem = f"no checksum list '{entry.files}'"
        if problem:
            raise InputError(problem, path=path, line=number)
        entries.append(entry)
    return entries


def _problem(entry: Entry, before: Iterable[Entry]) -> str:
    """The problem of a row; an empty text if it is valid."""
    if entry.access not in ACCESS:
        return f"access is '{entry.access}'; {nearest(entry.access, ACCESS)}"
    path = PurePosixPath(entry.path)
    if not entry.path or path.is_absolute() or ".." in path.parts:
        return f"path '{entry.path}' is not a path below a folder"
    if entry.sha256 and not re.fullmatch(r"[0-9a-f]{64}|git:[0-9a-f]{40}|md5:[0-9a-f]{32}", entry.sha256):
        return (
            f"'{entry.sha256}' is neither a sha256 sum, nor git: and Git's id of a file, nor md5: and a sum"
        )
    if entry.size and not entry.size.isdigit():
        return f"'{entry.size}' is not a number of bytes"
    if entry.access == "open" and not entry.url.startswith("https://"):
        return f"'{entry.url}' is not an https address"
    for other in before:
        if other.id == entry.id:
            return f"id '{entry.id}' occurs twice"
        if (other.corpus, other.version, other.part) == (entry.corpus, entry.version, entry.part):
            return f"corpus, version and part are those of '{other.id}'"
        same = (other.access, other.path) == (entry.access, entry.path)
        if same and (other.url, other.sha256) != (entry.url, entry.sha256):
            return f"path '{entry.path}' is taken by '{other.id}', which has another address or checksum"
    return ""


def find(entries: Iterable[Entry], name: str) -> Entry:
    """The entry with an id; InputError names the nearest known id."""
    known = {row.id: row for row in entries}
    if name not in known:
        raise InputError(f"no entry '{name}' in the registry; {nearest(name, known)}")
    return known[name]


def accepted(names: Collection[str], entries: Iterable[Entry]) -> frozenset[str]:
    """The names in the setting `downloads.unpinned`; InputError for one that it cannot have."""
    # Sockeye's models have no known addresses: no row names them, and users put them in place.
    known = {SOCKEYE, *(row.corpus for row in entries if row.access == "open")}
    for name in names:
        if name not in known:
            raise InputError(
                f"configuration: downloads.unpinned: no download of a corpus {name!r}; {nearest(name, known)}"
            )
        if name in PICKLED:
            raise InputError(
                f"configuration: downloads.unpinned: files of '{name}' are unpickled, which runs code in"
                " them: add their SHA-256 to resources/sources.csv instead"
            )
    return frozenset(names)


def unpinned(path: str, entries: Iterable[Entry], names: Collection[str]) -> str | None:
    """A message about a download refused because its checksum is unknown; None for any other.

    :param path: its path below the folder of downloads
    :param entries: the registry
    :param names: the corpora whose files are accepted without a known checksum
    """
    rows = [row for row in entries if row.access == "open" and row.path == path]
    if any(row.sha256 or row.files or row.corpus in names for row in rows):
        return None
    row = rows[0]
    why = ", and its files are unpickled, which runs code in them" if row.corpus in PICKLED else ""
    alternative = "set filtering.bicleaner.pack to null" if why else f"add {row.corpus} to downloads.unpinned"
    return (
        f"no checksum of '{row.id}' is known{why}: get {row.url}, make sure that it is the file its authors"
        f" published, and add its SHA-256 to resources/sources.csv; or {alternative}"
    )
