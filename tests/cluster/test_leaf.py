"""A leaf that a few dozen jobs make on the cluster has the same bytes as without it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from workflow_scripts.core.files import digest

from .base import LEAF
from .cases import Found, whole_leaf

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(3600)]
# Of the leaf's rules those that can use a GPU, and how many jobs of each are on nodes.
ON_A_GPU = {"train_nmt": 1, "translate_ratings": 1, "train_regressor": 1, "score_subtitles": 1}
# The others. Three chains of a shard are two jobs; what takes a moment is none at all.
ON_PROCESSORS = {
    **{"read_bitext": 2, "sample_bitext": 1, "learn_nmt_text": 1, "nmt_bitext": 2, "encoder": 1},
    **{"shard": 1, "filter_shard": 2, "gather": 1, "pools": 1},
}


@pytest.fixture(scope="module")
def leaf(found):
    """The leaf, made on the cluster."""
    return found(whole_leaf)


def files(folder: Path) -> dict[str, str]:
    """The sums of all that jobs have made, but for how long they took."""
    found = [path for place in ("build", "results") for path in (folder / place).rglob("*")]
    return {
        str(path.relative_to(folder)): digest(path)
        for path in found
        if path.is_file() and "benchmarks" not in path.parts
    }


def rules(leaf: Found) -> list[str]:
    """The rules of the jobs that were submitted; that of a group for its jobs."""
    names = [job["comment"].removeprefix("rule_").partition("_wildcards_")[0] for job in leaf.run.jobs()]
    # The name of a job of a group goes on with those of its rules.
    return ["filter_shard" if name.startswith("filter_shard") else name for name in names]


def test_the_same_bytes(leaf, base):
    ours = files(leaf.run.folder)
    assert ours == files(base) and LEAF in ours and len(ours) > 50
    (jobs,) = re.findall(r"(\d+) jobs to run", leaf.said)
    assert int(jobs) > 24


def test_few_submissions(leaf):
    assert Counter(rules(leaf)) == ON_A_GPU | ON_PROCESSORS
    jobs = leaf.run.jobs()
    assert {job["state"] for job in jobs} == {"COMPLETED"}
    assert "Group job" not in leaf.said
    # Jobs of a rule that can start together are one submission.
    assert len({job["submitted"] for job in jobs if job["comment"].startswith("rule_nmt_bitext")}) == 1


def test_jobs_that_can_use_a_gpu_get_one_and_others_none(leaf):
    devices = {
        rule: (job.get("TresPerJob", ""), leaf.run.slurm.devices(job["JobId"]))
        for rule, job in zip(rules(leaf), leaf.run.jobs(), strict=True)
    }
    assert set(devices) > set(ON_A_GPU)
    for rule, (asked, seen) in devices.items():
        if rule in ON_A_GPU:
            assert "gres:gpu:1" in asked and seen <= {"0", "1"} and seen, (rule, asked, seen)
        else:
            assert not asked and seen == {""}, (rule, asked, seen)
