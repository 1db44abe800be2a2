"""The terminal of a run closes: as after Ctrl-C no job goes on, and the next run needs no --unlock."""

import os
import pty
import select
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.signals import obey_signals

TARGET = "build/corpora/demo/world.json"
PATIENCE = 120


def running(folder: Path) -> list[str]:
    """The processes that work in a folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cwd").resolve() == folder.resolve():
                found.append((entry / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue
    return found


def ticks(process: int) -> int:
    """The time of the processor that a process has had, in hundredths of a second."""
    user, system = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) // 5


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs Linux")
def test_a_run_whose_terminal_closes_ends_tidily(project, snakemake):
    # A pipe that nobody writes to: the job waits for it as long as the test wants.
    situations = sorted((project / "resources/demo/situations").glob("*.yaml"))[0]
    text = situations.read_text(encoding="utf-8")
    situations.unlink()
    os.mkfifo(situations)
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(project)
        obey_signals()
        words = [sys.executable, "-m", "snakemake", "--cores", "1", "--", TARGET]
        os.execv(sys.executable, words)
    until = time.monotonic() + PATIENCE
    while not any("make_world" in command for command in running(project)) and time.monotonic() < until:
        if select.select([terminal], [], [], 0.2)[0]:
            os.read(terminal, 65536)
    assert any("make_world" in command for command in running(project))
    assert list(project.glob(".snakemake/locks/*"))
    # Snakemake forgets an interrupt that comes while it writes that the job has begun: when it only waits.
    before = -1
    while (now := ticks(child)) != before:
        before = now
        time.sleep(3)
    os.close(terminal)
    until = time.monotonic() + PATIENCE
    while running(project) and time.monotonic() < until:
        with suppress(ChildProcessError):
            os.waitpid(child, os.WNOHANG)
        time.sleep(0.1)
    assert running(project) == []
    assert not list(project.glob(".snakemake/locks/*")) and not (project / TARGET).exists()
    situations.unlink()
    situations.write_text(text, encoding="utf-8")
    assert snakemake(project, "--cores", 1, "--", TARGET).returncode == 0
