"""The smallest run that still goes through every rule of Table 7, in a copy of the checkout."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests.workflow import forks, quick, traces
from workflow_scripts.core.provenance import Kept
from workflow_scripts.core.reachability import Package

ROOT = Path(__file__).parents[2]
# What dry runs ask for: the tables that depend on everything that is trained.
TABLES = [f"results/table{number}{ending}" for number in (6, 7) for ending in (".csv", ".compare.csv")]
# The page needs every leaf of XFORMAL.
LEAVES = [*TABLES, "results/index.html"]
# Leaves of the other papers that need no download: they train and score what no job of XFORMAL does.
OTHERS = [
    *(f"results/cocoa-mt/table{number}.csv" for number in ("4", "5", "5-labels", "6", "7", "8", "10", "14")),
    *(f"results/cocoa-mt/figure{number}.svg" for number in (1, 2)),
    *(f"results/impolite/table{number}.csv" for number in (4, 5, 6, 7, 8, 9, 10)),
    *(f"results/impolite/figure{number}.svg" for number in (2, 3)),
    "results/human/rewriting/en.html",
]
CONFIG = ["--configfile", "config.yaml", "tiny.yaml"]


def snakemake(
    folder: Path, *arguments: object, notes: Path | None = None, **options: object
) -> subprocess.CompletedProcess:
    """Run snakemake in a folder; the finished process.

    It is a fork of a process that has loaded Snakemake (`forks`), and so are its jobs of one that has loaded
    the large libraries (`quick`); with `options` of `subprocess.run` all are processes of their own.

    :param notes: where jobs note what they read (`traces`)
    """
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    if notes:
        environment |= traces.environment(folder, notes)
    words = list(map(str, arguments))
    if not options:
        return forks.run(folder, words, environment | quick.environment())
    return subprocess.run(
        [sys.executable, "-m", "snakemake", *words],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        **options,  # type: ignore[call-overload]
    )


def copy_sources(folder: Path) -> None:
    """Copy the checkout into a folder; what stands there is replaced.

    The digests of code that are kept for these sources come along: to find them is a third of a dry run.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("Snakefile", "config.yaml"):
        shutil.copy2(ROOT / name, folder / name)
    for name in ("rules", "profiles", "config", "envs", "resources", "workflow_scripts"):
        shutil.rmtree(folder / name, ignore_errors=True)
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    kept = "workflow_scripts/__pycache__/reachable.json"
    keep_digests()
    if (ROOT / kept).exists():
        (folder / kept).parent.mkdir()
        shutil.copy2(ROOT / kept, folder / kept)


@cache
def keep_digests() -> None:
    """Let the checkout keep the digests of all commands, which take a second in each copy without them."""
    package = ROOT / "workflow_scripts"
    code, kept = Package(package), Kept(package)
    for path in package.rglob("*.py"):
        command = ".".join(path.relative_to(package).with_suffix("").parts)
        if command not in kept.digests and "__main__" in path.read_text(encoding="utf-8"):
            kept.add(command, code.digest(command))
    kept.write()


def put_sources(folder: Path) -> None:
    """Copy the checkout and the settings of the tiny run into a folder; what stands there is replaced."""
    copy_sources(folder)
    shutil.copy2(ROOT / "tests/workflow/tiny.yaml", folder / "tiny.yaml")
    if (ROOT / ".venvs").is_dir() and not (folder / ".venvs").exists():
        # Tools take a minute to build: use those of the checkout.
        (folder / ".venvs").symlink_to(ROOT / ".venvs")


def copy_run(run: Path, folder: Path) -> None:
    """Copy the folder of a run; tools stay where they are, since they cannot be moved, and are linked."""

    def left_out(place: str, names: list[str]) -> list[str]:
        return [name for name in (".venvs", "auxiliary", "__pycache__") if name in names]

    shutil.copytree(run, folder, symlinks=True, ignore=left_out)
    if (run / ".venvs").is_dir():
        (folder / ".venvs").symlink_to((run / ".venvs").resolve())


def make(folder: Path, notes: Path | None = None) -> None:
    """Do the tiny run, from corpus files to the page, through the real rules."""
    put_sources(folder)
    first = "build/corpora/xformal/fr/informal.txt"
    world = snakemake(folder, "--cores", 2, *CONFIG, "--", first, notes=notes)
    assert world.returncode == 0, world.stdout + world.stderr
    mine = folder / "my outputs"
    mine.mkdir()
    shutil.copy2(folder / "build/corpora/xformal/fr/formal.ref0.txt", mine / "fr.txt")
    done = snakemake(folder, "--cores", 2, *CONFIG, "--", *LEAVES, notes=notes)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def make_others(folder: Path, notes: Path | None = None) -> None:
    """Make the leaves of other papers too, in a folder in which the tiny run is done."""
    done = snakemake(folder, "--cores", 2, *CONFIG, "--", *OTHERS, notes=notes)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


@dataclass
class Finished:
    """A project folder in which the tiny run is done, and another one with notes of what its jobs read."""

    folder: Path
    run: Callable
    notes: Path

    def jobs(self, *arguments: str, overlay: str = "") -> set[str]:
        """The rules that a dry run lists after a change, without the leaves' collector."""
        extra = self.folder / "overlay.yaml"
        extra.write_text(overlay or "{}", encoding="utf-8")
        done = self.run(self.folder, "-n", *CONFIG, extra.name, *arguments, "--", *TABLES)
        assert done.returncode == 0, done.stdout + done.stderr
        if "Nothing to be done" in done.stdout + done.stderr:
            return set()
        table = re.search(r"^job +count\n[- ]+\n(.*?)^total", done.stdout, re.MULTILINE | re.DOTALL)
        assert table, done.stdout
        return {line.split()[0] for line in table[1].splitlines() if line.strip()}

    def edit(self, path: str, old: str, new: str) -> Callable[[], None]:
        """Edit a file; return what undoes it."""
        file = self.folder / path
        text = file.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{old!r} not in {path}"
        file.write_text(text.replace(old, new, 1), encoding="utf-8")
        return lambda: file.write_text(text, encoding="utf-8") and None


def once(factory: pytest.TempPathFactory, name: str, fill: Callable[[Path, Path], None]) -> Path:
    """The folder of a run and its notes, which the first of the processes that test side by side makes."""
    top = factory.getbasetemp()
    whole = (top.parent if "PYTEST_XDIST_WORKER" in os.environ else top) / name
    with whole.with_suffix(".lock").open("w") as lock:
        # Until this process ends or lets go.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not whole.exists():
            (whole / "notes").mkdir(parents=True)
            fill(whole / "project", whole / "notes")
            (whole / "done").touch()
    assert (whole / "done").exists(), f"{whole} was not made: its first test says why"
    return whole


def copied(run: Path, folder: Path) -> Finished:
    """A copy of a run, which tests may change."""
    copy_run(run / "project", folder / "project")
    shutil.copytree(run / "notes", folder / "notes", dirs_exist_ok=True)
    return Finished(folder / "project", snakemake, folder / "notes")


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A folder in which the tiny run is done."""
    return copied(once(tmp_path_factory, "tiny", make), tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="session")
def finished_whole(tmp_path_factory):
    """A folder in which the tiny run is done, with the leaves of other papers."""

    def fill(folder: Path, notes: Path) -> None:
        whole = copied(once(tmp_path_factory, "tiny", make), folder.parent)
        make_others(whole.folder, whole.notes)

    return copied(once(tmp_path_factory, "whole", fill), tmp_path_factory.mktemp("whole"))
