"""A leaf that a few dozen jobs make on the cluster has the same bytes as without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflow.tiny import CONFIG, snakemake
from workflow_scripts.core.files import digest

from .base import LEAF, copy
from .conftest import finish, start
from .slurm import Slurm

pytestmark = [pytest.mark.cluster, pytest.mark.usefixtures("nothing_left")]
# Twelve parts of the subtitles instead of two.
OVERLAY = "filtering: {shards: 12}\n"


def made(folder: Path) -> dict[str, str]:
    """The sums of what the jobs of the leaf have made."""
    places = ("build/filtering/opensubtitles", "build/formality", "results")
    found = [path for place in places for path in (folder / place).rglob("*")]
    return {str(path.relative_to(folder)): digest(path) for path in found if path.is_file()}


@pytest.fixture
def folders(base: Path, tmp_path: Path) -> list[Path]:
    """Two copies of a run, whose subtitles are to be filtered again."""
    for name in ("here", "cluster"):
        copy(base, tmp_path / name)
        (tmp_path / name / "mine.yaml").write_text(OVERLAY)
    return [tmp_path / "here", tmp_path / "cluster"]


def test_the_same_bytes_by_few_submissions(slurm: Slurm, folders: list[Path]) -> None:
    here, cluster = folders
    said = finish(start(slurm, cluster, *CONFIG, "mine.yaml", "--", LEAF))
    assert "100%) done" in said, said[-6000:]
    jobs = slurm.jobs("--states=all")
    # The name of a job of a group goes on with those of its rules.
    names = [job["comment"].partition("_wildcards_")[0] for job in jobs]
    rules = ["rule_filter_shard" if name.startswith("rule_filter_shard") else name for name in names]
    # Eight chains of a shard are one job; what takes a moment is none at all.
    assert sorted(rules) == sorted(
        [
            "rule_shard",
            "rule_filter_shard",
            "rule_filter_shard",
            "rule_gather",
            "rule_score_subtitles",
            "rule_pools",
        ]
    )
    assert {job["state"] for job in jobs} == {"COMPLETED"}
    assert said.count("Finished jobid") >= 5 and "29 of 29 steps" in said
    done = snakemake(here, "--cores", 2, *CONFIG, "mine.yaml", "--", LEAF)
    assert done.returncode == 0, done.stderr[-3000:]
    found = made(cluster)
    assert found == made(here) and LEAF in found
