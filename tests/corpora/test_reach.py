"""Hosts of downloads: one that answers, one that refuses, one that is silent, one behind a proxy."""

import socket
from dataclasses import fields

import pytest

from tests.corpora.test_download import server
from workflow_scripts.core.files import write_lines
from workflow_scripts.corpora.sources.reach import unreachable
from workflow_scripts.corpora.sources.registry import Entry

__all__ = ["server"]
# Seconds that nothing that answers here takes.
LONG = 100.0


@pytest.fixture
def closed():
    """A port that is taken, and at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def silent():
    """A server that takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield f"127.0.0.1:{listening.getsockname()[1]}"


def row(url: str, corpus: str, files: str = "") -> Entry:
    values = dict.fromkeys((field.name for field in fields(Entry)), "")
    return Entry(**{**values, "access": "open", "url": url, "corpus": corpus, "files": files})


@pytest.mark.slow
def test_each_host_that_does_not_answer_has_one_line(server, closed, silent, tmp_path):
    write_lines(tmp_path / "ntrex.sha256", [f"{'0' * 64}  {name}" for name in "abc"])
    # It does not know HEAD: but it answers.
    up = row(server.url, "pt16")
    refused = [
        row(f"http://{closed}/a", "pt16"),
        row(f"http://{closed}/b", "ntrex", "ntrex.sha256"),
        row(f"http://{closed}/c", "pt16"),
    ]
    assert unreachable([refused[0], up, *refused[1:]], tmp_path, LONG) == [
        f"{closed} cannot be reached: Connection refused; 5 files of ntrex, pt16 would come from it: check"
        " the network, or name a 'mirror' folder with the files (make sources says which are here)"
    ]
    assert unreachable([up], tmp_path, LONG) == []
    (line,) = unreachable([row(f"http://{silent}/a", "pt16")], tmp_path, 0.5)
    assert f"{silent} cannot be reached: no answer within 0.5 seconds; 1 file of pt16 would" in line


def test_a_proxy_is_asked_as_for_downloads(server, closed, tmp_path, monkeypatch):
    there = row("http://there.is.no.such.host.invalid/a", "pt16")
    monkeypatch.setenv("http_proxy", server.url)
    assert unreachable([there], tmp_path, LONG) == []
    monkeypatch.setenv("http_proxy", f"http://me:secret@{closed}")
    (line,) = unreachable([there], tmp_path, LONG)
    assert "there.is.no.such.host.invalid cannot be reached: the proxy: Connection refused;" in line
    assert "secret" not in line
