"""Settings of both scales, and the jobs that the workflow plans under some, without running them."""

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from snakemake.utils import update_config

from tests.conftest import ROOT
from tests.workflow import forks

Jobs = list[dict[str, Any]]

DEMO = yaml.safe_load((ROOT / "config.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def planned():
    """The jobs behind some files as Snakemake sees them: rule, params, input, output."""

    def ask(targets: Sequence[str], config: dict[str, Any], *overlays: object) -> Jobs:
        words = [json.dumps(value) for value in (config, [*map(str, overlays)], targets)]
        done = forks.run(ROOT, [str(ROOT), *words], module="tests.workflow.dag")
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return ask


@pytest.fixture
def demo():
    """A copy of config.yaml's settings, which a test may change."""
    return copy.deepcopy(DEMO)


@pytest.fixture
def paper(demo):
    """The same with those of config/paper.yaml, merged as Snakemake does.

    Systems that share settings by an alias of YAML have copies of their own then.
    """
    merged: dict[str, Any] = {}
    update_config(merged, demo)
    update_config(merged, yaml.safe_load((ROOT / "config/paper.yaml").read_text(encoding="utf-8")))
    return merged
