"""Keep finished tables while a run makes them again: Snakemake deletes a job's outputs before it runs."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from workflow_scripts.core.system_errors import explained


def keep(files: Iterable[Path], folder: Path) -> None:
    """Copy the existing ones of some files, paths relative to the working directory, to a folder.

    A copy left by a killed run stays if its file does not exist. Raises InputError if the system refuses.
    """
    for path in files:
        if path.is_file():
            copy = folder / path
            try:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, copy)
            except OSError as error:
                known = explained(error, copy)
                if known is None:
                    raise
                raise known from None


def put_back(folder: Path) -> list[Path]:
    """Restore missing files from their copies and return them; the folder of copies is removed."""
    copies = sorted(path for path in folder.rglob("*") if path.is_file())
    lost = [path for copy in copies if not (path := copy.relative_to(folder)).exists()]
    for path in lost:
        path.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(folder / path, path)
    shutil.rmtree(folder, ignore_errors=True)
    return lost
