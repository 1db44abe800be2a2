"""Programs that jobs call and no lock file installs: the missing ones, and how to install them."""

import importlib.util
import os
import shutil
import subprocess
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

# A missing program, and the Debian packages that provide it; none if the user cannot install it.
Missing = list[tuple[str, tuple[str, ...]]]
COMPILERS = ("c++", "g++", "clang++")
SLURM = ("sbatch", "squeue", "sacct", "scancel")


def compiler() -> Missing:
    """A compiler for KenLM: any of `COMPILERS`, or the one in CXX."""
    names = [os.environ["CXX"].split()[0]] if os.environ.get("CXX", "").strip() else list(COMPILERS)
    return [] if any(map(shutil.which, names)) else [(f"a C++ compiler ({', '.join(names)})", ("g++",))]


def venv(*, headers: bool) -> Missing:
    """The programs that make a tool's environment, and with `headers` those that compile its packages."""
    missing: Missing = []
    if importlib.util.find_spec("ensurepip") is None:
        missing.append(("Python's module ensurepip", ("python3-venv",)))
    if headers and not (Path(sysconfig.get_path("include")) / "Python.h").is_file():
        missing.append(("Python's header files", ("python3-dev",)))
    return missing


def packages() -> Missing:
    """The packages that every command of the workflow needs, and that Snakemake's own environment lacks."""
    names = [name for name in ("defopt", "tqdm") if importlib.util.find_spec(name) is None]
    root = Path(__file__).parents[2]
    return [
        (f"the Python package {name} (run make -C {root} setup, or add --sdm conda)", ())
        for name in names[:1]
    ]


def slurm() -> Missing:
    """The programs that submit jobs to a cluster."""
    names = [name for name in SLURM if shutil.which(name) is None]
    return [(f"Slurm's {', '.join(names)}: start the run on a machine of the cluster", ())] if names else []


def left_in_queue(folder: Path) -> list[str]:
    """The numbers of this user's Slurm jobs that an earlier run submitted from a folder."""
    if shutil.which("squeue") is None:
        return []
    command = ["squeue", "--me", "--array", "--noheader", "--format=%i|%k|%Z"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    rows = [line.split("|", 2) for line in listed.splitlines()]
    return [
        row[0]
        for row in rows
        if len(row) == 3 and row[1].startswith(("rule_", "group_")) and Path(row[2]) == folder.absolute()
    ]


def told(missing: Sequence[tuple[str, Iterable[str]]]) -> list[str]:
    """One line that names each missing program once; empty if there is none."""
    if not missing:
        return []
    names = dict.fromkeys(name for name, _ in missing)
    packages = sorted({package for _, more in missing for package in more})
    install = f"; on Debian and Ubuntu: sudo apt-get install {' '.join(packages)}" if packages else ""
    return [f"programs that this run needs are missing: {', '.join(names)}{install}"]
