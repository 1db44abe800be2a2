"""One real run at the smallest scale, on which the workflow's tests look."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# What dry runs ask for: the tables that depend on everything that is trained.
TABLES = [f"results/table{number}{ending}" for number in (6, 7) for ending in (".csv", ".compare.csv")]
# The page needs every leaf of XFORMAL.
LEAVES = [*TABLES, "results/index.html"]
CONFIG = ["--configfile", "config.yaml", "tiny.yaml"]


@dataclass
class Finished:
    """A project folder in which the tiny run is done."""

    folder: Path
    run: Callable

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


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory, snakemake: Callable) -> Finished:
    """The tiny run, from corpus files to the table, through the real rules."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("Snakefile", "config.yaml"):
        shutil.copy2(ROOT / name, folder / name)
    shutil.copy2(ROOT / "tests/workflow/tiny.yaml", folder / "tiny.yaml")
    for name in ("rules", "profiles", "config", "envs", "resources", "workflow_scripts"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    if (ROOT / ".venvs").is_dir():
        # Tools take a minute to build: use those of the checkout.
        (folder / ".venvs").symlink_to(ROOT / ".venvs")
    world = snakemake(folder, "--cores", 2, *CONFIG, "--", "build/corpora/xformal/fr/informal.txt")
    assert world.returncode == 0, world.stdout + world.stderr
    mine = folder / "my outputs"
    mine.mkdir()
    shutil.copy2(folder / "build/corpora/xformal/fr/formal.ref0.txt", mine / "fr.txt")
    done = snakemake(folder, "--cores", 2, *CONFIG, "--", *LEAVES)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return Finished(folder, snakemake)
