"""Table 12 at the smallest scale, made without a cluster: the reference and the starting point of cases."""

import shutil
from pathlib import Path

from tests.workflow.tiny import CONFIG, put_sources, snakemake

LEAF = "results/table12.csv"
MODEL = "build/translation/nmt/fr/model.safetensors"
SHARD = "build/filtering/opensubtitles/fr/0.clean.tsv.gz"
# A training that goes on for a while after its first checkpoint.
OVERLAY = """\
filtering: {shards: 3}
translation: {nmt: {model: {batch_size: 16, checkpoint_every: 40, max_updates: 160}}}
"""
SETTINGS = [*CONFIG, "cluster.yaml"]


def put(folder: Path) -> None:
    """The sources and settings of these runs, in a folder of their own."""
    put_sources(folder)
    (folder / "cluster.yaml").write_text(OVERLAY)


def make(folder: Path, *targets: str) -> None:
    """Make some files on this machine."""
    done = snakemake(folder, "--cores", 2, *SETTINGS, "--", *targets)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def copy(base: Path, folder: Path) -> None:
    """A second folder in which all of it is done."""
    for place in (".snakemake/metadata", "build"):
        shutil.copytree(base / place, folder / place)
    put(folder)
