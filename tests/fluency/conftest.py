import os
from pathlib import Path

import pytest

from workflow_scripts.core.tools import install
from workflow_scripts.fluency.lmplz import build

LOCK = Path(__file__).parents[2] / "envs" / "kenlm.txt"


@pytest.fixture(scope="session")
def programs(tmp_path_factory):
    """A folder with lmplz and build_binary: the one that TUVOUS_KENLM names, or one that is built here."""
    if ready := os.environ.get("TUVOUS_KENLM"):
        return Path(ready)
    folder = tmp_path_factory.mktemp("kenlm")
    install(folder / "venv", folder / "venv" / ".done", lock=LOCK)
    build(folder / "venv", folder / "bin", folder / "bin" / ".done")
    return folder / "bin"
