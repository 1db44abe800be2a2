"""The code and the versions behind a number."""

import atexit
import hashlib
import json
import os
import platform
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.reachability import Package
from workflow_scripts.core.temporary import replacing

ROOT = Path(__file__).parents[1]


@cache
def code_of(module: str) -> str:
    """A digest of the definitions in this package that a command can reach; see `reachability`.

    `module` is a dotted name below the package (``filtering.curate``). Comments, docstrings, layout, and
    definitions that the command does not reach leave the digest unchanged. Rules have it as a param, so that
    an edited function reruns exactly the rules whose commands can reach it. Raises ValueError if there is no
    such module.
    """
    kept = _kept(ROOT)
    if module not in kept.digests:
        kept.add(module, _package().digest(module))
    return kept.digests[module]


def reachable(module: str) -> frozenset[str]:
    """The definitions that `code_of` covers, as dotted names below the package (``core.files.lines``)."""
    return _package().definitions(module)


@cache
def _package() -> Package:
    return Package(ROOT)


class Kept:
    """The digests that earlier processes computed for the same sources, stored beside Python's bytecode.

    Computing them for all commands takes more than a second, which every dry run and, on a cluster, every job
    would spend. Stored digests are valid for exactly these sources and this version of Python.
    """

    def __init__(self, package: Path) -> None:
        """`package`: the folder of a package, whose `__pycache__` contains the file."""
        self.path = package / "__pycache__" / "reachable.json"
        total = hashlib.sha256(sys.version.encode())
        for path in sorted(package.rglob("*.py")):
            text = path.read_bytes()
            total.update(f"{path.relative_to(package)} {len(text)}\n".encode() + text)
        self.sources = total.hexdigest()
        self.digests = self._held()
        self._grown = False

    def add(self, module: str, found: str) -> None:
        """Add a digest, to be written with all others when the process ends."""
        self.digests[module] = found
        if not self._grown:
            self._grown = True
            atexit.register(self.write)

    def write(self) -> None:
        """Store all digests, if the folder is writable."""
        with suppress(OSError, InputError), replacing(self.path) as part:
            part.write_text(json.dumps({self.sources: self.digests}), encoding="utf-8")

    def _held(self) -> dict[str, str]:
        """The content of the file for these sources; empty if the file is damaged."""
        with suppress(OSError, ValueError):
            held = json.loads(self.path.read_text(encoding="utf-8"))
            digests = held.get(self.sources) if isinstance(held, dict) else None
            if isinstance(digests, dict) and all(isinstance(one, str) for one in digests.values()):
                return digests
        return {}


_kept = cache(Kept)


def versions(*distributions: str) -> dict[str, str]:
    """The installed versions of the named distributions."""
    return {name: version(name) for name in distributions}


def use_this_python(root: Path) -> None:
    """Let child processes find this Python as `python`, and this package from any working directory."""
    for name, folder in (("PATH", Path(sys.executable).parent), ("PYTHONPATH", root)):
        os.environ[name] = os.pathsep.join(filter(None, [str(folder), os.environ.get(name)]))


def processor() -> str:
    """The processor's own name."""
    return _of_cpu("model name") or platform.processor() or platform.machine()


def maker() -> str:
    """The maker of an x86 processor on Linux, as "GenuineIntel"; else empty. Its name may be any on a VM."""
    return _of_cpu("vendor_id")


def family() -> int:
    """The family of an x86 processor on Linux, in which its maker counts designs; else 0."""
    number = _of_cpu("cpu family")
    return int(number) if number.isdecimal() else 0


def _of_cpu(key: str) -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")
