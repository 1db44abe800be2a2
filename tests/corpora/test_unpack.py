"""Archives: honest ones become folders, the others leave nothing behind."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.corpora.sources.unpack import unpack


def make_zip(path: Path, *members: tuple[str, bytes, int]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data, mode in members:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            file.writestr(info, data)
    return path


def make_tar(path: Path, *members: tuple[str, bytes, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as file:
        for name, kind, data in members:
            info = tarfile.TarInfo(name)
            info.type, info.size = kind, len(data) if kind == tarfile.REGTYPE else 0
            info.linkname = "/etc/passwd" if kind in (tarfile.SYMTYPE, tarfile.LNKTYPE) else ""
            file.addfile(info, io.BytesIO(data))
    return path


def test_unpack_zip(tmp_path):
    archive = make_zip(
        tmp_path / "a.zip",
        *(("d/", b"", 0o40755), ("d/e/x.txt", b"x\n", 0o100644), ("y", b"", 0)),
        *(("p/q/r", b"r", 0), ("p/q/s", b"s", 0), ("p/q/", b"", 0o40755), ("k/l/m/", b"", 0o40755)),
    )
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old").touch()
    unpack(archive, tmp_path / "out")
    assert (tmp_path / "out/d/e/x.txt").read_bytes() == b"x\n"
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["d", "k", "p", "y"]
    assert (tmp_path / "out/p/q/s").read_bytes() == b"s" and (tmp_path / "out/k/l/m").is_dir()


def test_unpack_tar(tmp_path):
    archive = make_tar(
        tmp_path / "a.tar.gz", ("./d", tarfile.DIRTYPE, b""), ("./d/x", tarfile.REGTYPE, b"text" * 500_000)
    )
    unpack(archive, tmp_path / "out")
    assert (tmp_path / "out/d/x").read_bytes() == b"text" * 500_000


@pytest.mark.parametrize("name", ["../x", "/x", "d/../../x", "..\\x", "C:x", "c:x", "C:\\x", "a\\x"])
def test_unpack_zip_that_escapes(tmp_path, name):
    archive = make_zip(tmp_path / "a.zip", ("fine", b"1", 0), (name, b"2", 0))
    with pytest.raises(InputError, match="escape"):
        unpack(archive, tmp_path / "in" / "out")
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path != archive]


@pytest.mark.parametrize("name", ["../x", "/x", "d/../../x"])
def test_unpack_tar_that_escapes(tmp_path, name):
    archive = make_tar(tmp_path / "a.tgz", ("fine", tarfile.REGTYPE, b"1"), (name, tarfile.REGTYPE, b"2"))
    with pytest.raises(InputError, match="escape"):
        unpack(archive, tmp_path / "in" / "out")
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path != archive]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_unpack_tar_with_a_link(tmp_path, kind):
    with pytest.raises(InputError, match="link or a device"):
        unpack(make_tar(tmp_path / "a.tgz", ("x", kind, b"")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("mode", [0o120777, 0o010644, 0o020666])
def test_unpack_zip_with_a_link(tmp_path, mode):
    with pytest.raises(InputError, match="link or a device"):
        unpack(make_zip(tmp_path / "a.zip", ("x", b"/etc/passwd", mode)), tmp_path / "out")


def test_unpack_zip_that_is_encrypted(tmp_path):
    archive = make_zip(tmp_path / "a.zip", ("x", b"text", 0))
    data = bytearray(archive.read_bytes())
    # The flags stand behind a signature and the versions, which the central list has two of.
    for signature, behind in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(signature) + behind] |= 1
    archive.write_bytes(data)
    with pytest.raises(InputError, match=r"a\.zip: member 'x' is encrypted"):
        unpack(archive, tmp_path / "out")


def test_unpack_a_name_with_a_nul(tmp_path):
    archive = make_zip(tmp_path / "a.zip", ("a_b", b"1", 0))
    archive.write_bytes(archive.read_bytes().replace(b"a_b", b"a\0b"))
    with pytest.raises(InputError, match="would escape"):
        unpack(archive, tmp_path / "out")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("x", "x"), ("x", "./x"), ("x", "x/y"), ("x/y", "x")])
def test_unpack_names_that_occur_twice(tmp_path, names):
    with pytest.raises(InputError, match="twice"):
        unpack(make_zip(tmp_path / "a.zip", *((name, b"1", 0) for name in names)), tmp_path / "out")


def test_unpack_bomb(tmp_path, monkeypatch):
    archive = make_zip(tmp_path / "a.zip", ("x", bytes(3_000_000), 0))
    unpack(archive, tmp_path / "harmless")
    monkeypatch.setattr("workflow_scripts.corpora.sources.unpack.HARMLESS_SIZE", 10_000)
    monkeypatch.setattr("workflow_scripts.corpora.sources.unpack.LARGEST_RATIO", 100)
    with pytest.raises(InputError, match="archive is not trustworthy"):
        unpack(archive, tmp_path / "out")


@pytest.mark.parametrize(("harmless", "ratio", "most"), [(99, 0, 3), (1, 10, 3), (100, 0, 2)])
def test_what_is_just_too_much_and_what_is_not(tmp_path, monkeypatch, harmless, ratio, most):
    """100 bytes in three members, in less than 1,000 bytes: by size, by that of the archive, by members."""
    archive = make_zip(tmp_path / "a.zip", ("x", b"x" * 60, 0), ("d/", b"", 0o40755), ("y", b"y" * 40, 0))
    module = "workflow_scripts.corpora.sources.unpack"
    monkeypatch.setattr(f"{module}.HARMLESS_SIZE", harmless)
    monkeypatch.setattr(f"{module}.LARGEST_RATIO", ratio)
    monkeypatch.setattr(f"{module}.MOST_MEMBERS", most)
    if ratio:
        unpack(archive, tmp_path / "out")
    else:
        with pytest.raises(InputError, match=r"over 99 bytes at 'y'|over 2 members"):
            unpack(archive, tmp_path / "out")
        monkeypatch.setattr(f"{module}.HARMLESS_SIZE", 100)
        monkeypatch.setattr(f"{module}.MOST_MEMBERS", 3)
        unpack(archive, tmp_path / "out")
    assert (tmp_path / "out/y").read_bytes() == b"y" * 40


def test_unpack_many_small_bombs(tmp_path, monkeypatch):
    """The limit is that of the archive, not of a member."""
    archive = make_zip(tmp_path / "a.zip", *((f"x{n}", bytes(9_000), 0) for n in range(9)))
    monkeypatch.setattr("workflow_scripts.corpora.sources.unpack.HARMLESS_SIZE", 10_000)
    monkeypatch.setattr("workflow_scripts.corpora.sources.unpack.LARGEST_RATIO", 1)
    with pytest.raises(InputError, match="over 10000 bytes at 'x1'"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_unpack_broken_archives(tmp_path):
    good = make_zip(tmp_path / "a.zip", ("x", b"some text " * 50, 0)).read_bytes()
    damaged = bytearray(good)
    damaged[40] ^= 0xFF
    for name, data, message in (
        ("damaged.zip", bytes(damaged), "broken archive"),
        ("half.zip", good[: len(good) // 2], "neither a zip nor a tar"),
    ):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(InputError, match=message):
            unpack(tmp_path / name, tmp_path / "out")
        assert not (tmp_path / "out").exists()
    tar = make_tar(tmp_path / "b.tgz", ("x", tarfile.REGTYPE, bytes(range(256)) * 400)).read_bytes()
    (tmp_path / "half.tgz").write_bytes(tar[: len(tar) - 30])
    with pytest.raises(InputError, match=r"broken archive|neither"):
        unpack(tmp_path / "half.tgz", tmp_path / "out")
    with pytest.raises(InputError, match="no such file"):
        unpack(tmp_path / "none", tmp_path / "out")


def test_unpack_exits_with_2(tmp_path, module):
    archive = make_zip(tmp_path / "a.zip", ("../x", b"2", 0))
    done = module("corpora.sources.unpack", archive, tmp_path / "out")
    assert done.returncode == 2
    assert "a.zip: member '../x' would escape" in done.stderr
    assert "Traceback" not in done.stderr


def test_unpack_checks_what_it_has_unpacked(tmp_path):
    """The members of a compressed tar end before its checksum does."""
    archive = make_tar(tmp_path / "a.tar.gz", ("x", tarfile.REGTYPE, b"text"))
    data = bytearray(archive.read_bytes())
    data[-8] ^= 1
    archive.write_bytes(data)
    with pytest.raises(InputError, match=r"a\.tar\.gz: broken archive \(CRC check failed"):
        unpack(archive, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_unpack_only_what_is_meant(tmp_path, module):
    archive = make_zip(tmp_path / "a.zip", ("x", b"2", 0))
    expected = digest(archive)
    for sha256, message in (("", "no checksum of this archive is known"), ("0" * 64, "wrong checksum")):
        done = module("corpora.sources.unpack", archive, tmp_path / "out", "--sha256", sha256)
        assert done.returncode == 2 and f"a.zip: {message}" in done.stderr
        assert not (tmp_path / "out").exists()
    unpack(archive, tmp_path / "out", sha256=expected)
    assert (tmp_path / "out/x").read_bytes() == b"2"
