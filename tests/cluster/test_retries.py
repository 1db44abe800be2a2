"""Jobs that the cluster ends are tried again with more, and trainings go on from their checkpoint."""

from pathlib import Path

import pytest

from tests.conftest import said
from workflow_scripts.core.files import digest

from .base import MODEL, SETTINGS, SHARD, copy
from .cases import Found, cancelled, out_of_time, started_again
from .run import Run

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(3600)]
LOG = "logs/translation/train_nmt.fr.log"


def went_on(case: Found, base: Path) -> bool:
    """Whether the training has the base's bytes, and did not begin anew."""
    assert digest(case.run.folder / MODEL) == digest(base / MODEL)
    return "going on after update" in (case.run.folder / LOG).read_text()


def asked(jobs: list[dict[str, str]], *what: str) -> list[tuple[str, ...]]:
    """What each job had, as Slurm says it."""
    return [tuple(job[name] for name in what) for job in jobs]


def test_a_cancelled_training_goes_on_from_its_checkpoint(found, base):
    case = found(cancelled)
    tried = case.run.jobs("train_nmt")
    # No job asks for more than a day.
    assert asked(tried, "state", "MinMemoryNode", "TimeLimit") == [
        ("CANCELLED", "8000M", "1-00:00:00"),
        ("COMPLETED", "16000M", "1-00:00:00"),
    ]
    assert went_on(case, base)


def test_a_training_above_its_time_goes_on_from_its_checkpoint(found, base):
    case = found(out_of_time)
    tried = case.run.jobs("train_nmt")
    assert asked(tried, "state", "MinMemoryNode") == [("TIMEOUT", "8000M"), ("COMPLETED", "16000M")]
    assert (case.first["TimeLimit"], tried[1]["TimeLimit"]) == ("02:00:00", "04:00:00")
    assert went_on(case, base)
    # With `device: cpu` nothing asks for a GPU.
    assert not any({"TresPerJob", "TresPerNode"} & set(job) for job in tried)
    assert case.run.slurm.devices(case.first["JobId"]) == {""}


def test_a_training_above_its_memory_is_tried_again_with_more(found, base):
    case = found(started_again)
    _, *tried = case.run.jobs("train_nmt")
    assert asked(tried, "MinMemoryNode") == [("200M",), ("1600M",)]
    one, two = tried
    assert one["state"] in ("FAILED", "OUT_OF_MEMORY", "CANCELLED") and two["state"] == "COMPLETED"
    logs = (case.run.folder / ".snakemake/slurm_logs").rglob("*.log")
    assert "xceeded job memory limit" in "".join(path.read_text(errors="replace") for path in logs)
    assert went_on(case, base)


def test_snakemake_is_killed_and_started_again_while_jobs_run(found, base):
    case = found(started_again)
    # The job went on by itself: nobody else may write what it writes.
    (line,) = said(case.refusal)
    assert line.endswith(f"run: scancel {case.first['id']}"), line
    assert case.run.jobs("train_nmt")[0]["state"] == "CANCELLED"
    for path in (MODEL, SHARD):
        assert digest(case.run.folder / path) == digest(base / path)


def test_a_cluster_that_is_asked_by_gres(found):
    case = found(started_again)
    assert "gres:gpu:1" in case.first["TresPerNode"]
    assert case.run.slurm.devices(case.first["JobId"]) <= {"0", "1"}
    other, *_ = case.run.jobs("filter_shard")
    assert not {"TresPerJob", "TresPerNode"} & set(other)
    assert case.run.slurm.devices(other["JobId"]) == {""}


def test_arrays_that_would_wait_for_ever_are_refused(slurm, base, found, tmp_path):
    run = Run(slurm, tmp_path / "project")
    copy(base, run.folder)
    head = run.start("--jobs", 1, *SETTINGS, "--forcerun", "nmt_bitext", "--", MODEL)
    said = run.finish(head, code=2)
    assert "'jobs' is 1, below the 2 jobs of one rule, which slurm-array-jobs would never submit" in said
    assert run.jobs() == []
