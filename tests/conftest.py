"""Fixtures that several stages share."""

import gc
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.workflow import forks, tiny

ROOT = Path(__file__).parent.parent
# Those of XFORMAL's Table 7, in the order of its columns.
METRICS = ["self_bleu", "formality", "perplexity", "multi_bleu"]

# How long an example takes says more of what else the machine does than of the code.
hypothesis.settings.register_profile("tuvous", deadline=None)
hypothesis.settings.load_profile("tuvous")

# As the workflow's own jobs: threads that wait for each other make small models slow on a busy machine.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")

# Tools that the workflow has built in this checkout serve the tests too (make tools).
for _tool, _variable, _inside in (
    ("align", "TUVOUS_ALIGN", ""),
    ("bicleaner", "TUVOUS_BICLEANER", ""),
    ("hardrules", "TUVOUS_HARDRULES", ""),
    ("kenlm", "TUVOUS_KENLM", "kenlm"),
    ("spacy", "TUVOUS_SPACY", ""),
    ("langdetect", "TUVOUS_LANGDETECT", ""),
    ("llama", "TUVOUS_LLAMA", ""),
    ("sentences", "TUVOUS_SENTENCES", ""),
    ("sockeye", "TUVOUS_SOCKEYE", ""),
    ("convlab", "TUVOUS_CONVLAB", ""),
):
    _lock = hashlib.sha256((ROOT / f"envs/{_tool}.txt").read_bytes()).hexdigest()[:10]
    _venv = ROOT / f".venvs/{_tool}-{_lock}"
    if (_venv / ".done").exists() and (_venv / _inside).is_dir():
        os.environ.setdefault(_variable, str(_venv / _inside))


def said(output: str, word: str = "error") -> list[str]:
    """The lines of an output that begin with a word and a colon."""
    return [line for line in output.splitlines() if line.startswith(f"{word}: ")]


@pytest.fixture(scope="session")
def mirror():
    """The folder with real, openly licensed corpora; tests that need it skip without."""
    folder = os.environ.get("TUVOUS_MIRROR", "")
    if folder and Path(folder).is_dir():
        return Path(folder).resolve()
    problem = f"TUVOUS_MIRROR is '{folder}', which is no folder" if folder else "TUVOUS_MIRROR is not set"
    if os.environ.get("TUVOUS_REAL"):
        pytest.fail(f"REAL=1 asks for real data, but {problem}")
    pytest.skip(f"needs real data, but {problem}; make test REAL=1 downloads them")


@pytest.fixture(scope="session")
def chromium():
    """A browser without a window; tests that need one skip without."""
    from tests.report.look import BROWSERS, browser

    pytest.importorskip("playwright", reason="playwright is not installed (make test installs it)")
    if not any(map(shutil.which, BROWSERS)):
        pytest.skip(f"no browser ({', '.join(BROWSERS)}): install chromium")
    with browser() as running:
        yield running


@pytest.fixture
def server():
    """A language model on this machine: a server that speaks OpenAI's protocol."""
    from tests.prompting.server import Server

    running = Server()
    yield running
    running.close()


@pytest.fixture
def module():
    """Run a module as rules do; return the finished process. With `options` it is no fork."""

    def run(name: str, *arguments: object, **options: object) -> subprocess.CompletedProcess:
        command, words = f"workflow_scripts.{name}", list(map(str, arguments))
        if not options:
            return forks.run(ROOT, words, module=command)
        return subprocess.run(
            [sys.executable, "-m", command, *words],
            capture_output=True,
            text=True,
            cwd=ROOT,
            **options,  # type: ignore[call-overload]
        )

    return run


@pytest.fixture
def project(tmp_path):
    """A copy of the project's sources in which a test may edit settings and code."""
    tiny.copy_sources(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def snakemake():
    """Run snakemake in a folder; return the finished process."""
    return tiny.snakemake


# The tiny run: one for all tests, of the workflow and of bad weather.
finished = tiny.finished
finished_whole = tiny.finished_whole

# What these files share with each other takes minutes to set up.
SHARED = {
    "the tiny run": (
        *(
            f"tests/workflow/test_{name}.py"
            for name in (
                *("changes", "extending", "finetuned", "gallery", "kill", "page", "prompted", "reads"),
                *("reruns", "table7"),
            )
        ),
        "tests/stress/",
    ),
    # A process of their own, since these take as long as all of the first one's.
    "the tiny run on other models and devices": tuple(
        f"tests/workflow/test_{name}.py" for name in ("hub", "second_device")
    ),
    "the jobs of all scales": tuple(
        f"tests/workflow/test_{name}.py" for name in ("leaf_sources", "reruns_of_places", "wiring")
    ),
    "bicleaner": ("tests/filtering/",),
    "slurm": ("tests/cluster/",),
}
# What takes longest after them.
LONG = (
    *(start for starts in SHARED.values() for start in starts),
    "tests/workflow/",
    "tests/core/test_reached",
    "tests/test_shown_commands.py",
    "tests/responders/",
    "tests/transfer/",
)


def pytest_collection() -> None:
    """Switch the garbage collector off while tests are collected: whatever is loaded stays to the end."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Switch it on again, without the objects loaded so far: to visit them takes seconds."""
    gc.enable()
    gc.freeze()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Side by side (`-n`) the longest tests come first."""
    items.sort(
        key=lambda item: next((n for n, start in enumerate(LONG) if item.nodeid.startswith(start)), len(LONG))
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Side by side (`-n`), the tests of a file share a process, and those of files with a long set-up."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.split("::")[0]
            return next((name for name, starts in SHARED.items() if nodeid.startswith(starts)), file)

    return Scheduling(config, log)
