"""Several experiments side by side: each in its own directory, with the tools and places of the checkout."""

import hashlib
import subprocess
from base64 import urlsafe_b64encode

import pytest

from workflow_scripts.core.files import digest, read_lines
from workflow_scripts.core.run_records import recorded

pytestmark = pytest.mark.slow
SENTENCES = "build/corpora/xformal/fr/informal.txt"
CHEAP = ["results/table13.csv", SENTENCES]


@pytest.fixture
def tools(project):
    """What stands in a checkout whose tools are built: a dry run asks for no more than the files."""
    for tool, files in (("hardrules", []), ("kenlm", ["kenlm/.done"])):
        lock = hashlib.sha256((project / f"envs/{tool}.txt").read_bytes()).hexdigest()[:10]
        for name in (".done", *files):
            path = project / f".venvs/{tool}-{lock}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def listed(done: subprocess.CompletedProcess) -> str:
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("tools")
def test_an_experiment_finds_tools_and_cache_in_the_checkout(project, snakemake):
    scale = ["--directory", "runs/open", "--configfile", "config/open.yaml"]
    done = snakemake(project, "-n", "-p", *scale, "--", "results/table7.csv")
    text = listed(done)
    # That another run has made the tools is nothing to tell.
    assert "missing" not in text + done.stderr
    # The overlay, which is found from where the command is called, counts.
    assert "read_cocoa_eval" in text and "bicleaner" in text
    assert "rule tool_venv" not in text and "rule lmplz" not in text
    assert "--cache ../../cache/" in text
    assert not (project / "runs/open/build").exists()


@pytest.mark.usefixtures("tools")
def test_an_experiment_is_started_from_its_own_directory_too(project, snakemake):
    here = project / "runs/mine"
    here.mkdir(parents=True)
    (here / "mine.yaml").write_text("languages: [fr]\ncache: /somewhere/else\n", encoding="utf-8")
    scale = ["--snakefile", "../../Snakefile", "--configfile", "mine.yaml"]
    text = listed(snakemake(here, "-n", "-p", *scale, "--", "results/table7.csv"))
    assert "rule tool_venv" not in text and "rule lmplz" not in text
    # An absolute folder is what it is.
    assert "--cache /somewhere/else/" in text


def test_an_experiment_without_tools_makes_them_and_keeps_their_rules(project, snakemake):
    here = ["--directory", "runs/open"]
    assert "rule tool_venv" in listed(snakemake(project, "-n", *here, "--", "tools"))
    # Of what a run of this directory has made there is a record: with other params it is made again.
    lock = hashlib.sha256((project / "envs/kenlm.txt").read_bytes()).hexdigest()[:10]
    for name in (".done", "kenlm/.done"):
        path = f"../../.venvs/kenlm-{lock}/{name}"
        made = project / "runs/open" / path
        made.parent.mkdir(parents=True, exist_ok=True)
        made.touch()
        record = project / "runs/open/.snakemake/metadata" / urlsafe_b64encode(path.encode()).decode()
        record.parent.mkdir(parents=True, exist_ok=True)
        record.write_text('{"rule": "lmplz", "params": ["\'other\'"], "record_format_version": 6}')
    assert "rule lmplz" in listed(snakemake(project, "-n", *here, "--", "tools"))


def test_licensed_corpora_and_the_mirror_are_those_of_the_checkout(project, snakemake):
    where = ["--directory", "runs/paper", "--configfile", "config/paper.yaml", "--config", "mirror=downloads"]
    text = listed(snakemake(project, "-n", "-p", *where, "--", "results/table7.csv", SENTENCES))
    assert "--mirror=../../downloads " in text
    assert "licensed ../../licensed build/corpora/licensed/xformal.txt" in text
    # Without -n the run stops before its first job, and names the folder of the checkout.
    done = snakemake(project, "--cores", 1, *where, "--", SENTENCES)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "../../licensed/" in done.stderr
    present = snakemake(project, "--quiet", "all", "--cores", 1, *where[:2], "--", "sources")
    assert "xformal-demo" in listed(present)


def test_experiments_keep_their_files_apart(project, snakemake):
    one = ["--directory", "runs/one", "--config", "demo={xformal: 20}"]
    two = ["--directory", "runs/two", "--config", "demo={xformal: 30}", "scale=open"]
    for experiment in (one, two):
        listed(snakemake(project, "--cores", 1, *experiment, "--", *CHEAP))
    assert not (project / "build").exists() and not (project / "results").exists()
    assert [len(read_lines(project / run / SENTENCES)) for run in ("runs/one", "runs/two")] == [20, 30]
    assert digest(project / "runs/one/results/table13.csv")
    assert set(CHEAP) <= recorded(project / "runs/one/.snakemake")
    # Back and forth, nothing is made again; in one directory each would undo the other.
    for experiment in (one, two, one):
        done = snakemake(project, "-n", *experiment, "--", *CHEAP)
        assert "Nothing to be done" in listed(done) + done.stderr
    assert "demo_world" in listed(snakemake(project, "-n", *one[:2], *two[2:], "--", *CHEAP))


def test_the_rules_of_an_experiment_are_those_of_the_checkout(project, snakemake):
    listed(snakemake(project, "--cores", 1, "--directory", "runs/one", "--", "build/report/rules.csv"))
    assert len(read_lines(project / "runs/one/build/report/rules.csv")) > 50
