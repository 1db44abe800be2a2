"""With nothing but Snakemake, the oldest accepted release and the newest: the messages of a clone."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT, said
from workflow_scripts.core.snakemake_internals import NEWEST, OLDEST

# Reads nothing but small files of the checkout.
LEAF = "results/table13.csv"
MODULE = """
module formality:
    snakefile: "{root}/Snakefile"
{config}

use rule * from formality as formality_*
"""
# In an environment of its own: which of the attributes that `NEEDED` lists are gone.
LOOK = """
import sys, importlib, snakemake.api
sys.path.insert(0, sys.argv[1])
from workflow_scripts.core.snakemake_internals import NEEDED
for module, name, attributes in NEEDED:
    found = getattr(importlib.import_module(module), name)
    names = set(dir(found)) | set(getattr(found, "__dataclass_fields__", {}))
    source = open(importlib.import_module(module).__file__).read()
    for attribute in attributes:
        set_later = f"self.{attribute} =" in source or f"self.{attribute}:" in source
        if attribute not in names and not set_later:
            print(f"{module}.{name}.{attribute}")
"""
Run = Callable[..., subprocess.CompletedProcess]


class Alone:
    """An environment with one release of Snakemake."""

    def __init__(self, folder: Path, version: str) -> None:
        self.version = version
        self.python = folder / "venv/bin/python"
        # Neither this environment nor the caller's modules.
        self.environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
        subprocess.run(
            [sys.executable, "-m", "uv", "venv", "-q", "--python", sys.executable, folder / "venv"],
            check=True,
        )
        self.install(f"snakemake=={version}")

    def install(self, *packages: str) -> None:
        words = ["pip", "install", "-q", "--python", self.python, "-c", ROOT / "envs/main.txt"]
        if packages[0].startswith("snakemake=="):
            words = words[:-2]
        subprocess.run([sys.executable, "-m", "uv", *words, *packages], check=True)

    def snakemake(self, folder: Path, *words: object) -> subprocess.CompletedProcess:
        return subprocess.run(
            [self.python, "-m", "snakemake", "--cores", "1", *map(str, words)],
            cwd=folder,
            env=self.environment,
            capture_output=True,
            text=True,
        )


@pytest.fixture(scope="module", params=[pytest.param(OLDEST, marks=pytest.mark.long), NEWEST])
def alone(request, tmp_path_factory):
    return Alone(tmp_path_factory.mktemp("alone"), request.param)


def total(done: subprocess.CompletedProcess) -> int:
    assert done.returncode == 0, (done.stdout + done.stderr)[-2000:]
    return int(re.findall(r"^total +(\d+)", done.stdout + done.stderr, re.M)[-1])


@pytest.mark.slow
def test_a_clone_beside_snakemake_alone(alone, project, tmp_path_factory):
    """One after the other, since each step installs more."""
    if alone.version == OLDEST:
        # What the newest one installs brings pydantic along.
        done = alone.snakemake(project, "-n", "results/table7.csv")
        lines = said(done.stderr)
        assert done.returncode == 2 and len(lines) == 1 and "pip install pydantic" in lines[0]
        assert "Traceback" not in done.stderr

    alone.install("pydantic")
    assert total(alone.snakemake(project, "-n", "results/table7.csv")) > 200
    if alone.version == NEWEST:
        # The main environment's, of which all other tests are.
        return

    # The profile's template runs there too.
    (project / "twice.yaml").write_text("seed: 1\nseed: 2\n")
    done = alone.snakemake(project, "-n", "--configfile", "twice.yaml", "--", LEAF)
    assert done.returncode == 2 and "twice.yaml:2: key 'seed' is repeated" in done.stderr
    # No job can run there, which is said before the first one.
    done = alone.snakemake(project, LEAF)
    assert done.returncode == 2 and "make -C" in done.stderr and not (project / LEAF).exists()

    other = tmp_path_factory.mktemp("other")
    for config in ("", "    config: {'seed': 77}"):
        (other / "Snakefile").write_text(MODULE.format(root=project, config=config))
        done = alone.snakemake(other, "-n", "-p", "results/table7.csv")
        assert total(done) > 200
        assert ("--seed 77" in done.stdout + done.stderr) == bool(config)

    alone.install("defopt", "tqdm")
    done = alone.snakemake(project, LEAF)
    assert done.returncode == 0, done.stderr[-2000:]
    assert (project / LEAF).read_text().startswith("lang,")
    assert "Nothing to be done" in alone.snakemake(project, LEAF).stderr
    # Another setting makes it again, which older releases do not see.
    assert total(alone.snakemake(project, "-n", "--config", "languages=[fr, it]", "--", LEAF)) == 1


@pytest.mark.slow
def test_what_is_asked_of_snakemake_is_there(alone):
    done = subprocess.run(
        [alone.python, "-c", LOOK, ROOT], env=alone.environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_the_snakefile_accepts_what_is_tested():
    asked = re.search(r'min_version\("([\d.]+)"\)', (ROOT / "Snakefile").read_text())
    assert asked and asked[1] == OLDEST
    assert f"snakemake=={NEWEST}" in (ROOT / "envs/main.in").read_text().split()


@pytest.mark.slow
def test_a_module_from_elsewhere_says_that_it_needs_a_clone(project, snakemake):
    (project / "workflow_scripts").rename(project / "elsewhere")
    done = snakemake(project, "-n", "--workflow-profile", "none", "--", LEAF)
    assert done.returncode == 2 and "clone the repository" in done.stderr
