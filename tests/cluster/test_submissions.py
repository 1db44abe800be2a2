"""The submissions described in docs/clusters.md are those of the rules and the profile."""

import re
import subprocess
import sys
from typing import Any

import pytest

from .run import Run
from .submissions import ROOT, TABLE7, ask, counted

pytestmark = pytest.mark.slow


def test_the_table_of_submissions():
    found = counted(ask(ROOT, {}, ["config/paper.yaml"], TABLE7))
    text = (ROOT / "docs/clusters.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| after \| (\d+) \| (\d+) \| (\d+) \|$", text, flags=re.MULTILINE)
    assert dict(zip(("jobs", "on nodes", "submissions"), map(int, row), strict=True)) == found


def test_a_run_that_ends_before_its_training_is_told_at_once(tmp_path):
    slurm: Any = None
    said = "import sys; print('no such target'); sys.exit(1)"
    head = subprocess.Popen([sys.executable, "-c", said], stdout=subprocess.PIPE, text=True)
    run = Run(slurm, tmp_path, [head])
    with pytest.raises(AssertionError, match="ended before its training began: no such target"):
        run.stop_training()
