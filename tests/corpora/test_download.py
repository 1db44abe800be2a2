"""Downloads from a server on this machine that breaks off, ignores ranges, is busy, and lies."""

import errno
import hashlib
import random
import re
import shutil
import socket
import ssl
import subprocess
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.serving import serve
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.sources import download as module_under_test
from workflow_scripts.corpora.sources.download import download

DATA = random.Random(1).randbytes(3_000_000)
SUM = hashlib.sha256(DATA).hexdigest()


class Server:
    """`plan` says what it does with each request; later requests are answered as they should be."""

    def __init__(self) -> None:
        self.data = DATA
        self.plan: list[str] = []
        self.always = ""
        self.etag, self.modified = '"one"', ""
        self.seen: list[str] = []
        self.asked: list[dict[str, str]] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: Any) -> None:
                pass

            def do_GET(self) -> None:
                outer.answer(self)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.http.server_port}/some/file.bin"
        serve(self.http)

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        wanted = request.headers.get("Range", "")
        self.seen.append(wanted)
        self.asked.append(dict(request.headers))
        deed = self.always or (self.plan.pop(0) if self.plan else "")
        if "/" in deed:
            request.send_response(302)
            request.send_header("Location", deed)
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        if deed.isdigit():
            request.send_response(int(deed))
            request.send_header("Content-Length", "0")
            request.end_headers()
            return
        start = 0
        validator = self.modified or self.etag
        match = re.fullmatch(r"bytes=(\d+)-", wanted)
        if match and deed != "no range" and request.headers.get("If-Range", validator) == validator:
            start = int(match[1])
            if start >= len(self.data):
                request.send_response(416)
                request.send_header("Content-Range", f"bytes */{len(self.data)}")
                request.send_header("Content-Length", "0")
                request.end_headers()
                return
            start += 7 * (deed == "other range")
            request.send_response(206)
            request.send_header("Content-Range", f"bytes {start}-{len(self.data) - 1}/{len(self.data)}")
        else:
            request.send_response(200)
        if self.etag:
            request.send_header("ETag", self.etag)
        if self.modified:
            request.send_header("Last-Modified", self.modified)
        body = self.data[start:]
        if deed != "no length":
            request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[: 1_200_000 if deed == "drop" else 0 if deed == "nothing" else None])


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    it = Server()
    yield it
    it.http.shutdown()
    it.http.server_close()


@pytest.fixture
def pauses(monkeypatch):
    found: list[float] = []
    monkeypatch.setattr(module_under_test.time, "sleep", found.append)
    return found


def get(server: Server, folder: Path, sha256: str = SUM, retries: int = 3, record: bool = False) -> bytes:
    target = folder / "out" / "file.bin"
    partial = folder / "partial"
    download(target, url=server.url, sha256=sha256, partial=partial, retries=retries, record=record)
    return target.read_bytes()


def test_download_plain(server, tmp_path):
    assert get(server, tmp_path / "deep" / "er") == DATA
    tmp_path = tmp_path / "deep" / "er"
    assert server.seen == [""]
    # Compressed on the way, a part of it would be no part of the file.
    assert server.asked[0]["Accept-Encoding"] == "identity" and "If-Range" not in server.asked[0]
    assert not list((tmp_path / "partial").iterdir())
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["file.bin"]


def test_download_goes_on_after_a_break(server, tmp_path, pauses):
    server.plan = ["drop", "drop"]
    # Both breaks brought something new, so that no retry is used up.
    assert get(server, tmp_path, retries=1) == DATA
    starts = [int(text[6:-1]) for text in server.seen[1:]]
    assert len(starts) == 2
    assert 0 < starts[0] < starts[1]
    assert len(pauses) == 2


def test_download_goes_on_in_the_next_run(server, tmp_path, pauses):
    server.plan = ["drop", "503"]
    with pytest.raises(InputError, match="bytes are kept"):
        get(server, tmp_path, retries=0)
    assert not (tmp_path / "out" / "file.bin").exists()
    kept = next((tmp_path / "partial").glob("*.part")).stat().st_size
    assert kept > 1_000_000
    server.plan = []
    assert get(server, tmp_path, retries=0) == DATA
    assert server.seen[-1] == f"bytes={kept}-"


def test_download_from_a_server_without_ranges(server, tmp_path, pauses):
    server.plan = ["drop", "no range"]
    assert get(server, tmp_path) == DATA
    assert len(server.seen) == 2


def test_download_from_a_busy_server(server, tmp_path, pauses):
    server.plan = ["503", "503"]
    assert get(server, tmp_path) == DATA
    assert pauses == [1.0, 2.0]


def test_pauses_double_up_to_a_minute(server, tmp_path, pauses):
    server.always = "503"
    with pytest.raises(InputError, match=r"cannot be downloaded: status 503 .*; 0 bytes are kept: run again"):
        get(server, tmp_path, retries=8)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60]


def test_a_server_that_is_silent_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(module_under_test, "TIMEOUT", (30, 0.2))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/x"
        with pytest.raises(InputError, match=r"cannot be downloaded: .*timed out"):
            download(tmp_path / "x", url=url, sha256=SUM, partial=tmp_path / "partial", retries=0)


def test_a_length_that_is_not_told_is_no_break(server, tmp_path):
    server.plan = ["no length"]
    assert get(server, tmp_path) == DATA and len(server.seen) == 1


def test_another_range_than_the_rest_is_not_taken(server, tmp_path, pauses):
    server.plan = ["drop", "other range"]
    assert get(server, tmp_path) == DATA
    assert [text[:6] for text in server.seen] == ["", "bytes=", ""]


@pytest.mark.parametrize(
    ("etag", "modified", "condition"),
    [
        ('"one"', "", '"one"'),
        ('W/"one"', "Sat, 01 Jan 2022 00:00:00 GMT", "Sat, 01 Jan 2022 00:00:00 GMT"),
        ("", "Sat, 01 Jan 2022 00:00:00 GMT", "Sat, 01 Jan 2022 00:00:00 GMT"),
        ("", "", None),
    ],
)
def test_the_rest_is_asked_of_the_same_version(server, tmp_path, pauses, etag, modified, condition):
    """A weak ETag may stand for other bytes, so that the date counts."""
    server.etag, server.modified, server.plan = etag, modified, ["drop"]
    assert get(server, tmp_path) == DATA
    assert server.asked[1].get("If-Range") == condition and server.seen[1].startswith("bytes=")
    assert not list((tmp_path / "partial").iterdir())


def test_unfinished_downloads_of_an_address_have_one_name(tmp_path):
    """The beginning of the SHA-256 of the address: `printf https://example.org/a/b%20c | sha256sum`."""
    part = module_under_test._Part.of("https://example.org/a/b%20c", tmp_path / "deep" / "er")
    assert part.path == tmp_path / "deep/er/07fea7a56642010e.b_20c.part"
    long = module_under_test._Part.of("https://example.org/" + "x" * 100, tmp_path / "deep" / "er")
    assert re.fullmatch(r"[0-9a-f]{16}\.x{80}\.version", long.version.name)


def test_a_target_on_another_disk_is_copied(server, tmp_path, monkeypatch):
    replace = module_under_test.os.replace
    codes = [errno.EXDEV, errno.EACCES]

    def refuse(source: Path, target: Path) -> None:
        if source.parent != target.parent:
            raise OSError(codes.pop(0), "no")
        replace(source, target)

    monkeypatch.setattr(module_under_test.os, "replace", refuse)
    assert get(server, tmp_path) == DATA
    with pytest.raises(OSError, match="no"):
        get(server, tmp_path / "again")


def test_download_that_stays_truncated(server, tmp_path, pauses):
    server.always = "nothing"
    with pytest.raises(InputError, match="cannot be downloaded"):
        get(server, tmp_path, retries=2)
    assert pauses == [1.0, 2.0]
    assert len(server.seen) == 3


def test_download_of_what_is_complete_already(server, tmp_path):
    """The last run was killed between the last byte and the renaming: the server answers 416."""
    part = module_under_test._Part.of(server.url, tmp_path / "partial")
    part.path.write_bytes(DATA)
    assert get(server, tmp_path) == DATA
    assert server.seen == [f"bytes={len(DATA)}-"]


def test_download_of_a_partial_that_is_too_long(server, tmp_path, pauses):
    part = module_under_test._Part.of(server.url, tmp_path / "partial")
    part.path.write_bytes(DATA + b"more")
    assert get(server, tmp_path) == DATA


VERSIONS_OF_NO_SERVER = (
    *(b"", b'\xef\xbb\xbf"one"', b"\xff\xfe", b"a\nb", b'"a\x01b"', '"\u2028"'.encode()),
    *(b'"%b"' % (b"x" * 1000), b'"%b"' % (b"x" * 70_000)),
)


@pytest.mark.parametrize("text", VERSIONS_OF_NO_SERVER)
def test_download_whose_version_is_damaged_begins_anew(server, tmp_path, text):
    server.etag = '"one"'
    part = module_under_test._Part.of(server.url, tmp_path / "partial")
    part.path.write_bytes(DATA[:1000])
    part.version.write_bytes(text)
    assert get(server, tmp_path) == DATA
    # Of which version the beginning is, nobody knows: one request for the whole file.
    assert server.seen == [""]


def test_download_of_a_file_that_changes_meanwhile(server, tmp_path, pauses):
    server.plan = ["drop"]
    with pytest.raises(InputError):
        server.plan += ["503"]
        get(server, tmp_path, sha256="", retries=0, record=True)
    server.data, server.etag = DATA[::-1], '"two"'
    assert get(server, tmp_path, sha256="", record=True) == DATA[::-1]


@pytest.fixture
def secure(tmp_path, server, monkeypatch):
    """The server behind TLS, with a certificate of its own that is trusted."""
    openssl = shutil.which("openssl")
    if not openssl:
        pytest.skip("needs the program openssl, for a certificate of a server on this machine")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subprocess.run(
        [
            *(
                openssl,
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "2",
                "-subj",
                "/CN=127.0.0.1",
            ),
            *("-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.http.socket = context.wrap_socket(server.http.socket, server_side=True)
    server.url = server.url.replace("http:", "https:")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", str(certificate))
    return server


def test_redirects_stay_on_https(secure, tmp_path, pauses):
    plain = Server()
    try:
        for address in (plain.url, plain.url.upper().replace("/SOME", "/some"), "file:///etc/passwd"):
            secure.plan = [address]
            with pytest.raises(InputError, match=r"^https://\S+: leads to \S+, away from https"):
                get(secure, tmp_path)
        assert not plain.seen
        assert not pauses, "another try would lead there again"
        secure.plan = ["/other", secure.url, f"//{secure.url.removeprefix('https://')}"]
        assert get(secure, tmp_path) == DATA
    finally:
        plain.http.shutdown()
        plain.http.server_close()


def test_download_of_what_is_not_there(server, tmp_path):
    server.always = "404"
    with pytest.raises(InputError, match=r"some/file\.bin: the server answers 404"):
        get(server, tmp_path)
    assert len(server.seen) == 1


def test_download_without_a_network(tmp_path, pauses, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(InputError, match="'mirror'"):
        download(
            tmp_path / "x", url="http://127.0.0.1:9/x", sha256=SUM, partial=tmp_path / "partial", retries=1
        )
    assert pauses == [1.0]


def test_download_from_the_mirror(tmp_path, monkeypatch):
    monkeypatch.setattr(module_under_test, "_Session", None)
    source = tmp_path / "mirror" / "a" / "file.gz"
    source.parent.mkdir(parents=True)
    source.write_bytes(DATA)

    def copy(sha256: str, path: str = "a/file.gz") -> None:
        download(
            tmp_path / "out.gz",
            url="https://example.org/file.gz",
            sha256=sha256,
            partial=tmp_path / "partial",
            retries=3,
            mirror=tmp_path / "mirror",
            mirror_path=path,
        )

    with pytest.raises(InputError, match=f"{SUM}.*{'1' * 64}"):
        copy("1" * 64)
    assert not (tmp_path / "out.gz").exists()
    copy(SUM)
    # Bytes that are compressed already are not compressed again.
    assert (tmp_path / "out.gz").read_bytes() == DATA
    with pytest.raises(InputError, match=r"mirror/a/other: the mirror does not contain"):
        copy(SUM, "a/other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mirror", "out.gz"]


@pytest.mark.slow
def test_download_on_the_command_line(server, tmp_path, module):
    arguments = (tmp_path / "x", "--url", server.url, "--partial", tmp_path / "p", "--retries", 0)
    done = module("corpora.sources.download", *arguments, "--sha256", "", "--record")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "x").read_bytes() == DATA
    done = module("corpora.sources.download", *arguments, "--sha256", "2" * 64)
    assert done.returncode == 2
    assert "wrong checksum" in done.stderr
