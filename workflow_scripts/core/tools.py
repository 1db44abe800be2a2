"""Command: install a tool's locked packages into a virtual environment of its own."""

import os
import shutil
import sys
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.core.installers import Installer, installers
from workflow_scripts.core.processes import call
from workflow_scripts.core.turns import turn

# Seconds that an installation may wait for another one of the same tool.
PATIENCE = 3600.0


def install(venv: Path, done: Path, *, lock: Path) -> None:
    """Make a fresh virtual environment with exactly the packages of a lock file.

    What stands at `venv` is replaced, so a killed installation leaves nothing behind that counts, unless it
    is whole and of the same lock file: runs in other directories share it, and install one after the other.
    The environment uses the Python that runs this command. uv installs if it is there, or else `pip`, which
    the environment then has too; they need the network, and for some tools a C++ compiler. Raises InputError
    with pip's reason if a package cannot be installed.

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
    # uv needs no pip there, and to install one takes most of the time that an empty environment takes.
    call([sys.executable, "-m", "venv", "--without-pip", venv], fix="is Python's venv module installed?")
    # KenLM's Python module reads models up to this order; Bicleaner's packs hold character 7-grams.
    # A wheel in a cache may have been built without it: hence pip without one, and a new one for uv.
    cache = venv / ".cache"
    variables = {"MAX_ORDER": "7", "PIP_NO_CACHE_DIR": "1", "UV_CACHE_DIR": str(cache.absolute())}
    # No links into the cache, which is deleted in the end.
    variables["UV_LINK_MODE"] = "hardlink"
    # Most of Bicleaner's time goes into compiling KenLM.
    parallel = "CMAKE_BUILD_PARALLEL_LEVEL"
    variables[parallel] = os.environ.get(parallel, str(_cores()))
    python = venv / "bin" / "python"
    *first, last = installers(python)
    try:
        for installer in first:
            try:
                _run(installer, lock, variables)
                return
            except InputError as error:
                print(f"{installer.name} failed, {last.name} is tried: {error}", file=sys.stderr, flush=True)
        call([python, "-m", "ensurepip"], fix="is Python's ensurepip module installed?")
        _run(last, lock, variables)
    finally:
        shutil.rmtree(cache, ignore_errors=True)


def _run(installer: Installer, lock: Path, variables: dict[str, str]) -> None:
    # The lock is complete, and holds versions that some packages' own pins would exclude: hence no-deps.
    call(
        [*installer.command, "--no-deps", "-r", lock],
        env={**installer.variables, **variables},
        fix="check the network, and that a C++ compiler is there",
    )


def _cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


if __name__ == "__main__":
    run(install)
