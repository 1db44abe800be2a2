"""The jobs that the workflow plans under some settings, without running them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.conftest import ROOT

Jobs = list[dict[str, Any]]


@pytest.fixture(scope="session")
def planned() -> Callable[..., Jobs]:
    """The jobs behind some files as Snakemake sees them: rule, params, input, output."""

    def ask(targets: Sequence[str], config: dict[str, Any], *overlays: object) -> Jobs:
        words = [json.dumps(value) for value in (config, [*map(str, overlays)], targets)]
        done = subprocess.run(
            [sys.executable, "-m", "tests.workflow.dag", str(ROOT), *words],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return ask
