"""Command: list the sources of each leaf, with their licences."""

from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
from workflow_scripts.corpora.sources.present import checked_by, measure
from workflow_scripts.corpora.sources.registry import Entry, find, load
from workflow_scripts.leaves.registry import load as load_leaves

HEADER = (
    *("leaf", "paper", "source", "version", "licence", "access", "address"),
    *("sha256", "bytes", "checked_by", "cite"),
)


def used_sources(
    out: Path,
    *,
    leaves: Path,
    registry: Path,
    used: list[str],
    downloads: Path,
    generated: Path,
    licensed: Path,
) -> None:
    """Write one line per leaf and source, sources in the order of the registry.

    The address of a licensed corpus says how to ask for it; a generated one has none. Checksum and size are
    those of the files on this machine (of several files: see `present.measure`), and empty for missing ones.
    `checked_by` is the origin of a download's checksum: the `registry`, or the `first download` of a file
    without a published checksum. Raises InputError for an unknown leaf or source, and for a wrong checksum.

    :param out: CSV to write
    :param leaves: the table of leaves, `papers.csv` beside it
    :param registry: the table of sources
    :param used: ``leaf=source,source``: the sources of each leaf, by their id in the registry
    :param downloads: folder of downloaded files
    :param generated: folder of the demo world
    :param licensed: folder of the corpora that the user put in place
    """
    entries = load(registry)
    folders = {"open": downloads, "generated": generated, "on request": licensed}
    papers = {leaf.name: leaf.paper for leaf in load_leaves(leaves)}
    pairs: list[tuple[str, Entry]] = []
    for item in used:
        leaf, _, names = item.partition("=")
        if leaf not in papers:
            raise InputError(f"no leaf '{leaf}'", path=leaves)
        rows = {find(entries, name) for name in names.split(",") if name}
        pairs += [(leaf, row) for row in entries if row in rows]
    needed = {row.id: row for _, row in pairs}
    measured: dict[str, tuple[str, int] | tuple[str, str]] = {}
    for row in progress(needed.values(), "measure sources", len(needed), "source"):
        place = folders[row.access] / row.path
        measured[row.id] = measure(row, place, registry) if place.exists() else ("", "")
    lines = []
    for leaf, row in pairs:
        address = row.note if row.access == "on request" else row.url
        check = checked_by(row, folders[row.access] / row.path)
        facts = (row.id, row.version, row.licence, row.access, address, *measured[row.id], check, row.paper)
        lines.append([leaf, papers[leaf], *facts])
    write_csv(out, HEADER, lines)


if __name__ == "__main__":
    run(used_sources)
