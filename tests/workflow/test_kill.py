"""A run that is killed, whatever it was doing, goes on and ends with the same models and the same table."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from workflow_scripts.core.files import digest

from .conftest import CONFIG, TABLES, Finished

pytestmark = pytest.mark.slow


def trained(folder: Path) -> dict[str, str]:
    """The sums of all weights and of the table."""
    weights = [
        *folder.glob("build/transfer/**/*.safetensors"),
        *folder.glob("build/unsupervised/**/*.safetensors"),
    ]
    weights += folder.glob("build/formality/fr/regressor/*.safetensors")
    leaves = [folder / "results/table7.csv", folder / "results/table6.csv"]
    return {str(path.relative_to(folder)): digest(path) for path in [*weights, *leaves]}


def test_a_killed_run_ends_with_the_same_weights_and_table(finished: Finished, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    shutil.copytree(finished.folder, folder, symlinks=True)
    before = trained(folder)
    kinds = (
        "translate-train-tag",
        "multi-task-tag-style",
        "backtranslate",
        "unmt",
        "dlsm",
        "prior",
        "regressor",
    )
    for kind in kinds:
        assert any(kind in path for path in before), kind
    # Snakemake makes a missing file again only where something that is asked for needs it.
    for stage in ("transfer", "unsupervised", "formality", "evaluation"):
        shutil.rmtree(folder / "build" / stage)
    shutil.rmtree(folder / "results")
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *CONFIG, "--", *TABLES]
    moments, kills = random.Random(1), 0
    for _ in range(3):
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(moments.uniform(3, 6))
        if process.poll() is not None:
            break
        # As when the machine goes down: the jobs end with the run.
        everyone = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
        for one in everyone:
            with suppress(psutil.NoSuchProcess):
                one.kill()
        process.wait()
        psutil.wait_procs(everyone[1:], timeout=30)
        kills += 1
        unlocked = finished.run(folder, "--unlock", *CONFIG)
        assert unlocked.returncode == 0, unlocked.stderr
    assert kills >= 2, "the run was over before it could be killed"
    done = finished.run(folder, "--cores", 2, *CONFIG, "--", *TABLES)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert trained(folder) == before
    assert not list(folder.glob("build/checkpoints/*/*")), "states of finished trainings are left"
