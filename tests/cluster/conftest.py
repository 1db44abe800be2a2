"""The Slurm that these tests share, and the cases that run on it."""

import tempfile
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from . import base as made
from . import cases
from .run import Run
from .slurm import missing, running

# What Slurm did in each case, for the end of the log.
TOLD: list[str] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Submissions and reruns."""
    for line in TOLD:
        terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def slurm():
    """A real Slurm; these tests skip where it is not installed."""
    if problem := missing():
        pytest.skip(problem)
    # The path of a socket must be short, and Munge asks that nobody else may write where it lies.
    with tempfile.TemporaryDirectory(prefix="tuvous-slurm-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        with running(Path(name) / "slurm") as found:
            yield found


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """The folder in which the leaf is made without a cluster."""
    return tmp_path_factory.mktemp("base")


@pytest.fixture(scope="session")
def found(slurm, base, tmp_path_factory):
    """What a case has found, when it has ended: all run at once, beside the leaf without a cluster."""
    trainings = (cases.cancelled, cases.out_of_time, cases.started_again)
    runs = {
        case: Run(slurm, tmp_path_factory.mktemp(case.__name__)) for case in (cases.whole_leaf, *trainings)
    }
    futures: dict[Callable, Future] = {}
    with ThreadPoolExecutor(len(runs)) as pool:
        try:
            made.put(runs[cases.whole_leaf].folder)
            futures[cases.whole_leaf] = pool.submit(cases.whole_leaf, runs[cases.whole_leaf])
            made.put(base)
            made.make(base, made.MODEL, made.SHARD)
            # Before anything else is made there.
            for case in trainings:
                made.copy(base, runs[case].folder)
                (runs[case].folder / made.MODEL).unlink()
            for case in trainings:
                futures[case] = pool.submit(case, runs[case])
            made.make(base, made.LEAF)
            yield lambda case: futures[case].result()
            for case, run in runs.items():
                first, *rest = run.told()
                TOLD.extend([f"{case.__name__}: {first}", *rest])
        finally:
            for run in runs.values():
                run.kill()
