"""The Slurm that these tests share, and a run of the workflow on it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from . import base as made
from .slurm import Slurm, missing, running

# The profile as it is, except that the machine is near and the jobs are short.
QUICK = [
    "--slurm-init-seconds-before-status-checks=1",
    "--seconds-between-status-checks=1",
    "--latency-wait=10",
]
PROFILE = ["--workflow-profile", "profiles/slurm", *QUICK]


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    """A real Slurm; these tests skip where it is not installed."""
    if problem := missing():
        pytest.skip(problem)
    # The path of a socket must be short, and Munge asks that nobody else may write where it lies.
    with tempfile.TemporaryDirectory(prefix="tuvous-slurm-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        with running(Path(name) / "slurm") as found:
            yield found


@pytest.fixture(scope="session")
def base(slurm: Slurm, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the leaf is made; it is only read."""
    folder = tmp_path_factory.mktemp("base")
    made.make(folder)
    return folder


@pytest.fixture
def nothing_left(slurm: Slurm) -> Iterator[None]:
    """No job of a test is there in the next one."""
    yield
    slurm.empty()


def start(slurm: Slurm, folder: Path, *arguments: object) -> subprocess.Popen:
    """Start the workflow in a folder, on the cluster."""
    return subprocess.Popen(
        # With Snakemake's own lines on each job, which the tests read.
        [sys.executable, "-m", "snakemake", *PROFILE, "--printshellcmds", *map(str, arguments)],
        cwd=folder,
        env=slurm.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def finish(process: subprocess.Popen, *, seconds: float = 600) -> str:
    """What a run says until its end."""
    try:
        said, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        said, _ = process.communicate()
        raise AssertionError(f"the run takes too long: {said[-6000:]}") from None
    return said
