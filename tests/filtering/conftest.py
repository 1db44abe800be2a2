import os
from pathlib import Path

import pytest

from workflow_scripts.core.tools import install
from workflow_scripts.wiring.places import ROOT, environments


def environment(tool: str) -> Path:
    """An environment that a variable names, or the one of this checkout, which is made if it is not there."""
    if ready := os.environ.get(f"TUVOUS_{tool.upper()}"):
        return Path(ready)
    done = Path(environments()[tool]).absolute()
    install(done.parent, done, lock=ROOT / f"envs/{tool}.txt")
    return done.parent


@pytest.fixture(scope="session")
def hardrules_venv():
    """An environment with Bicleaner's hard rules."""
    return environment("hardrules")


@pytest.fixture(scope="session")
def bicleaner_venv():
    """An environment with all of Bicleaner. No run without a pack makes it: KenLM is compiled for it."""
    return environment("bicleaner")
