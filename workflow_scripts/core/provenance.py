"""Which code, and which versions, a number comes from."""

from __future__ import annotations

import os
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from workflow_scripts.core.reachability import Package

ROOT = Path(__file__).parents[1]


@cache
def code_of(module: str) -> str:
    """A digest of the definitions that a command can reach, of this package; see `reachability`.

    `module` is a dotted name below the package (``filtering.curate``). A comment, a docstring, another
    layout, and a definition that the command does not reach leave the digest as it is. Rules hold it as a
    param, so that an edited function reruns exactly the rules whose commands can reach it. Raises ValueError
    if there is no such module.
    """
    return _package().digest(module)


def reachable(module: str) -> frozenset[str]:
    """The definitions that `code_of` covers, as dotted names below the package (``core.files.lines``)."""
    return _package().definitions(module)


@cache
def _package() -> Package:
    return Package(ROOT)


def versions(*distributions: str) -> dict[str, str]:
    """The installed versions of the named distributions."""
    return {name: version(name) for name in distributions}


def use_this_python(root: Path) -> None:
    """Let child processes find this Python as `python`, and this package from any working directory."""
    for name, folder in (("PATH", Path(sys.executable).parent), ("PYTHONPATH", root)):
        os.environ[name] = os.pathsep.join(filter(None, [str(folder), os.environ.get(name)]))
