"""The bench of growth, on a few lines."""

import os
import subprocess
import sys

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def test_steps_are_measured_and_drawn(tmp_path):
    script = [
        sys.executable,
        "bench/scale.py",
        tmp_path / "run",
        "--figure",
        tmp_path / "scale.svg",
        "--header",
    ]
    steps = ["filtering.pools", "core.cache", "translation.translate", "translation.rescue"]
    sizes = ["--smallest", "1000", "--largest", "3162"]
    words = [*script, *sizes, "--steps", *steps]
    done = subprocess.run(words, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    head, _, *rows = [line.strip("| ").split(" | ") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == steps
    for row in rows:
        assert len(row) == len(head) and row[1] == "3,162"
        assert 0 < float(row[2]) < 60 and 10 < float(row[6]) < 1000
    drawn = (tmp_path / "scale.svg").read_text()
    assert all(f">{step}</text>" in drawn for step in steps)
