"""Downloads whose checksum nobody knows: refused before the first job, or taken and recorded."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.corpora.test_unpack import make_zip
from workflow_scripts.core.files import digest

ARCHIVE = "build/corpora/downloads/opus/OpenSubtitles/v2018/moses/en-fr.txt.zip"
PACK = "build/corpora/downloads/bicleaner/v1.6/en-fr.tar.gz"
Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def mirror(project: Path) -> Path:
    """A mirror with both files, whatever is in them."""
    place = project / "mirror/opus/OpenSubtitles/v2018/moses"
    place.mkdir(parents=True)
    make_zip(place / "en-fr.txt.zip", ("x.en-fr.en", b"one\n", 0), ("x.en-fr.fr", b"un\n", 0))
    (project / "mirror/bicleaner-data/v1.6").mkdir(parents=True)
    shutil.copy(place / "en-fr.txt.zip", project / "mirror/bicleaner-data/v1.6/en-fr.tar.gz")
    return project / "mirror"


def test_what_nobody_has_pinned(project: Path, mirror: Path, snakemake: Run) -> None:
    paper = ("--cores", 1, "--configfile", "config/paper.yaml", "--config", "device=cpu", "mirror=mirror")
    # A dry run lists the jobs; the paper's scale accepts the subtitles, and no pack without a checksum.
    assert snakemake(project, "-n", *paper, "--", PACK).returncode == 0
    done = snakemake(project, *paper, "--", ARCHIVE, PACK)
    assert done.returncode != 0 and not (project / "build/corpora").exists()
    told = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    assert (
        len(told) == 1
        and "no checksum of 'bicleaner-v1.6-fr' is known, and its files are unpickled" in told[0]
    )

    done = snakemake(project, *paper, "--", ARCHIVE)
    assert done.returncode == 0, done.stderr
    record = project / f"{ARCHIVE}.sha256"
    assert record.read_text().split() == [digest(project / ARCHIVE), "en-fr.txt.zip"]
    log = project / "logs/corpora/download/opus/OpenSubtitles/v2018/moses/en-fr.txt.zip.log"
    assert f"{digest(project / ARCHIVE)} is recorded" in log.read_text()
    # What comes later must be the same; and who no longer accepts it is stopped, finished or not.
    (project / ARCHIVE).unlink()
    source = mirror / "opus/OpenSubtitles/v2018/moses/en-fr.txt.zip"
    source.write_bytes(source.read_bytes() + b"\n")
    assert snakemake(project, *paper, "--", ARCHIVE).returncode != 0
    assert "wrong checksum" in log.read_text() and record.exists()
    done = snakemake(project, *paper, "downloads={unpinned: []}", "--", ARCHIVE)
    assert "no checksum of 'opensubtitles-v2018-fr' is known: get https" in done.stderr

    done = snakemake(project, "-n", "--config", "downloads={unpinned: [bicleaner]}", "--", ARCHIVE)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "error: configuration: downloads.unpinned: files of 'bicleaner' are unpickled" in done.stderr


def test_a_pack_of_a_known_checksum_is_taken(project: Path, mirror: Path, snakemake: Run) -> None:
    source = mirror / "bicleaner-data/v1.6/en-fr.tar.gz"
    table = project / "resources/sources.csv"
    address = "bicleaner-data/releases/download/v1.6/en-fr.tar.gz,"
    table.write_text(
        table.read_text(encoding="utf-8").replace(address, address + digest(source)), encoding="utf-8"
    )
    paper = ("--cores", 1, "--configfile", "config/paper.yaml", "--config", "device=cpu", "mirror=mirror")
    done = snakemake(project, *paper, "--", "build/corpora/bicleaner/fr")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (project / "build/corpora/bicleaner/fr").glob("x*")) == [
        "x.en-fr.en",
        "x.en-fr.fr",
    ]
    assert not (project / f"{PACK}.sha256").exists()
