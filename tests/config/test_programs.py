"""Programs are looked for before the first job, all at once, with the command that installs them."""

import shutil
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.conftest import said
from workflow_scripts.config import programs
from workflow_scripts.translation import apertium

Run = Callable[..., subprocess.CompletedProcess]
# What Snakemake itself calls.
NEEDED = ("bash", "env", "sh", "which", "uname", "hostname", "nproc", "rm", "mkdir", "cat", "git")
OPEN = ["--configfile", "config/open.yaml"]
LINE = (
    "programs that this run needs are missing: a C++ compiler (c++, g++, clang++), Apertium;"
    " on Debian and Ubuntu: sudo apt-get install apertium apertium-eng-spa apertium-es-pt apertium-fr-es"
    " apertium-lex-tools apertium-spa-ita cg3 g++"
)


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """A machine without a compiler, without Apertium, and without Slurm."""
    folder = tmp_path / "bare"
    folder.mkdir()
    for name in NEEDED:
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.delenv("APERTIUM_DATADIR", raising=False)


@pytest.mark.slow
def test_all_missing_programs_are_named_before_the_first_job(bare, project, snakemake):
    done = snakemake(project, "--cores", 1, *OPEN, "--", "results/table7.csv")
    assert done.returncode == 2 and said(done.stderr) == [f"error: {LINE}"], done.stderr
    assert not (project / "build").exists()
    listed = snakemake(project, "-n", *OPEN, "--", "results/table7.csv")
    assert listed.returncode == 0 and said(listed.stderr, "warning") == [f"warning: {LINE}"], listed.stderr


@pytest.mark.slow
def test_only_a_pack_needs_a_compiler_for_bicleaner(bare, project, snakemake):
    pair = "build/filtering/opensubtitles/fr/0.clean.tsv.gz"
    done = snakemake(project, "-n", "--", pair)
    assert done.returncode == 0 and "programs" not in done.stderr, done.stderr
    (project / "pack.yaml").write_text("filtering: {bicleaner: {pack: v1.6}}\n")
    done = snakemake(project, "-n", "--configfile", "pack.yaml", "--", pair)
    (line,) = (one for one in said(done.stderr, "warning") if "programs" in one)
    assert "programs that this run needs are missing: a C++ compiler" in line, done.stderr


def test_only_what_is_compiled_needs_headers(monkeypatch, tmp_path):
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    assert programs.venv(headers=False) == []
    assert [name for name, _ in programs.venv(headers=True)] == ["Python's header files"]
    (tmp_path / "Python.h").touch()
    assert programs.venv(headers=True) == []


@pytest.mark.slow
def test_a_run_that_calls_none_misses_none(bare, project, snakemake):
    done = snakemake(project, "-n", "--", "build/corpora/demo/world.json")
    assert done.returncode == 0 and "programs" not in done.stderr


@pytest.mark.slow
def test_conda_is_looked_for_where_it_is_to_make_environments(bare, project, snakemake):
    for asked in (["-n"], ["--cores", 1]):
        done = snakemake(project, *asked, "--sdm", "conda", "--", "build/corpora/demo/world.json")
        assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
        (line,) = said(done.stderr)
        assert line.startswith("error: --sdm conda calls the program conda, which is not on the PATH")
        assert len(done.stderr.splitlines()) <= 3, done.stderr


@pytest.mark.slow
def test_slurm_is_looked_for_where_jobs_are_submitted(bare, project, snakemake):
    slurm = ["--workflow-profile", "profiles/slurm"]
    done = snakemake(project, *slurm, "--", "build/corpora/demo/world.json")
    assert done.returncode == 2, done.stderr
    assert said(done.stderr) == [
        "error: programs that this run needs are missing: Slurm's sbatch, squeue, sacct, scancel:"
        " start the run on a machine of the cluster"
    ]
    assert snakemake(project, "-n", *slurm, "--", "build/corpora/demo/world.json").returncode == 0


def test_a_mode_and_a_program_of_a_mode_that_are_missing_are_named(tmp_path, monkeypatch):
    (tmp_path / "modes").mkdir()
    (tmp_path / "modes/eng-spa.mode").write_text("sh a | no-such-program b\n")
    monkeypatch.setenv("APERTIUM_DATADIR", str(tmp_path))
    chains = ["en-fr=eng-spa,es-fr", "en-es=eng-spa", "en-it=eng-spa,spa-ita"]
    found = apertium.missing(chains, [("en", "fr"), ("en", "es")])
    assert [name for name, _ in found] == [
        "no-such-program (of Apertium's mode eng-spa)",
        "Apertium's mode es-fr",
    ]
    (line,) = programs.told(found)
    assert line.endswith("install apertium apertium-eng-spa apertium-fr-es apertium-lex-tools cg3")
    assert apertium.missing(chains, [("fr", "fr")]) == [] == programs.told([])


def test_the_compiler_may_be_named(bare, monkeypatch):
    assert [packages for _, packages in programs.compiler()] == [("g++",)]
    monkeypatch.setenv("CXX", f"{sys.executable} -O2")
    assert programs.compiler() == []
    monkeypatch.setenv("CXX", "no-such-compiler")
    assert programs.compiler()[0][0] == "a C++ compiler (no-such-compiler)"


@pytest.mark.slow
def test_a_pretrained_translator_beside_apertium_is_no_direction_of_it(bare, project, snakemake):
    checkpoint = project / "models/mbart-large-50-one-to-many-mmt"
    checkpoint.mkdir(parents=True)
    for name in ("config.json", "model.safetensors"):
        (checkpoint / name).touch()
    files = [*OPEN, "config/finetuned.yaml"]
    rows = "control={rows: [references, mbart, mbart-tuned]}"
    done = snakemake(project, "-n", *files, "--config", rows, "--", "results/cocoa-mt/table6.csv")
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert "rule translate_finetuned" in done.stdout and "Apertium" not in done.stderr
