"""Checksums of downloads: of Git, MD5, none known at first, and of a mirror."""

import pytest

from tests.corpora.test_download import DATA, SUM, get, server
from workflow_scripts.core.errors import InputError
from workflow_scripts.corpora.sources.download import download

__all__ = ["server"]


def test_download_with_a_wrong_checksum(server, tmp_path):
    with pytest.raises(InputError, match="wrong checksum") as error:
        get(server, tmp_path, sha256="0" * 64)
    told = f"{server.url}: wrong checksum: sha256 is {SUM}, expected {'0' * 64}; the file has changed or"
    assert str(error.value).startswith(told)
    assert not list((tmp_path / "partial").iterdir())
    assert not (tmp_path / "out" / "file.bin").exists()


def test_a_checksum_of_git(server, tmp_path):
    """What Git calls a file: `printf 'hello\\n' | git hash-object --stdin`."""
    server.data = b"hello\n"
    known = "git:ce013625030ba8dba906f756967f9e9ca394464a"
    assert get(server, tmp_path, sha256=known) == b"hello\n"
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    (mirror / "file.bin").write_bytes(b"hello\n")
    options = {"url": "https://example.org/file", "partial": tmp_path, "retries": 0, "mirror": mirror}
    download(tmp_path / "a.bin", sha256=known, mirror_path="file.bin", **options)
    (mirror / "file.bin").write_bytes(b"hallo\n")
    with pytest.raises(InputError, match=r"wrong checksum: Git's id is git:[0-9a-f]{40}, expected git:ce01"):
        download(tmp_path / "b.bin", sha256=known, mirror_path="file.bin", **options)
    server.data, server.etag = b"hallo\n", '"two"'
    with pytest.raises(InputError, match="wrong checksum: Git's id is"):
        get(server, tmp_path, sha256=known)
    assert (tmp_path / "a.bin").read_bytes() == b"hello\n" and not (tmp_path / "b.bin").exists()


def test_an_md5_sum(server, tmp_path):
    """As sacreBLEU has them: `printf 'hello\\n' | md5sum`."""
    server.data = b"hello\n"
    known = "md5:b1946ac92492d2347c6235b4d2611184"
    assert get(server, tmp_path, sha256=known) == b"hello\n"
    server.data, server.etag = b"hallo\n", '"two"'
    (tmp_path / "out/file.bin").unlink()
    with pytest.raises(InputError, match=r"wrong checksum: md5 is md5:[0-9a-f]{32}, expected md5:b194"):
        get(server, tmp_path, sha256=known)


def test_download_without_a_known_checksum(server, tmp_path, capsys):
    record = tmp_path / "out" / "file.bin.sha256"
    with pytest.raises(InputError, match=r"no checksum of this file is known.*downloads\.unpinned"):
        get(server, tmp_path, sha256="")
    assert not server.seen, "what may not be taken is not asked for"
    assert get(server, tmp_path, sha256="", record=True) == DATA
    assert record.read_text() == f"{SUM}  file.bin\n"
    assert f"no checksum is published; {SUM} is recorded" in capsys.readouterr().err
    # The record says what the first download was; it is no reason to take another one unasked.
    with pytest.raises(InputError, match="no checksum of this file is known"):
        get(server, tmp_path, sha256="")
    server.data = DATA[::-1]
    with pytest.raises(InputError, match=r"differs from the first download.*file\.bin\.sha256"):
        get(server, tmp_path, sha256="", record=True)
    assert (tmp_path / "out" / "file.bin").read_bytes() == DATA


@pytest.mark.parametrize(
    "text", ["", "\n", f"{SUM}\n", f"{SUM}  other.bin\n", f"{SUM}  file.bin\n" * 2, "\udcff"]
)
def test_a_record_that_says_nothing(server, tmp_path, text):
    record = tmp_path / "out" / "file.bin.sha256"
    record.parent.mkdir()
    record.write_text(text, errors="surrogateescape")
    with pytest.raises(
        InputError, match=r"^\S*file\.bin\.sha256[:\d]*: not a record of .*; restore it; or delete it"
    ):
        get(server, tmp_path, sha256="", record=True)
    assert not server.seen


def test_the_mirror_is_compared_with_its_own_record(tmp_path):
    source = tmp_path / "mirror" / "file.bin"
    source.parent.mkdir()
    source.write_bytes(DATA)

    def copy() -> None:
        options = {"url": "https://example.org/file", "partial": tmp_path, "retries": 0, "record": True}
        download(tmp_path / "a.bin", sha256="", mirror=source.parent, mirror_path=source.name, **options)

    source.with_name("file.bin.sha256").write_text(f"{'0' * 64}  file.bin\n")
    with pytest.raises(InputError, match=f"mirror/file.bin: wrong checksum: sha256 is {SUM}"):
        copy()
    assert not list(tmp_path.glob("a.bin*"))
    source.with_name("file.bin.sha256").unlink()
    copy()
    assert (tmp_path / "a.bin.sha256").read_text() == f"{SUM}  a.bin\n"
    source.write_bytes(DATA[::-1])
    with pytest.raises(InputError, match="put the right file into the mirror"):
        copy()
