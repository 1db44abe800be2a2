"""Command: compare files that a user has put in place with the checksums that are recorded beside them."""

import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import progress
from workflow_scripts.corpora.sources.sums import checksum, read_sums, record_of, write_sums


def check_given(out: Path, *, folder: Path, names: list[str], record: bool = False) -> None:
    """Write the SHA-256 of some files of a folder, as `sha256sum` writes it.

    The record is beside the folder (``<folder>.sha256``), in the same form; further files in it are left
    alone. `record` adds what it lacks: the first checksum of a file, with which every later one must agree.
    Raises InputError for a file without a recorded checksum and without `record`, and for a checksum that
    differs from the recorded one (with both).

    :param out: the list to write
    :param folder: the folder
    :param names: the names of its files
    :param record: accept files without a recorded checksum, and record the checksums that they have
    """
    kept = record_of(folder)
    known = read_sums(kept) if kept.exists() else {}
    sums: dict[str, str] = {}
    for name in progress(names, f"check {folder.name}", len(names), "file"):
        file = folder / name
        sums[name] = checksum(file, "")
        if name not in known and not record:
            raise InputError(
                f"no checksum of this file is recorded in {kept}",
                path=file,
                fix="write it there as sha256sum does, or accept the first one: downloads.unpinned",
            )
        if (expected := known.get(name, sums[name])) != sums[name]:
            raise InputError(
                f"wrong checksum: sha256 is {sums[name]}, recorded is {expected}",
                path=file,
                fix=f"put the recorded file there again; or, if this one is intended, delete {kept} and run"
                " again",
            )
    if sums.keys() - known.keys():
        write_sums(kept, known | sums)
        print(f"{folder}: no checksum is published; the files' own are recorded in {kept}", file=sys.stderr)
    write_sums(out, sums)


if __name__ == "__main__":
    run(check_given)
