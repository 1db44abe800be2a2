"""Command: install a tool's locked packages into a virtual environment of its own."""

import os
import shutil
import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.installers import installers
from workflow_scripts.core.processes import call
from workflow_scripts.core.turns import turn

# Seconds that an installation may wait for another one of the same tool.
PATIENCE = 3600.0


def install(venv: Path, done: Path, *, lock: Path) -> None:
    """Make a fresh virtual environment with exactly the packages of a lock file.

    What stands at `venv` is replaced, so a killed installation leaves nothing behind that counts, unless it
    is whole and of the same lock file: runs in other directories share it, and install one after the other.
    The environment uses the Python that runs this command; it needs `pip` and the network, and for some tools
    a C++ compiler. Raises InputError with pip's reason if a package cannot be installed.

    :param venv: folder of the environment; it cannot be moved afterwards
    :param done: file to write at the end: the lock that was installed
    :param lock: complete list of pinned packages, with environment markers
    """
    pins = read_lines(lock)
    if not any(pin.strip() and not pin.startswith("#") for pin in pins):
        raise InputError("no packages in this lock file", path=lock, fix="write it with make lock")
    done.unlink(missing_ok=True)
    venv.parent.mkdir(parents=True, exist_ok=True)
    # Unlike `done`, which Snakemake deletes when a run that has seen no tool comes to this job.
    whole = venv / "installed.txt"
    with turn(venv, PATIENCE) as alive:
        if not (whole.is_file() and read_lines(whole) == pins):
            shutil.rmtree(venv, ignore_errors=True)
            _install(venv, lock)
            write_lines(whole, pins)
        alive()
        write_lines(done, pins)


def _install(venv: Path, lock: Path) -> None:
    call([sys.executable, "-m", "venv", venv], fix="is Python's venv module installed?")
    # Of KenLM, the only package that is compiled for long.
    building = {"CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1)}
    # KenLM's Python module reads models up to this order; Bicleaner's packs hold character 7-grams.
    # A wheel in a cache may have been built without it: hence no cache.
    building |= {"MAX_ORDER": "7", "PIP_NO_CACHE_DIR": "1", "UV_NO_CACHE": "1"}
    several = list(installers(venv / "bin" / "python"))
    for installer in several:
        try:
            call(
                # The lock is complete, and holds versions that some packages' own pins would exclude.
                [*installer.command, "--no-deps", "-r", lock],
                env={**installer.variables, **building},
                fix="check the network, and that a C++ compiler is there",
            )
            return
        except InputError as error:
            if installer is several[-1]:
                raise
            print(f"{installer.name}: {error}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    run(install)
