from __future__ import annotations

from pathlib import Path

import pytest

from workflow_scripts.core.conda import write_conda
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import write_lines

ENVS = Path(__file__).parents[2] / "envs"


def test_the_conda_file_has_the_locked_versions(tmp_path: Path) -> None:
    write_conda(ENVS / "main.in", ENVS / "main.txt", tmp_path / "main.yaml")
    assert (tmp_path / "main.yaml").read_text() == (ENVS / "main.yaml").read_text(), "run `make lock`"


def test_a_package_that_is_not_locked_is_named(tmp_path: Path) -> None:
    write_lines(tmp_path / "asked", ["# why", "Some_Package>=1", "other"])
    write_lines(tmp_path / "lock", ["some-package==1.2 ; python_version < '4'"])
    with pytest.raises(InputError, match="'other' is not in"):
        write_conda(tmp_path / "asked", tmp_path / "lock", tmp_path / "out.yaml")
    write_lines(tmp_path / "asked", ["Some_Package[extra]>=1"])
    write_conda(tmp_path / "asked", tmp_path / "lock", tmp_path / "out.yaml")
    assert "      - some-package[extra]==1.2\n" in (tmp_path / "out.yaml").read_text()
