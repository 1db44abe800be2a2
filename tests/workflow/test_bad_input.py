"""Bad input, through the commands that rules call: one clear line, exit code 2, nothing half-written."""

from __future__ import annotations

import gzip
import http.server
import os
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.demo.make_world import make_world

ROOT = Path(__file__).parents[2]
REGISTRY = ROOT / "resources/sources.csv"
Module = Callable[..., subprocess.CompletedProcess]


def problem(done: subprocess.CompletedProcess) -> str:
    """The one line that a command ended with; progress may stand before it."""
    found = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert done.returncode == 2, done.stderr
    assert len(found) == 1 and done.stderr.rstrip().endswith(found[0]), done.stderr
    assert "Traceback" not in done.stderr
    return found[0]


@pytest.fixture
def xformal(tmp_path: Path) -> Path:
    """XFORMAL's official layout with three French sentences."""
    folder = tmp_path / "XFORMAL/xformal_eval/fr"
    write_lines(folder / "informal", ["salut", "ouais", "tkt"])
    for i in range(4):
        write_lines(folder / f"formal.ref{i}", ["Bonjour.", "Oui.", "Ne vous inquiétez pas."])
    return folder


def read_xformal(module: Module, folder: Path, language: str = "fr") -> subprocess.CompletedProcess:
    root = folder.parents[1]
    return module("corpora.xformal", root, root.parent / "out", "--language", language)


def test_a_reference_file_one_line_short(xformal: Path, module: Module, tmp_path: Path) -> None:
    write_lines(xformal / "formal.ref2", ["Bonjour.", "Oui."])
    line = problem(read_xformal(module, xformal))
    assert "informal has 3 lines" in line and "formal.ref2 has 2 lines" in line
    assert not list(tmp_path.glob("out/*"))


def test_bytes_that_are_not_utf8(xformal: Path, module: Module) -> None:
    (xformal / "formal.ref1").write_bytes("Bonjour.\nOuï.\nNon.\n".encode("latin1"))
    assert "formal.ref1:2: not UTF-8" in problem(read_xformal(module, xformal))


def test_an_unknown_language(xformal: Path, module: Module) -> None:
    assert "'es'" in problem(read_xformal(module, xformal, "es"))


def test_an_empty_output_line(tmp_path: Path, module: Module) -> None:
    write_lines(tmp_path / "source.txt", ["a", "b", "c"])
    write_lines(tmp_path / "output.txt", ["a", "", "c"])
    line = problem(
        module("transfer.outputs", *(tmp_path / name for name in ("source.txt", "output.txt", "target.txt")))
    )
    assert "output.txt:2: " in line and "empty" in line
    assert not (tmp_path / "target.txt").exists()


def test_a_system_output_with_too_few_lines(tmp_path: Path, module: Module) -> None:
    write_lines(tmp_path / "source.txt", ["a", "b", "c"])
    write_lines(tmp_path / "output.txt", ["a", "b"])
    line = problem(
        module("transfer.outputs", *(tmp_path / name for name in ("source.txt", "output.txt", "target.txt")))
    )
    assert "output.txt" in line and "3" in line and "2" in line
    assert not (tmp_path / "target.txt").exists()


def test_a_rating_that_is_not_a_number(tmp_path: Path, module: Module) -> None:
    rows = [f"1.0\t1,1,1,1,1\tid.{i}\tAll is well ." for i in range(4)]
    rows[2] = "formal\t1,1,1,1,1\tid.2\tAll is well ."
    write_lines(tmp_path / "answers", rows)
    line = problem(
        module("corpora.pt16", tmp_path / "answers", tmp_path / "out", "--held-out", 1, "--seed", 1)
    )
    assert "answers:3: " in line and "'formal'" in line


class Cutter(http.server.BaseHTTPRequestHandler):
    """Promises a thousand bytes, sends ten."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b"0123456789")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def cutter() -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Cutter)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/corpus.zip"
    server.shutdown()
    server.server_close()


def test_a_truncated_download(cutter: str, tmp_path: Path, module: Module) -> None:
    target = tmp_path / "corpus.zip"
    done = module(
        "corpora.sources.download",
        *(target, "--url", cutter, "--sha256", "0" * 64, "--partial", tmp_path / "partial", "--retries", 1),
        env={**os.environ, "NO_PROXY": "127.0.0.1"},
    )
    assert cutter in problem(done)
    assert not target.exists()


def test_a_wrong_checksum(tmp_path: Path, module: Module) -> None:
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror/answers").write_text("not what was asked for")
    done = module(
        "corpora.sources.download",
        *(tmp_path / "answers", "--url", "https://example.org/answers", "--sha256", "0" * 64),
        *("--partial", tmp_path / "partial", "--retries", 0),
        *("--mirror", tmp_path / "mirror", "--mirror-path", "answers"),
    )
    line = problem(done)
    assert "0" * 64 in line
    assert not (tmp_path / "answers").exists()


def test_a_zip_with_an_escaping_path(tmp_path: Path, module: Module) -> None:
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("fine.txt", "fine")
        archive.writestr("../escaped.txt", "evil")
    line = problem(module("corpora.sources.unpack", tmp_path / "evil.zip", tmp_path / "out" / "folder"))
    assert "evil.zip" in line and "../escaped.txt" in line
    assert not list(tmp_path.rglob("escaped.txt")) and not (tmp_path / "out/folder").exists()


def test_a_cut_gzip(tmp_path: Path, module: Module) -> None:
    whole = gzip.compress(b"uma frase com cinco palavras aqui\n" * 1000)
    (tmp_path / "answers.txt.gz").write_bytes(whole[: len(whole) // 2])
    done = module(
        "filtering.curate",
        *(tmp_path / name for name in ("answers.txt.gz", "out.txt.gz", "counts.tsv")),
        *("--min-tokens", 5, "--max-tokens", 25),
    )
    assert "answers.txt.gz: broken gzip" in problem(done)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.txt.gz"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 256 KiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip("mounting a small file system needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(small_disk: Path, tmp_path: Path, module: Module) -> None:
    write_lines(tmp_path / "source.txt", ["uma frase bastante comprida"] * 50_000)
    target = small_disk / "target.txt"
    line = problem(module("transfer.outputs", tmp_path / "source.txt", tmp_path / "source.txt", target))
    assert "no space left" in line
    assert os.listdir(small_disk) == []


def test_a_full_disk_while_a_folder_is_written(small_disk: Path, tmp_path: Path, module: Module) -> None:
    situations = sorted((ROOT / "resources/demo/situations").glob("*.yaml"))
    held_out = {"gyafc_dev": 20, "gyafc_test": 20}
    world = tmp_path / "world.json"
    make_world(world, situations=situations, seed=1, xformal=20, **held_out)
    sizes = {"gyafc-train": 4000, "gyafc-dev": 20, "gyafc-test": 20}
    done = module(
        "corpora.demo.gyafc",
        *(small_disk / "GYAFC_Corpus", "--world", world),
        *(word for name, size in sizes.items() for word in (f"--{name}", size)),
    )
    assert "no space left" in problem(done)
    assert not [path for path in small_disk.rglob("*") if ".part" in path.name]


def test_a_licensed_corpus_that_is_incomplete(tmp_path: Path, module: Module) -> None:
    (tmp_path / "licensed/GYAFC_Corpus/Entertainment_Music").mkdir(parents=True)
    done = module(
        "corpora.sources.licensed",
        *(tmp_path / "licensed", tmp_path / "stamp.txt", "--entry", "gyafc", "--registry", REGISTRY),
    )
    assert "GYAFC" in problem(done)
    assert not (tmp_path / "stamp.txt").exists()
