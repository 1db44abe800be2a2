"""pip, run with a line of progress: in a real environment, without any network."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT


@pytest.fixture(scope="module")
def venv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("venv") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin/python"


def pip(python: Path, log: Path, *words: str) -> subprocess.CompletedProcess:
    command = [python, "-m", "pip", "install", "--no-index", "--disable-pip-version-check", *words]
    # As make calls it: by the interpreter of an empty environment.
    called = [python, "-m", "workflow_scripts.progress.install", log, *command]
    return subprocess.run([*map(str, called)], capture_output=True, text=True, cwd=ROOT)


def wheel(folder: Path, name: str) -> None:
    info = f"{name}-1.0.dist-info"
    with zipfile.ZipFile(folder / f"{name}-1.0-py3-none-any.whl", "w") as archive:
        archive.writestr(f"{name}.py", "")
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        archive.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(
            f"{info}/RECORD", f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n"
        )


@pytest.mark.slow
def test_packages_are_installed_and_counted(venv, tmp_path):
    for name in ("one", "two"):
        wheel(tmp_path, name)
    done = pip(venv, tmp_path / "log.txt", "--find-links", str(tmp_path), "one", "two")
    assert done.returncode == 0, done.stderr
    assert "2 packages installed" in done.stderr
    assert len(done.stderr.splitlines()) < 8
    assert "Successfully installed one-1.0 two-1.0" in (tmp_path / "log.txt").read_text()


@pytest.mark.slow
def test_a_failure_shows_what_pip_said(venv, tmp_path):
    done = pip(venv, tmp_path / "log.txt", "no-such-package")
    assert done.returncode == 1
    assert "No matching distribution found for no-such-package" in done.stderr
    assert "Traceback" not in done.stderr
