"""Fill a mirror folder: what the setting `mirror` names on a machine without network, and what tests read."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.files import progress
from workflow_scripts.corpora.sources.download import download
from workflow_scripts.corpora.sources.download_files import download_files
from workflow_scripts.corpora.sources.present import state
from workflow_scripts.corpora.sources.registry import Entry, load
from workflow_scripts.corpora.sources.sums import read_sums


def make_mirror(
    folder: Path,
    *,
    registry: Path,
    corpora: list[str],
    partial: Path,
    retries: int,
    parallel: int,
    record: bool = False,
) -> None:
    """Download the open sources of some corpora, each checked, into the layout of a mirror.

    What is there and whole stays; what a broken run has brought is kept in `partial`, and the next run goes
    on from there. Raises InputError for a corpus that has no open source, and as the downloads do.

    :param folder: the mirror
    :param registry: the table of sources
    :param corpora: names of the registry's column `corpus`
    :param partial: folder of unfinished downloads
    :param retries: further tries for a file after one that brought nothing new
    :param parallel: files of one corpus at a time
    :param record: take files without a known checksum too, and record their own beside them
    """
    entries = [row for row in load(registry) if row.access == "open" and row.mirror_path]
    known = {row.corpus for row in entries}
    for name in corpora:
        if name not in known:
            raise InputError(f"no open corpus '{name}' in the registry; {nearest(name, known)}")
    wanted = [row for row in entries if row.corpus in corpora]
    fetch(wanted, folder, registry, partial=partial, retries=retries, parallel=parallel, record=record)


def fetch(
    entries: Sequence[Entry],
    folder: Path,
    registry: Path,
    *,
    partial: Path,
    retries: int,
    parallel: int,
    record: bool = False,
) -> None:
    """Get those of the sources that are not there yet, or not whole."""
    for row in progress(entries, f"sources in {folder}", len(entries), "source"):
        place = folder / row.mirror_path
        if state(row, place, registry)[0] == "present":
            continue
        if row.files:
            sums = registry.parent / row.files
            # Another source may have files in the same folder.
            arrived = partial / f"{row.id}.arrived"
            download_files(
                arrived, sums=sums, url=row.url, partial=partial, retries=retries, parallel=parallel
            )
            for path in read_sums(sums):
                (place / path).parent.mkdir(parents=True, exist_ok=True)
                os.replace(arrived / path, place / path)
            shutil.rmtree(arrived)
        else:
            download(place, url=row.url, sha256=row.sha256, partial=partial, retries=retries, record=record)


if __name__ == "__main__":
    run(make_mirror)
