"""Installing with a line of progress: in a real environment, without any network."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import ROOT
from workflow_scripts.core.installers import installers


@pytest.fixture(scope="module")
def venv(tmp_path_factory):
    folder = tmp_path_factory.mktemp("venv") / "venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin/python"


def installed(by: str, python: Path, log: Path, *words: str, **env: str) -> subprocess.CompletedProcess:
    """As make calls it, by an interpreter that has uv or that of an empty environment, which has not."""
    called = [by, "-m", "workflow_scripts.progress.install", log, python, *words]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
    ours = {"PIP_CONFIG_FILE": os.devnull, "UV_CACHE_DIR": str(log.with_name("cache")), "UV_NO_CONFIG": "1"}
    return subprocess.run(
        [*map(str, called)], capture_output=True, text=True, cwd=ROOT, env={**kept, **ours, **env}
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
    here = [name for name in ("one", "two") if list(venv.parents[1].rglob(f"{name}-1.0.dist-info"))]
    if here:
        subprocess.run([venv, "-m", "pip", "uninstall", "--quiet", "--yes", *here], check=True)
    done = installed(running, venv, tmp_path / "log.txt", "one", "two", PIP_INDEX_URL=index)
    assert done.returncode == 0, done.stderr
    assert "2 packages installed in" in done.stderr
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


@pytest.mark.slow
@pytest.mark.parametrize("by", ["uv", "pip"])
def test_constraints_of_settings_and_of_arguments_both_count(venv, index, tmp_path, by):
    running = sys.executable if by == "uv" else venv
    for name, version in (("mine", "9"), ("ours", "1.0")):
        (tmp_path / f"{name}.txt").write_text(f"one=={version}\n")
    words = ("one", "-c", str(tmp_path / "ours.txt"))
    assert installed(running, venv, tmp_path / "log.txt", *words, PIP_INDEX_URL=index).returncode == 0
    again = ("--reinstall" if by == "uv" else "--force-reinstall", *words)
    mine = {"PIP_INDEX_URL": index, "PIP_CONSTRAINT": str(tmp_path / "mine.txt")}
    done = installed(running, venv, tmp_path / "log.txt", *again, **mine)
    assert done.returncode
    assert done.stderr.count("failed\n") == (2 if by == "uv" else 1)


def handed(python: str = sys.executable) -> tuple[list[str], dict[str, str]] | None:
    """The command and the variables of uv; None if pip installs alone."""
    *first, last = installers(Path(python))
    assert last.name == "pip" and len(first) < 2
    return (first[0].command, first[0].variables) if first else None


def listed(monkeypatch: pytest.MonkeyPatch, text: str, code: int = 0) -> None:
    """Let pip list this of its settings."""
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=code, stdout=text))


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """Where to write pip's file of settings; no others count but those of the system."""
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_", "SSL_CERT", "REQUESTS_"))]:
        monkeypatch.delenv(name)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    return tmp_path / "pip.conf"


def test_settings_of_pip_are_handed_to_uv(settings, monkeypatch):
    settings.write_text(
        "[global]\nindex-url = https://everywhere.example\ncert = /a.pem\nprogress-bar = off\n"
        "[install]\nindex-url = https://install.example/simple\ntrusted-host = a.example\n  b.example\n"
        "timeout = 60.5\nproxy = http://proxy.example\ncache-dir = /scratch/pip\nconstraint = /pins.txt\n"
    )
    monkeypatch.setenv("PIP_FIND_LINKS", "/one ~/two")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    command, variables = handed()
    ours = {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://install.example/simple",
        "SSL_CERT_FILE": "/a.pem",
        "UV_INSECURE_HOST": "a.example b.example",
        "UV_FIND_LINKS": f"/one,{os.environ['HOME']}/two",
        "UV_HTTP_TIMEOUT": "61",
        "UV_CACHE_DIR": "/scratch/pip/uv",
        **dict.fromkeys(("ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY"), "http://proxy.example"),
    }
    assert ours.items() <= variables.items()
    assert "/pins.txt" in command[command.index("-c") :]
    # An empty value is none.
    assert "" not in variables.values()


@pytest.mark.parametrize("name", ["UV_DEFAULT_INDEX", "UV_INDEX_URL"])
def test_settings_of_uv_count_more(settings, monkeypatch, name):
    settings.write_text("[global]\nindex-url = https://a.example\n")
    monkeypatch.setenv(name, "https://mine.example")
    assert "UV_DEFAULT_INDEX" not in handed()[1]


def test_certificates_that_only_pip_would_look_up(settings, monkeypatch):
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/bundle.pem")
    listed(monkeypatch, "")
    assert handed()[1]["SSL_CERT_FILE"] == "/bundle.pem"
    listed(monkeypatch, "global.cert='/a.pem'\n")
    assert handed()[1]["SSL_CERT_FILE"] == "/a.pem"


def test_pip_installs_where_its_settings_cannot_be_handed_over(settings, monkeypatch):
    settings.write_text("[global]\nprefer-binary = true\n")
    assert handed() is None
    # Two files that disagree, as newer releases of pip list them; a line that is no setting; no listing.
    for said in ("global.index-url='https://system'\nglobal.index-url='https://user'\n", "For variant\n"):
        listed(monkeypatch, said)
        assert handed() is None
    listed(monkeypatch, "", code=1)
    assert handed() is None


@pytest.mark.parametrize("level", ["quiet", "verbose"])
def test_how_much_pip_says_changes_nothing(settings, level):
    settings.write_text(f"[global]\n{level} = 1\nindex-url = https://a.example\n")
    assert handed()[1]["UV_DEFAULT_INDEX"] == "https://a.example"


@pytest.mark.parametrize("value", ["", "1"])
def test_modules_are_compiled_at_once_where_python_may_not_keep_them(settings, monkeypatch, value):
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", value)
    assert ("UV_COMPILE_BYTECODE" in handed()[1]) == bool(value)
