"""Every leaf of the smallest scale on the cluster, with the same bytes as without it: `make cluster`."""

import shutil

import pytest

from tests.workflow.tiny import CONFIG, LEAVES, put_sources, snakemake
from workflow_scripts.core.files import digest

from .run import Run

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(7200)]


def test_every_leaf_has_the_same_bytes(slurm, finished, tmp_path):
    folder = tmp_path / "cluster"
    put_sources(folder)
    world = snakemake(folder, "--cores", 2, *CONFIG, "--", "build/corpora/xformal/fr/informal.txt")
    assert world.returncode == 0, world.stderr
    (folder / "my outputs").mkdir()
    shutil.copy2(folder / "build/corpora/xformal/fr/formal.ref0.txt", folder / "my outputs/fr.txt")
    run = Run(slurm, folder)
    run.finish(run.start(*CONFIG, "--", *LEAVES), seconds=7000)
    jobs = run.jobs()
    print(f"{len(jobs)} jobs in {len({job['submitted'] for job in jobs})} submissions")
    leaves = sorted((finished.folder / "results").rglob("*.csv"))
    assert len(leaves) > 30
    different = [
        str(leaf.relative_to(finished.folder))
        for leaf in leaves
        if digest(leaf) != digest(folder / leaf.relative_to(finished.folder))
    ]
    assert different == []
