"""The jobs that the workflow plans under some settings, without running them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.workflow import forks

Jobs = list[dict[str, Any]]


@pytest.fixture(scope="session")
def planned() -> Callable[..., Jobs]:
    """The jobs behind some files as Snakemake sees them: rule, params, input, output."""

    def ask(targets: Sequence[str], config: dict[str, Any], *overlays: object) -> Jobs:
        words = [json.dumps(value) for value in (config, [*map(str, overlays)], targets)]
        done = forks.run(ROOT, [str(ROOT), *words], dict(os.environ), "tests.workflow.dag")
        assert done.returncode == 0, done.stdout + done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]

    return ask
