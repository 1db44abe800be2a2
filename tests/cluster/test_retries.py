"""Jobs that the cluster ends are tried again with more, and trainings go on from their checkpoint."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.workflow.tiny import CONFIG
from workflow_scripts.core.files import digest

from .base import copy
from .conftest import finish, start
from .slurm import Slurm

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("nothing_left")]
MODEL = "build/translation/nmt/fr/model.safetensors"
LOG = "logs/translation/train_nmt.fr.log"
SHARD = "build/filtering/opensubtitles/fr/0.clean.tsv.gz"


@pytest.fixture
def project(base: Path, tmp_path: Path) -> Path:
    """A finished run without one trained model."""
    folder = tmp_path / "project"
    copy(base, folder)
    (folder / MODEL).unlink()
    return folder


def training(folder: Path, other_than: int = 0, *, checkpoint: bool = True) -> psutil.Process:
    """The process that trains in a folder, as soon as it has a checkpoint, or begins."""
    end = time.monotonic() + 400
    while time.monotonic() < end:
        for process in psutil.process_iter(["cmdline"]):
            words = process.info["cmdline"] or []
            if "workflow_scripts.seq2seq.train" not in words or process.pid == other_than:
                continue
            try:
                if Path(process.cwd()) == folder:
                    states = list(folder.glob("build/checkpoints/translation/*/0*"))
                    if states or not checkpoint:
                        return process
            except psutil.Error:
                continue
        time.sleep(0.005)
    raise AssertionError("nothing is trained")


def details(slurm: Slurm, job: dict[str, str]) -> dict[str, str]:
    """What Slurm knows of a job."""
    words = slurm.ask("scontrol", "show", "job", job["id"]).split()
    return dict(word.partition("=")[::2] for word in words)


def attempts(slurm: Slurm, rule: str) -> list[dict[str, Any]]:
    """The jobs of a rule, in the order of their submission."""
    jobs = [job for job in slurm.jobs("--states=all") if job["comment"].startswith(f"rule_{rule}")]
    jobs.sort(key=lambda job: int(job["id"].partition("_")[0]))
    return [{**job, **details(slurm, job)} for job in jobs]


@pytest.mark.parametrize("end", ["scancel", "time"])
def test_a_training_that_is_ended_goes_on_from_its_checkpoint(
    slurm: Slurm, base: Path, project: Path, end: str
) -> None:
    minutes = {"scancel": 120, "time": 1}[end]
    given = ["--set-resources", f"train_nmt:runtime=attempt*{minutes}"]
    process = start(slurm, project, *given, *CONFIG, "--", MODEL)
    first = training(project)
    environment = first.environ()
    # It stands still, so that its end comes before that of the training; Slurm ends it after its minute.
    first.suspend()
    if end == "scancel":
        slurm.ask("scancel", slurm.wait("rule_train_nmt")["id"])
    said = finish(process)
    assert "100%) done" in said, said[-6000:]
    one, two = attempts(slurm, "train_nmt")
    assert one["state"] == {"scancel": "CANCELLED", "time": "TIMEOUT"}[end] and two["state"] == "COMPLETED"
    limits = {"scancel": ("02:00:00", "04:00:00"), "time": ("00:01:00", "00:02:00")}
    assert (one["TimeLimit"], two["TimeLimit"]) == limits[end]
    assert (one["MinMemoryNode"], two["MinMemoryNode"]) == ("8000M", "16000M")
    assert "going on after update" in (project / LOG).read_text()
    assert digest(project / MODEL) == digest(base / MODEL)
    # A job that can use a GPU has one of the two.
    assert environment["CUDA_VISIBLE_DEVICES"] in ("0", "1")
    assert "gres:gpu:1" in one["TresPerJob"]


def test_a_job_above_its_memory_is_tried_again_with_more(slurm: Slurm, base: Path, project: Path) -> None:
    # Torch and Snakemake itself need more than that.
    memory = "train_nmt:mem_mb=attempt*attempt*350"
    said = finish(start(slurm, project, "--set-resources", memory, *CONFIG, "--", MODEL))
    assert "100%) done" in said, said[-6000:]
    tried = attempts(slurm, "train_nmt")
    assert [job["state"] for job in tried[:-1]] and {job["state"] for job in tried[:-1]} <= {
        "FAILED",
        "OUT_OF_MEMORY",
        "CANCELLED",
    }
    assert tried[-1]["state"] == "COMPLETED"
    assert [job["MinMemoryNode"] for job in tried] == ["350M", "1400M", "3150M"][: len(tried)]
    assert "xceeded job memory limit" in "".join(
        path.read_text(errors="replace") for path in (project / ".snakemake/slurm_logs").rglob("*.log")
    )
    assert digest(project / MODEL) == digest(base / MODEL)


@pytest.fixture
def gres(project: Path) -> Callable[[], None]:
    """The line of the profile for a cluster that hands out GPUs by --gres."""
    profile = project / "profiles/slurm/config.yaml"
    text = profile.read_text()

    def change() -> None:
        assert text.count("ON_A_GPU = {}\n") == 1
        profile.write_text(text.replace("ON_A_GPU = {}\n", 'ON_A_GPU = {"gpu": 0, "gres": "gpu:1"}\n'))

    return change


def test_snakemake_is_killed_and_started_again_while_jobs_run(
    slurm: Slurm, base: Path, project: Path, gres: Callable[[], None]
) -> None:
    gres()
    (project / SHARD).unlink()
    targets = [MODEL, SHARD]
    process = start(slurm, project, *CONFIG, "--", *targets)
    first = training(project)
    first.suspend()
    environment = first.environ()
    job = slurm.wait("rule_train_nmt")
    # This cluster is asked by --gres; what wants no GPU has none.
    assert environment["CUDA_VISIBLE_DEVICES"] in ("0", "1")
    assert "gres:gpu:1" in details(slurm, job)["TresPerNode"]
    other = slurm.wait("rule_filter_shard", "COMPLETED")
    assert not {"TresPerJob", "TresPerNode"} & set(details(slurm, other))
    process.kill()
    process.communicate()
    unlocked = start(slurm, project, "--unlock", *CONFIG)
    finish(unlocked)
    # The job goes on by itself: nobody else may write what it writes.
    refused = start(slurm, project, *CONFIG, "--", *targets)
    said = finish(refused)
    assert refused.returncode == 2, said
    (line,) = [line for line in said.splitlines() if line.startswith("error: ")]
    assert line.endswith(f"run: scancel {job['id']}"), line
    slurm.empty()
    said = finish(start(slurm, project, *CONFIG, "--", *targets))
    assert "100%) done" in said, said[-6000:]
    for path in targets:
        assert digest(project / path) == digest(base / path)
    assert "going on after update" in (project / LOG).read_text()


def test_arrays_that_would_wait_for_ever_are_refused(slurm: Slurm, project: Path) -> None:
    refused = start(slurm, project, "--jobs", 1, *CONFIG, "--forcerun", "read_bitext", "--", SHARD)
    said = finish(refused)
    assert refused.returncode == 2, said
    assert "'jobs' is 1, below the 2 jobs of one rule, which slurm-array-jobs would never submit" in said
    assert slurm.jobs("--states=all") == [] or all(
        job["folder"] != str(project) for job in slurm.jobs("--states=all")
    )
