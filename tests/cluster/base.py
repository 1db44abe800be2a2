"""What the tests on the cluster begin with: Table 12 at the smallest scale, made without a cluster."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.workflow.tiny import CONFIG, put_sources, snakemake

LEAF = "results/table12.csv"


def make(folder: Path) -> None:
    """Make the leaf: a translation model, a regressor, and subtitles that were filtered and scored."""
    put_sources(folder)
    done = snakemake(folder, "--cores", 2, *CONFIG, "--", LEAF)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def copy(base: Path, folder: Path) -> None:
    """A second folder in which all of it is done."""
    for place in (".snakemake/metadata", "build", "cache", "results"):
        shutil.copytree(base / place, folder / place)
    put_sources(folder)
