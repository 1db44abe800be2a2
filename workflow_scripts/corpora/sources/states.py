"""Print the registry as a table, with what is present, missing or damaged on this machine."""

from __future__ import annotations

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.files import progress
from workflow_scripts.corpora.sources.present import state
from workflow_scripts.corpora.sources.registry import Entry, load

COLUMNS = ("name", "version", "access", "state", "size", "licence")


def sources(
    registry: Path, *, downloads: Path, generated: Path, licensed: Path, mirror: Path | None = None
) -> None:
    """Print one line per source: its name, version, access, state, size and licence.

    State: `present` (and, where a checksum is known, whole), `missing`, `in the mirror` (whole there, and not
    yet taken from it), `incomplete` (a licensed corpus), `damaged` (a wrong checksum, which is said to be the
    reason on stderr with the file's path), or for several files how many of them are damaged or missing.

    :param registry: the table of sources
    :param downloads: folder of downloaded files
    :param generated: folder of the demo world
    :param licensed: folder of the corpora that the user put in place
    :param mirror: folder that holds the downloads, where the network is not used
    """
    folders = {"open": downloads, "generated": generated, "on request": licensed}
    rows = []
    for entry in progress(load(registry), "sources", unit="source"):
        found = _state(entry, folders[entry.access] / entry.path, registry, "delete it to get it anew")
        if found == "missing" and mirror and entry.access == "open" and entry.mirror_path:
            there = _state(entry, mirror / entry.mirror_path, registry, "put the right one there")
            found = {"present": "in the mirror", "missing": "missing"}.get(there, f"mirror: {there}")
        size = f"{int(entry.size):,}" if entry.size else ""
        rows.append((entry.id, entry.version, entry.access, found, size, entry.licence))
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    for row in (COLUMNS, *rows):
        print("  ".join(field.ljust(width) for field, width in zip(row, widths, strict=True)).rstrip())


def _state(entry: Entry, place: Path, registry: Path, fix: str) -> str:
    """The state of a source; damaged files are named on stderr."""
    found, damaged = state(entry, place, registry)
    for path in damaged:
        print(f"{path}: damaged: not the file of the registry; {fix}", file=sys.stderr)
    return found


if __name__ == "__main__":
    run(sources)
