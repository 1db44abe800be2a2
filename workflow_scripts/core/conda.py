"""Command: the conda files, with the versions of the lock file."""

import re
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines

# 3.11 everywhere: this Python makes the environments of tools, and Bicleaner's published packs need it.
MAIN = """\
# For conda users (snakemake --sdm conda): main.txt without what only tests need. Written by make lock.
channels: [conda-forge]
dependencies:
  - python=3.11.9
  - pip=24.0
  - cxx-compiler=1.7.0
  - pip:"""
# Snakemake adds its own Python to it.
RULES = """\
# What reading the rules needs besides Snakemake (snakemake --sdm conda). Written by make lock.
channels: [conda-forge]
dependencies:"""
OF_RULES = ("pydantic", "pyyaml")


def write_conda(lock: Path, main: Path, rules: Path, *, asked: Path, tests: Path) -> None:
    """Write the conda files of two environments: of jobs, and of reading the rules.

    The first one contains all lines of the lock file, since Snakemake copies it to a place without other
    files. Raises InputError if a required package is not in the lock file.

    :param lock: the exact versions of all packages, one per line, with markers (PEP 508)
    :param main: the conda file for jobs
    :param rules: the conda file for reading the rules
    :param asked: the packages that jobs need, one per line
    :param tests: the packages that only tests need, one per line; their dependencies stay in
    """
    pins = [(_name(line), line) for line in lines(lock) if "==" in line and not line.startswith("#")]
    known = {name for name, _ in pins}
    for name in [*map(_name, _packages(asked)), *OF_RULES]:
        if name not in known:
            raise InputError(f"'{name}' is not in {lock}", path=asked, fix="run make lock")
    left_out = {_name(line) for line in _packages(tests)}
    rows = [f'      - "{line}"' for name, line in pins if name not in left_out]
    write_lines(main, [*MAIN.splitlines(), *rows])
    versions = {name: line.partition("==")[2].split()[0] for name, line in pins}
    write_lines(rules, [*RULES.splitlines(), *(f"  - {name}={versions[name]}" for name in OF_RULES)])


def _packages(path: Path) -> list[str]:
    return [line for line in lines(path) if line.strip() and not line.startswith("#")]


def _name(line: str) -> str:
    """A requirement's package, as package indexes compare names: without extras, versions and markers."""
    return re.split(r"[=<> ;\[]", line.strip())[0].lower().replace("_", "-")


if __name__ == "__main__":
    run(write_conda)
