"""Installing with a line of progress: in a real environment, without any network."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.installers import installers, uv_variables


@pytest.fixture(scope="module")
def venv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("venv") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin/python"


def installed(by: str, python: Path, log: Path, *words: str, **env: str) -> subprocess.CompletedProcess:
    """As make calls it, by an interpreter that has uv or that of an empty environment, which has not."""
    called = [by, "-m", "workflow_scripts.progress.install", log, python, *words]
    return subprocess.run(
        [*map(str, called)], capture_output=True, text=True, cwd=ROOT, env={**os.environ, **env}
    )


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


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    """A package index of two wheels, as an address."""
    folder = tmp_path_factory.mktemp("index")
    for name in ("one", "two"):
        (folder / name).mkdir()
        wheel(folder / name, name)
        file = f"{name}-1.0-py3-none-any.whl"
        (folder / name / "index.html").write_text(f'<a href="{file}">{file}</a>\n')
    return folder.as_uri()


@pytest.mark.slow
@pytest.mark.parametrize("by", ["uv", "pip"])
def test_packages_are_installed_and_counted(venv, index, tmp_path, by):
    running = sys.executable if by == "uv" else venv
    words = ("--reinstall" if by == "uv" else "--force-reinstall", "one", "two")
    done = installed(running, venv, tmp_path / "log.txt", *words, PIP_INDEX_URL=index)
    assert done.returncode == 0, done.stderr
    assert "packages installed in" in done.stderr
    assert len(done.stderr.splitlines()) < 8
    said = {"uv": "+ one==1.0", "pip": "Successfully installed one-1.0 two-1.0"}[by]
    assert said in (tmp_path / "log.txt").read_text()
    found = subprocess.run([venv, "-c", "import one, two"], check=False, capture_output=True)
    assert found.returncode == 0


@pytest.mark.slow
def test_what_uv_cannot_install_pip_tries(venv, index, tmp_path):
    done = installed(sys.executable, venv, tmp_path / "log.txt", "no-such-package", PIP_INDEX_URL=index)
    assert done.returncode == 1
    first, then = done.stderr.split("uv failed", 1)
    assert "no-such-package was not found" in first
    assert "No matching distribution found for no-such-package" in then and "pip failed" in then
    assert "Traceback" not in done.stderr


def test_settings_of_pip_are_handed_to_uv(tmp_path, monkeypatch):
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_", "SSL_CERT"))]:
        monkeypatch.delenv(name)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://everywhere.example\ncert = /a.pem\nprogress-bar = off\n"
        "[install]\nindex-url = https://install.example/simple\ntrusted-host = a.example\n  b.example\n"
    )
    monkeypatch.setenv("PIP_FIND_LINKS", "/one /two")
    found = uv_variables()
    assert found is not None
    ours = {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://install.example/simple",
        "SSL_CERT_FILE": "/a.pem",
        "UV_INSECURE_HOST": "a.example b.example",
        "UV_FIND_LINKS": "/one,/two",
    }
    assert ours.items() <= found.items()
    # The user's own settings of uv count more.
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://mine.example")
    assert "UV_DEFAULT_INDEX" not in uv_variables()
    assert [one.name for one in installers(Path(sys.executable))] == ["uv", "pip"]
    # uv knows nothing like it.
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert uv_variables() is None
    assert [one.name for one in installers(Path(sys.executable))] == ["pip"]
