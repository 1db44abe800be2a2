"""Command: print the registry as a table, with the state of each source on this machine."""

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

    State: `present` (and intact, if a checksum is known), `missing`, `in the mirror` (intact there, and not
    yet copied), `incomplete` (a licensed corpus), `damaged` (a wrong checksum; stderr names the file), or for
    several files how many of them are damaged or missing.

    :param registry: the table of sources
    :param downloads: folder of downloaded files
    :param generated: folder of the demo world
    :param licensed: folder of the corpora that the user put in place
    :param mirror: folder that contains the downloads, if the network is not used
    """
    folders = {"open": downloads, "generated": generated, "on request": licensed}
    rows = []
    for entry in progress(load(registry), "sources", unit="source"):
        status = _state(entry, folders[entry.access] / entry.path, registry, "delete it to get it again")
        if status == "missing" and mirror and entry.access == "open" and entry.mirror_path:
            mirrored = _state(entry, mirror / entry.mirror_path, registry, "put the right one there")
            status = {"present": "in the mirror", "missing": "missing"}.get(mirrored, f"mirror: {mirrored}")
        size = f"{int(entry.size):,}" if entry.size else ""
        rows.append((entry.id, entry.version, entry.access, status, size, entry.licence))
    widths = [max(map(len, column)) for column in zip(COLUMNS, *rows, strict=True)]
    for row in (COLUMNS, *rows):
        print("  ".join(field.ljust(width) for field, width in zip(row, widths, strict=True)).rstrip())


def _state(entry: Entry, place: Path, registry: Path, fix: str) -> str:
    """The state of a source; stderr names damaged files."""
    status, damaged = state(entry, place, registry)
    for path in damaged:
        print(f"{path}: damaged: not the file of the registry; {fix}", file=sys.stderr)
    return status


if __name__ == "__main__":
    run(sources)
