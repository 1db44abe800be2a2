"""Command: the conda file of the main environment, with the versions of its lock file."""

from __future__ import annotations

import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines

HEAD = """\
# For conda users (snakemake --sdm conda, or conda env create): what main.in asks for, as pinned in main.txt.
# Written by make lock.
channels: [conda-forge]
dependencies:
  - python=3.12
  - pip
  - cxx-compiler
  - pip:"""


def write_conda(asked: Path, lock: Path, target: Path) -> None:
    """Write a conda file that installs the asked-for packages in their locked versions.

    Raises InputError if a package is asked for that the lock does not hold.

    :param asked: the packages that are asked for, one a line
    :param lock: the exact versions of these and of all that they need
    :param target: the conda file
    """
    pins = {}
    for line in lines(lock):
        if match := re.match(r"([\w.-]+)==(\S+)", line):
            pins[match[1].lower().replace("_", "-")] = match[2]
    rows = []
    for line in lines(asked):
        name = re.split(r"[=<> ;]", line.strip())[0].lower().replace("_", "-")
        if not name or name.startswith("#"):
            continue
        # The lock has a package's extras as packages of their own.
        package = name.partition("[")[0]
        if package not in pins:
            raise InputError(f"'{package}' is not in {lock}", path=asked, fix="run make lock")
        rows.append(f"      - {name}=={pins[package]}")
    write_lines(target, [*HEAD.splitlines(), *rows])


if __name__ == "__main__":
    run(write_conda)
