"""Bad weather: a short form by `make long`; the whole by `make stress`, which prints the table.

tests/workflow/test_kill.py is the short form of the kills.
"""

import os
import signal
import subprocess
import sys

import pytest

from tests.conftest import ROOT
from tests.stress import marks, running
from tests.workflow.forks import LARGE_PAGES


def campaigns(*arguments: object) -> subprocess.CompletedProcess:
    """Campaigns in a process of their own, since they fork and import whatever commands do."""
    line = [sys.executable, "-m", "tests.stress", *map(str, arguments)]
    return subprocess.run(line, cwd=ROOT, env=os.environ | LARGE_PAGES, stdout=subprocess.PIPE, text=True)


def test_a_command_that_takes_no_time_is_killed_after_its_first_part(tmp_path):
    (tmp_path / "dump").write_text(
        "<mediawiki><page><ns>3</ns><revision><text>So. Why?</text></revision></page></mediawiki>"
    )
    states, words = tmp_path / "states", ["out", "--dump", "dump", "--checkpoints", "states"]
    at = (states, 1, 0)
    done = running.run("corpora.talk_pages", words, tmp_path, tmp_path / "log", seconds=60, killed=at)
    assert done.code == -signal.SIGKILL, done.errors
    assert [path.name for path in states.glob("*/*")] == ["000000.txt"]
    assert not (tmp_path / "out").exists()


@pytest.mark.long
def test_some_damage_of_every_kind(finished_whole):
    """A few cases of each command; and the files of a campaign that only the long form has."""
    assert all((finished_whole.folder / name).is_file() for name in marks.TARGETS)
    sizes = ("--cases", 160, "--states", 16, "--texts", 24, "--quick")
    done = campaigns("inputs", "states", "texts", *sizes, "--run", finished_whole.folder)
    assert done.returncode == 0, done.stdout


@pytest.mark.stress
@pytest.mark.timeout(0)
def test_the_whole(finished_whole):
    """Ten thousand damaged inputs, a hundred kills; or what TUVOUS_STRESS says."""
    done = campaigns(*os.environ.get("TUVOUS_STRESS", "").split(), "--run", finished_whole.folder)
    print(f"\n{done.stdout}")
    assert done.returncode == 0, "there are violations"
