"""The benches of translators, at a tiny size, on a second device made of the processor."""

import importlib
import re
import subprocess
import sys

import pytest

from tests.conftest import ROOT

SMALL = "--units 8 --vocabulary 50 --updates 1 --sentences 4 --repeats 1 --header"
# Options, and the works that have a row.
BENCHES = {
    "seq2seq": (
        f"{SMALL} --batches 4 --decoding-batches 4 --members 1 2",
        ["training", "decoding, beam 5", "decoding, beam 5, ensemble of 2"],
    ),
    "transformer": (
        f"{SMALL} --layers 1:1 --tokens 200 --decoding-batch 4",
        ["training", "decoding"],
    ),
}
# `auto` is the second device (tests/second_device.py); a smaller product tells the peak.
SCRIPT = """
import runpy, sys
from tests.second_device import start
start()
sys.path.insert(0, "bench")
import limit
limit.SIDE = 64
sys.argv = [f"bench/{sys.argv[1]}.py", "--device", "auto", *sys.argv[2:]]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", BENCHES)
def test_each_work_has_its_row(name):
    options, works = BENCHES[name]
    words = [sys.executable, "-c", SCRIPT, name, *options.split()]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    head, _, *rows = [line.strip("| \n").split(" | ") for line in done.stdout.splitlines()]
    # Columns of the other toolkit are empty without it.
    cells = [dict(zip(head, row, strict=False)) for row in rows]
    assert [row["work"] for row in cells] == works
    assert all(float(row["limit"].replace(",", "")) > 0 and row["share"].endswith("%") for row in cells)
    assert re.search(r"[1-9]\d* tensors of the device second\n", done.stderr)


def test_cells_beside_another_toolkit(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "bench")
    turns = importlib.import_module("turns")
    assert turns.beside([(2.0, 1.0), (9.0, 3.0), (16.0, 2.0)], 10.0) == [
        *("2.0", "5.00", "3.00", "2.00 3.00 8.00")
    ]
