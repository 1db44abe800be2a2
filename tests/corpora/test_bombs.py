"""Archives of a few kilobytes that unpack to more than the memory they are read in: one message, no more."""

import gzip
import resource
import tarfile
import zipfile
from pathlib import Path

import pytest

# In MiB: what a command may take, and what comes out of an archive. Without an archive these commands take
# 25 MiB: they import neither NumPy nor PyTorch, whose share depends on the number of cores.
MEMORY, UNPACKED = 256, 320
MEBIBYTE = b"a" * 2**20


def with_little_memory() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY * 2**20, MEMORY * 2**20))


def packed(before: bytes, block: bytes) -> bytes:
    """A gzip of several members, which is as good as one: the block is compressed once."""
    return gzip.compress(before) + gzip.compress(block) * (UNPACKED * 2**20 // len(block))


def header(name: str, kind: bytes, size: int) -> bytes:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info.tobuf(tarfile.USTAR_FORMAT)


TARS = {
    "a long name": lambda: (header("x", tarfile.GNUTYPE_LONGNAME, UNPACKED * 2**20), MEBIBYTE),
    "attributes": lambda: (header("x", tarfile.XHDTYPE, UNPACKED * 2**20), MEBIBYTE),
    "members": lambda: (b"", b"".join(header("d", tarfile.DIRTYPE, 0) for _ in range(2048))),
}
DOCUMENTS = {
    "a text": (b"<f><vespaadd><document><bestanswer>", MEBIBYTE),
    "an attribute": (b"<f><vespaadd><document><bestanswer x='", MEBIBYTE),
    "a comment": (b"<f><!--", MEBIBYTE),
    "elements in a text": (b"<f><vespaadd><document><bestanswer>", b"<br/>" * 2**18),
    "elements in each other": (b"<f>", b"<br>" * 2**18),
    "answers": (b"<f><vespaadd><document>", b"<answer_item/>" * 2**16),
}


@pytest.fixture
def refused(module):
    """Run a command with little memory: it names the archive, and leaves nothing behind."""

    def run(name: str, archive: Path, *arguments: object) -> None:
        assert archive.stat().st_size < 8 * 2**20
        done = module(name, *arguments, preexec_fn=with_little_memory)
        assert done.returncode == 2, done.stderr[-2000:]
        assert f"error: {archive}" in done.stderr and "Traceback" not in done.stderr, done.stderr
        assert [path.name for path in archive.parent.iterdir()] == [archive.name]

    yield run


@pytest.mark.slow
def test_a_line_in_a_zip(tmp_path, refused):
    archive = tmp_path / "a.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.writestr("x.en-fr.fr", "oui")
        with file.open("x.en-fr.en", "w") as stream:
            for _ in range(UNPACKED):
                stream.write(MEBIBYTE)
    refused("corpora.moses", archive, archive, tmp_path / "en.gz", tmp_path / "fr.gz")


@pytest.mark.slow
@pytest.mark.parametrize("kind", TARS)
def test_what_a_tar_says_of_its_members(tmp_path, kind, refused):
    archive = tmp_path / "a.tar.gz"
    archive.write_bytes(packed(*TARS[kind]()))
    refused("corpora.sources.unpack", archive, archive, tmp_path / "out")


@pytest.mark.slow
@pytest.mark.parametrize("kind", DOCUMENTS)
def test_questions_without_an_end(tmp_path, kind, refused):
    archive = tmp_path / "a.xml.gz"
    archive.write_bytes(packed(*DOCUMENTS[kind]))
    refused(
        *(
            "corpora.yahoo",
            archive,
            archive,
            "--out",
            tmp_path / "out.gz",
            "--counts",
            tmp_path / "counts.tsv",
        ),
        *("--language", "pt", "--category", "none"),
    )
