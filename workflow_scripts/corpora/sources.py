"""Print the registry as a table, with what is present, missing or damaged on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

from workflow_scripts.command import run
from workflow_scripts.corpora import licensed as licences
from workflow_scripts.corpora.download_files import read_sums
from workflow_scripts.corpora.registry import Entry, load
from workflow_scripts.files import digest, progress

COLUMNS = ("name", "version", "access", "state", "size", "licence")


def sources(registry: Path, *, downloads: Path, generated: Path, licensed: Path) -> None:
    """Print one line per source: its name, version, access, state, size and licence.

    State: `present` (and, where a checksum is known, whole), `missing`, `damaged` (a wrong checksum, which is
    said to be the reason on stderr with the file's path), or for several files how many of them are there.

    :param registry: the table of sources
    :param downloads: folder of downloaded files
    :param generated: folder of the demo world
    :param licensed: folder of the corpora that the user put in place
    """
    rows = []
    for entry in progress(load(registry), "sources", unit="source"):
        state = _state(entry, {"open": downloads, "generated": generated, "on request": licensed}, registry)
        size = f"{int(entry.size):,}" if entry.size else ""
        rows.append((entry.id, entry.version, entry.access, state, size, entry.licence))
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    for row in (COLUMNS, *rows):
        print("  ".join(field.ljust(width) for field, width in zip(row, widths, strict=True)).rstrip())


def _state(entry: Entry, folders: dict[str, Path], registry: Path) -> str:
    """What of a source is on this machine."""
    place = folders[entry.access] / entry.path
    if entry.access == "on request":
        if not place.is_dir():
            return "missing"
        return "incomplete" if licences.missing(entry, folders[entry.access]) else "present"
    if not entry.files:
        return _compared(place, entry.sha256) if place.exists() else "missing"
    sums = read_sums(registry.parent / entry.files)
    states = [
        _compared(place / name, sha256) if (place / name).is_file() else "missing"
        for name, sha256 in sums.items()
    ]
    for state in ("damaged", "missing"):
        if state in states:
            return state if states.count(state) == len(states) else f"{states.count(state)} files {state}"
    return "present"


def _compared(path: Path, sha256: str) -> str:
    """Whether a file that is there is the right one, as far as that is known."""
    if path.is_file() and sha256 and digest(path) != sha256:
        print(f"{path}: damaged: not the file of the registry; delete it to get it anew", file=sys.stderr)
        return "damaged"
    return "present"


if __name__ == "__main__":
    run(sources)
