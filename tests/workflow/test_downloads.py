"""Files without a known checksum: refused before the first job, or taken and recorded."""

import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Callable

import pytest

from tests.conftest import ROOT, said
from tests.corpora.test_unpack import make_zip
from tests.seq2seq.sockeye_files import MERGES, SYMBOLS, write_sockeye
from workflow_scripts.core.files import digest
from workflow_scripts.corpora.sources.registry import load
from workflow_scripts.seq2seq.transformer import Transformer, TransformerSizes

pytestmark = pytest.mark.slow

ARCHIVE = "build/corpora/downloads/opus/OpenSubtitles/v2018/moses/en-fr.txt.zip"
PACK = "build/corpora/downloads/bicleaner/v1.6/en-fr.tar.gz"
Run = Callable[..., subprocess.CompletedProcess]


@pytest.fixture
def mirror(project):
    """A mirror with both files, whatever is in them."""
    place = project / "mirror/opus/OpenSubtitles/v2018/moses"
    place.mkdir(parents=True)
    make_zip(place / "en-fr.txt.zip", ("x.en-fr.en", b"one\n", 0), ("x.en-fr.fr", b"un\n", 0))
    (project / "mirror/bicleaner-data/v1.6").mkdir(parents=True)
    shutil.copy(place / "en-fr.txt.zip", project / "mirror/bicleaner-data/v1.6/en-fr.tar.gz")
    return project / "mirror"


def test_what_nobody_has_pinned(project, mirror, snakemake):
    paper = ("--cores", 1, "--configfile", "config/paper.yaml", "--config", "device=cpu", "mirror=mirror")
    # A dry run lists the jobs; the paper's scale accepts the subtitles, and no pack without a checksum.
    assert snakemake(project, "-n", *paper, "--", PACK).returncode == 0
    done = snakemake(project, *paper, "--", ARCHIVE, PACK)
    assert done.returncode != 0 and not (project / "build/corpora").exists()
    told = said(done.stderr)
    assert (
        len(told) == 1
        and "no checksum of 'bicleaner-v1.6-fr' is known, and its files are unpickled" in told[0]
    )

    done = snakemake(project, *paper, "--", ARCHIVE)
    assert done.returncode == 0, done.stderr
    record = project / f"{ARCHIVE}.sha256"
    assert record.read_text().split() == [digest(project / ARCHIVE), "en-fr.txt.zip"]
    log = project / "logs/corpora/download.opus/OpenSubtitles/v2018/moses/en-fr.txt.zip.log"
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


def test_a_model_of_sockeye_is_that_of_the_first_run(project, snakemake):
    folder, goal = project / "models/en-fr", "build/control/generic/fr/model.safetensors"
    write_sockeye(folder, Transformer(TransformerSizes(len(SYMBOLS), 8, 2, 8, 1, 1)), SYMBOLS, MERGES)
    record, weights = folder.with_name("en-fr.sha256"), folder / "params.best"
    given = ["--config", "control={generic: {sockeye: {fr: models/en-fr}}}"]
    accepting = [*given, "downloads={unpinned: [sockeye]}"]

    def run(*settings: str) -> subprocess.CompletedProcess:
        return snakemake(project, "--cores", 1, *settings, "--", goal)

    done = run(*given)
    assert done.returncode == 2 and not (project / "build/corpora").exists()
    (told,) = said(done.stderr)
    assert "no checksums of the files in models/en-fr are known" in told
    assert told.endswith(
        "add sockeye to downloads.unpinned, which records the checksums in models/en-fr.sha256"
    )
    listed = snakemake(project, "-n", *given, "--", goal)
    assert listed.returncode == 0
    assert said(listed.stderr, "warning") == [told.replace("error", "warning")]

    done = run(*accepting)
    assert done.returncode == 0, done.stderr
    kept = record.read_text(encoding="utf-8")
    assert f"{digest(weights)}  params.best\n" in kept and len(kept.splitlines()) == 5
    # Other weights are refused, also by a run that would record first ones; those of the record never are.
    first = weights.read_bytes()
    weights.write_bytes(first + b"\n")
    assert run(*accepting).returncode != 0 and record.read_text(encoding="utf-8") == kept
    log = (project / "logs/corpora/check_sockeye.fr.log").read_text(encoding="utf-8")
    assert f"sha256 is {digest(weights)}, recorded is {kept.split()[0]}" in log and "Traceback" not in log
    weights.write_bytes(first)
    done = run(*given)
    assert done.returncode == 0, done.stderr


def test_one_command_downloads_what_has_no_published_checksum(project, snakemake):
    document = (ROOT / "docs/scales.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"^    (snakemake .*--until download .*)", document, re.MULTILINE)
    done = snakemake(project, "-n", *shlex.split(shown)[1:])
    assert done.returncode == 0, done.stderr
    planned = set(re.findall(r"output: build/corpora/downloads/(\S+)", done.stdout))
    # Of PPTOD's two sizes config/hub.yaml has the small one.
    rows = [
        row for row in load(ROOT / "resources/sources.csv") if row.corpus in ("pptod", "tydip-classifier")
    ]
    assert planned == {row.path for row in rows} - {"pptod/base.zip"}
    assert len(planned) == 6 and not any(row.sha256 for row in rows)


def test_a_pack_of_a_known_checksum_is_taken(project, mirror, snakemake):
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


def test_a_host_that_cannot_be_reached_is_told_before_the_first_job(project, snakemake):
    table, rules = project / "resources/sources.csv", project / "rules/corpora/sources.smk"
    rules.write_text(rules.read_text(encoding="utf-8").replace("--retries 5", "--retries 0"))
    files = [f"build/corpora/downloads/pt16/{name}" for name in ("answers", "blog")]
    with socket.socket() as taken:
        # Nobody listens there.
        taken.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{taken.getsockname()[1]}"
        text = table.read_text(encoding="utf-8").replace("raw.githubusercontent.com/IgorFreik", host)
        table.write_text(text, encoding="utf-8")
        # A dry run asks nobody.
        done = snakemake(project, "-n", "--", *files)
        assert done.returncode == 0 and host not in done.stderr, done.stderr
        done = snakemake(project, "--cores", 1, "--", *files)
        told = said(done.stderr)
        assert done.returncode == 2 and len(told) == 1 and not (project / "build/corpora").exists()
        assert f"{host} cannot be reached: Connection refused; 2 files of pt16 would come from" in told[0]
        # What needs no download is made with --keep-going.
        done = snakemake(project, "--cores", 1, "--keep-going", "--", *files, "results/table13.csv")
        assert done.returncode == 1 and (project / "results/table13.csv").exists()
        assert f"warning: {host} cannot be reached: Connection refused; 2 files" in done.stderr
    # With a mirror nobody is asked.
    (project / "empty").mkdir()
    done = snakemake(project, "--cores", 1, "--config", "mirror=empty", "--", files[0])
    assert done.returncode == 1 and "does not contain this file" in done.stderr
    assert "cannot be reached" not in done.stderr
