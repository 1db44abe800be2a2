import os
from pathlib import Path

import pytest

from workflow_scripts.core.tools import install

LOCK = Path(__file__).parents[2] / "envs" / "bicleaner.txt"


@pytest.fixture(scope="session")
def bicleaner_venv(tmp_path_factory):
    """An environment with Bicleaner: the one that TUVOUS_BICLEANER names, or one that is built here."""
    if ready := os.environ.get("TUVOUS_BICLEANER"):
        return Path(ready)
    venv = tmp_path_factory.mktemp("tools") / "bicleaner"
    install(venv, venv / ".done", lock=LOCK)
    return venv
