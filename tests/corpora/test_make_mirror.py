"""A mirror filled from a server on this machine: of made-up files, and of the real ones."""

import hashlib
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.corpora.test_download_files import Server
from tests.corpora.test_sources import HEAD, row
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.sources.make_mirror import fetch, make_mirror
from workflow_scripts.corpora.sources.present import state
from workflow_scripts.corpora.sources.registry import Entry, load

FILES = {"one.txt": b"one\n", "many/a": b"first\n", "many/deep/b": b"second\n"}


@pytest.fixture
def serve(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    servers: list[Server] = []

    def start(folder: Path) -> Server:
        servers.append(Server(folder))
        return servers[-1]

    yield start
    for server in servers:
        server.http.shutdown()
        server.http.server_close()


def get(entries: list[Entry], folder: Path, registry: Path, server: Server) -> list[str]:
    """Fill the folder from a server that has the same layout; what was asked for."""
    address = server.url.rsplit("/", 1)[0]
    moved = [replace(entry, url=f"{address}/{entry.mirror_path}") for entry in entries]
    server.asked.clear()
    fetch(moved, folder, registry, partial=folder.parent / "partial", retries=0, parallel=4)
    return sorted(server.asked)


@pytest.fixture
def registry(tmp_path):
    for name, data in FILES.items():
        path = tmp_path / "served" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    sums = {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()}
    (tmp_path / "many.sha256").write_text(
        "".join(f"{sums[name]}  {name.removeprefix('many/')}\n" for name in FILES if "/" in name)
    )
    rows = [row("one", sha256=sums["one.txt"]), row("many", files="many.sha256"), row("made", "generated")]
    text = "".join(rows)
    for entry, place in (("one", "one.txt"), ("many", "many")):
        text = text.replace(f",,{entry},free", f",{place},{entry},free")
    (tmp_path / "sources.csv").write_text(HEAD + text)
    return tmp_path / "sources.csv"


def test_a_mirror_is_filled_once_and_repaired(tmp_path, registry, serve):
    server = serve(tmp_path / "served")
    entries = [entry for entry in load(registry) if entry.access == "open"]
    out = tmp_path / "mirror"
    assert get(entries, out, registry, server) == ["/many/a", "/many/deep/b", "/one.txt"]
    files = {p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    assert files == FILES
    assert get(entries, out, registry, server) == []
    (out / "one.txt").write_bytes(b"0ne\n")
    assert get(entries, out, registry, server) == ["/one.txt"]
    (out / "many/a").unlink()
    assert get(entries, out, registry, server) == ["/many/a", "/many/deep/b"]
    assert (out / "many/a").read_bytes() == FILES["many/a"]
    # The command itself: what is whole is not asked for, and only what is named is.
    (out / "one.txt").unlink()
    named: dict = {"registry": registry, "partial": tmp_path / "partial", "retries": 0, "parallel": 1}
    make_mirror(out, corpora=["many"], **named)
    assert not (out / "one.txt").exists()


def test_a_broken_run_goes_on_where_it_was(tmp_path, registry, serve):
    server = serve(tmp_path / "served")
    entries = [entry for entry in load(registry) if entry.access == "open"]
    (tmp_path / "served/many/deep/b").rename(tmp_path / "late")
    with pytest.raises(InputError, match="404"):
        get(entries, tmp_path / "mirror", registry, server)
    assert not (tmp_path / "mirror/many").exists()
    (tmp_path / "late").rename(tmp_path / "served/many/deep/b")
    assert get(entries, tmp_path / "mirror", registry, server) == ["/many/deep/b"]


def test_only_open_corpora_can_be_mirrored(tmp_path, registry):
    with pytest.raises(InputError, match=r"no open corpus 'made' in the registry; did you mean 'many'\?"):
        make_mirror(
            tmp_path / "m", registry=registry, corpora=["made"], partial=tmp_path, retries=0, parallel=1
        )


def test_real_corpora_arrive_whole(mirror, tmp_path, serve):
    """A file, and a corpus of many, by the project's own registry."""
    table = ROOT / "resources/sources.csv"
    entries = [entry for entry in load(table) if entry.id in ("pt16-email", "tydip")]
    server = serve(mirror)
    asked = get(entries, tmp_path / "mirror", table, server)
    assert "/pt16/data/email" in asked and "/tydip/data/all/af_test.csv" in asked
    assert len(asked) == 1 + len((table.parent / "sources/tydip.sha256").read_text().splitlines())
    for entry in entries:
        assert state(entry, tmp_path / "mirror" / entry.mirror_path, table) == ("present", [])
    assert get(entries, tmp_path / "mirror", table, server) == []


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({}, "SKIPPED .*TUVOUS_MIRROR is not set; make test REAL=1 downloads them"),
        ({"TUVOUS_MIRROR": "nowhere"}, "SKIPPED .*TUVOUS_MIRROR is 'nowhere', which is no folder"),
        (
            {"TUVOUS_MIRROR": "", "TUVOUS_REAL": "1"},
            "REAL=1 asks for real data, but TUVOUS_MIRROR is not set",
        ),
    ],
)
def test_without_real_data(values, outcome):
    """Tests of real data say why they skip; with REAL=1 they do not skip."""
    environment = {k: v for k, v in os.environ.items() if k not in ("TUVOUS_MIRROR", "TUVOUS_REAL")}
    test = "tests/corpora/test_registry.py::test_registry_sums_are_those_of_the_mirror"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "addopts=", "-rs", test],
        cwd=ROOT,
        env=environment | values,
        capture_output=True,
        text=True,
    )
    assert done.returncode == int("TUVOUS_REAL" in values), done.stdout
    assert re.search(outcome, done.stdout.replace("\n", " ")), done.stdout


def test_make_knows_where_real_data_are():
    """`make -n` shows what the targets would do."""

    def dry(*arguments: str, **values: str) -> str:
        outer = ("TUVOUS_", "MAKE", "MFLAGS", "REAL")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(outer)} | values
        command = ["make", "-n", "-o", ".venv/.main", "-o", ".venv/.dev", "-o", "tools", "test", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert "make_mirror" not in dry() and 'TUVOUS_MIRROR="" ' in dry()
    assert "make_mirror build/mirror" in dry("REAL=1") and 'TUVOUS_MIRROR="build/mirror"' in dry("REAL=1")
    named = dry("REAL=1", TUVOUS_MIRROR="/a/mirror")
    assert "make_mirror" not in named and 'TUVOUS_MIRROR="/a/mirror"' in named
    assert 'TUVOUS_MIRROR="/a/mirror"' in dry(TUVOUS_MIRROR="/a/mirror")
