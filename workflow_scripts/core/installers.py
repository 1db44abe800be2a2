"""The programs that install packages: uv where it can take pip's place, and pip.

uv takes a fifth of pip's time, but reads none of its settings, which name indexes, mirrors and certificates:
they are handed over. Only the standard library is imported: `make setup` calls this before anything else is
installed.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

# pip's settings, with uv's variable of the same meaning and the separator of several values there.
_VARIABLES = {
    "cert": ("SSL_CERT_FILE", " "),
    "constraint": ("UV_CONSTRAINT", " "),
    "default-timeout": ("UV_HTTP_TIMEOUT", " "),
    "extra-index-url": ("UV_INDEX", " "),
    "find-links": ("UV_FIND_LINKS", ","),
    "index-url": ("UV_DEFAULT_INDEX", " "),
    "no-cache-dir": ("UV_NO_CACHE", " "),
    "proxy": ("ALL_PROXY", " "),
    "timeout": ("UV_HTTP_TIMEOUT", " "),
    "trusted-host": ("UV_INSECURE_HOST", " "),
}
# Settings that change nothing in what is installed, nor where it comes from.
_NO_MATTER = {
    *("cache-dir", "config-file", "disable-pip-version-check", "no-color", "no-input"),
    *("no-python-version-warning", "no-warn-script-location", "progress-bar", "quiet"),
    *("require-virtualenv", "retries", "root-user-action", "verbose"),
}
_SECTIONS = ("global", "install", ":env:")


class Installer(NamedTuple):
    """A command that takes the arguments of `pip install`, and variables to add to its environment."""

    name: str
    command: list[str]
    variables: dict[str, str]


def installers(python: Path) -> Iterator[Installer]:
    """The installers for the environment of `python`, in the order to try them: uv if possible, then pip.

    uv is the package of the interpreter that runs this. It is left out where pip has a setting of which uv
    knows no counterpart: pip then installs as the user has set it up.
    """
    if _is_here("uv") and (variables := uv_variables()) is not None:
        command = [sys.executable, "-m", "uv", "pip", "install", "--python", str(python)]
        yield Installer("uv", command, variables)
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off"]
    yield Installer("pip", command, {})


def _is_here(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def uv_variables() -> dict[str, str] | None:
    """pip's settings as variables for uv; None if uv has no counterpart of one of them.

    Variables that the user has set for uv itself are left as they are.
    """
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"], check=False, capture_output=True, text=True
    )
    if listed.returncode:
        return None
    settings: dict[str, str] = {}
    rows = [line.partition("=") for line in listed.stdout.splitlines()]
    # As in pip, a later section takes the place of an earlier one.
    for section in _SECTIONS:
        for key, _, value in rows:
            where, _, name = key.rpartition(".")
            if where == section and name not in _NO_MATTER:
                settings[name] = ast.literal_eval(value)
    if not settings.keys() <= _VARIABLES.keys():
        return None
    # pip takes the best version of all indexes; uv would take that of the first index that has the package.
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for name, value in settings.items():
        variable, separator = _VARIABLES[name]
        variables[variable] = separator.join(value.split())
    return {name: value for name, value in variables.items() if name not in os.environ}
