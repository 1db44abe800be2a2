"""A run that is killed goes on and ends with the same files: a short form of the campaign of kills."""

import pytest

from tests.stress import kills

from .conftest import LEAVES
from .tiny import copy_run

pytestmark = pytest.mark.long
KINDS = ("unmt", "dlsm", "prior")


def test_a_killed_run_ends_with_the_same_files(finished, tmp_path):
    trained = [str(path) for path in finished.folder.glob("build/unsupervised/**/*.safetensors")]
    for kind in KINDS:
        assert any(kind in path for path in trained), kind
    stages = ("unsupervised", "evaluation")
    # A leaf of another paper, which the killed run does not make.
    run, other = tmp_path / "run", "results/cocoa-mt"
    copy_run(finished.folder, run)
    (run / other).mkdir(exist_ok=True)
    (run / other / "table5.csv").write_text("x\n")
    removed = (*LEAVES, other)
    found = list(kills.campaign(run, tmp_path, 3, 1, longest=4, stages=stages, starts=1, removed=removed))
    assert [violation for violation in found if violation] == []
    assert len(found) == 3
