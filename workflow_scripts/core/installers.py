"""The programs that install packages: uv where it can take pip's place, and pip.

uv takes a fifth of pip's time, but reads none of its settings, which name indexes, mirrors and certificates:
they are handed over. Only the standard library is imported: `make setup` calls this before anything else is
installed.
"""

import ast
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

# pip's settings, with uv's variables of the same meaning.
_VARIABLES = {
    "cache-dir": ("UV_CACHE_DIR",),
    "cert": ("SSL_CERT_FILE",),
    "constraint": (),
    "default-timeout": ("UV_HTTP_TIMEOUT",),
    "extra-index-url": ("UV_INDEX",),
    "find-links": ("UV_FIND_LINKS",),
    "index-url": ("UV_DEFAULT_INDEX",),
    "no-cache-dir": ("UV_NO_CACHE",),
    "proxy": ("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY"),
    "timeout": ("UV_HTTP_TIMEOUT",),
    "trusted-host": ("UV_INSECURE_HOST",),
}
# uv's older names of two variables.
_OLD = {"UV_DEFAULT_INDEX": "UV_INDEX_URL", "UV_INDEX": "UV_EXTRA_INDEX_URL"}
# Settings that change nothing in what is installed, nor where it comes from.
_NO_MATTER = {
    *("break-system-packages", "config-file", "disable-pip-version-check", "no-color", "no-input"),
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

    uv is the package of the interpreter that runs this. It is left out where pip has a setting that cannot
    be handed over: pip then installs as the user has set it up.
    """
    settings = _settings_of_pip() if _is_here("uv") else None
    if settings is not None and settings.keys() <= _VARIABLES.keys():
        command = [sys.executable, "-m", "uv", "pip", "install", "--python", str(python)]
        # In uv a constraint on the command line would take the place of those in its variable.
        for path in settings.get("constraint", "").split():
            command += ["-c", os.path.expanduser(path)]
        yield Installer("uv", command, _variables(settings))
    command = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--progress-bar", "off"]
    yield Installer("pip", command, {})


def _is_here(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


def _settings_of_pip() -> dict[str, str] | None:
    """pip's settings, but those that do not matter; None if it does not say them, or not without doubt."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        check=False,
        capture_output=True,
        text=True,
        # If it is set to be quiet, it lists nothing; if verbose, files too.
        env={**os.environ, "PIP_QUIET": "0", "PIP_VERBOSE": "0"},
    )
    if listed.returncode:
        return None
    sections: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for line in listed.stdout.splitlines():
        key, _, quoted = line.partition("=")
        section, _, name = key.rpartition(".")
        if not quoted:
            return None
        value = ast.literal_eval(quoted)
        # pip ignores empty values.
        counts = section in sections and name not in _NO_MATTER and value
        # Newer releases of pip list each file, and not in the order in which they count.
        if counts and sections[section].setdefault(name, value) != value:
            return None
    # As in pip, a later section takes the place of an earlier one.
    return {name: value for section in _SECTIONS for name, value in sections[section].items()}


def _variables(settings: dict[str, str]) -> dict[str, str]:
    """Variables for uv, but for those of its own that the user has set."""
    # pip takes the best version of all indexes; uv would take that of the first index that has the package.
    variables = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    # pip compiles modules as it installs them, and uv leaves it to the programs that import them.
    if os.environ.get("PYTHONDONTWRITEBYTECODE"):
        variables["UV_COMPILE_BYTECODE"] = "1"
    # pip reads it too, and uv does not.
    if bundle := os.environ.get("REQUESTS_CA_BUNDLE"):
        variables["SSL_CERT_FILE"] = bundle
    for name, value in settings.items():
        if name.endswith("timeout"):
            value = str(math.ceil(float(value)))
        elif name == "cache-dir":
            value = os.path.join(os.path.expanduser(value), "uv")
        else:
            parts = map(os.path.expanduser, value.split())
            value = ("," if name == "find-links" else " ").join(parts)
        variables |= dict.fromkeys(_VARIABLES[name], value)
    own = {name for name in os.environ if name.startswith("UV_")}
    return {name: value for name, value in variables.items() if not {name, _OLD.get(name)} & own}
