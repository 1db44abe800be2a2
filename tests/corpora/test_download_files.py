"""Corpora of many files, from a server on this machine and from the mirror."""

import functools
import hashlib
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.serving import serve
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.sources.download_files import download_files
from workflow_scripts.corpora.sources.sums import read_sums

CONTENT = {"a.txt": "one\n", "deep/er/b ü.txt": "two\n", "deep/c#1.txt": "three\n" * 1000}


class Server:
    """A folder behind an address; it notes what was asked for, and holds back files that are `hidden`."""

    def __init__(self, folder: Path) -> None:
        self.asked: list[str] = []
        outer = self

        class Handler(SimpleHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                outer.asked.append(self.path)
                super().do_GET()

        handler = functools.partial(Handler, directory=str(folder))
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/corpus"
        serve(self.http)


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "served" / "corpus"
    for name, text in CONTENT.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def sums(tmp_path):
    path = tmp_path / "corpus.sha256"
    rows = (f"{hashlib.sha256(text.encode()).hexdigest()}  {name}\n" for name, text in CONTENT.items())
    path.write_text("".join(rows), encoding="utf-8")
    return path


@pytest.fixture
def server(source, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    it = Server(source.parent)
    yield it
    it.http.shutdown()
    it.http.server_close()


def get(tmp_path: Path, sums: Path, **options: Any) -> Path:
    folder = tmp_path / "out" / "corpus"
    download_files(folder, sums=sums, partial=tmp_path / "partial", retries=0, parallel=3, **options)
    return folder


def content(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in files}


def test_all_files_arrive(server, sums, tmp_path):
    assert content(get(tmp_path, sums, url=server.url)) == CONTENT
    assert len(server.asked) == 3


def test_what_has_arrived_is_not_asked_for_again(server, source, sums, tmp_path):
    late = source / "deep/c#1.txt"
    text = late.read_text(encoding="utf-8")
    late.unlink()
    with pytest.raises(InputError, match="404"):
        get(tmp_path, sums, url=server.url)
    assert not (tmp_path / "out" / "corpus").exists()
    late.write_text(text, encoding="utf-8")
    server.asked.clear()
    assert content(get(tmp_path, sums, url=server.url)) == CONTENT
    assert server.asked == ["/corpus/deep/c%231.txt"]


def test_a_damaged_file_is_refused(server, source, sums, tmp_path):
    (source / "a.txt").write_text("0ne\n", encoding="utf-8")
    with pytest.raises(InputError, match="wrong checksum"):
        get(tmp_path, sums, url=server.url)
    assert not (tmp_path / "out" / "corpus").exists()


def test_the_mirror_needs_no_network(source, sums, tmp_path):
    options = {"mirror": source.parent, "mirror_path": "corpus", "url": "https://nowhere.invalid"}
    assert content(get(tmp_path, sums, **options)) == CONTENT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no files"),
        ("abc  a.txt\n", "not '<sha256>"),
        (f"{'0' * 64}  ../a.txt\n", "not a path below"),
        (f"{'0' * 64}  /a.txt\n", "not a path below"),
        (f"{'0' * 64}  a.txt\n{'1' * 64}  a.txt\n", r"sums:2: 'a.txt' occurs twice"),
    ],
)
def test_lists_that_are_none(tmp_path, text, message):
    (tmp_path / "sums").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_sums(tmp_path / "sums")
