"""Command: get a corpus of many files, several at a time, resumed and checked, or from a mirror."""

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

from workflow_scripts.core.command import run
from workflow_scripts.core.files import digest, progress
from workflow_scripts.corpora.sources.download import download
from workflow_scripts.corpora.sources.sums import read_sums


def download_files(
    folder: Path,
    *,
    sums: Path,
    url: str,
    partial: Path,
    retries: int,
    parallel: int,
    mirror: Path | None = None,
    mirror_path: str = "",
) -> None:
    """Make a folder that contains every file of a checksum list, and nothing else.

    Downloaded files stay in the `partial` folder until all have arrived, so that an interrupted run resumes
    with the missing ones. Raises InputError for a file that cannot be obtained or has a wrong checksum.

    :param folder: the folder to write; it appears when complete
    :param sums: the checksum list: ``<sha256>  <path>`` a line
    :param url: the address of the folder; a file's address is this, a slash, and its path
    :param partial: folder of unfinished downloads
    :param retries: further tries for a file after one that received nothing new
    :param parallel: files to download at a time
    :param mirror: folder that contains the same files; if given, the network is not used
    :param mirror_path: the folder's path below the mirror
    """
    wanted = read_sums(sums)
    staging = partial / f"{folder.name}.files"

    def fetch(item: tuple[str, str]) -> None:
        path, sha256 = item
        target = staging / path
        if target.is_file() and digest(target) == sha256:
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        download(
            target,
            url=f"{url}/{quote(path)}",
            sha256=sha256,
            partial=partial,
            retries=retries,
            mirror=mirror,
            mirror_path=f"{mirror_path}/{path}",
        )

    with ThreadPoolExecutor(parallel) as pool:
        try:
            for _ in progress(
                pool.map(fetch, wanted.items()), f"files of {folder.name}", len(wanted), "file"
            ):
                pass
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    for path in sorted(staging.rglob("*")):
        if path.is_file() and path.relative_to(staging).as_posix() not in wanted:
            path.unlink()
    folder.parent.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        shutil.rmtree(folder)
    os.replace(staging, folder)


if __name__ == "__main__":
    run(download_files)
