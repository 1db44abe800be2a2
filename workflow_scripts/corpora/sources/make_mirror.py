"""Command: fill a mirror folder, for the setting `mirror` on machines without network, and for tests."""

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
    """Download and check the open sources of some corpora, in the layout of a mirror.

    Intact files stay; the files of an interrupted run are kept in `partial`, and the next run resumes there.
    Raises InputError for a corpus that has no open source, and as the downloads do.

    :param folder: the mirror
    :param registry: the table of sources
    :param corpora: names in the registry's column `corpus`
    :param partial: folder of unfinished downloads
    :param retries: further tries for a file after one that received nothing new
    :param parallel: files of one corpus to download at a time
    :param record: accept files without a known checksum too, and record the checksums that they have
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
    """Download the sources that are missing or damaged."""
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
