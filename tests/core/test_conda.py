"""The environments for conda: without a channel, they are read, and compared with the lock files."""

import re
from pathlib import Path

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement

from tests.conftest import ROOT
from workflow_scripts.core.conda import write_conda
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import lines, write_lines

ENVS = ROOT / "envs"
FILES = ("main.yaml", "rules.yaml")
TOOLS = ("hardrules", "bicleaner")


def write(folder: Path, lock: Path, asked: Path, tests: Path) -> dict[str, str]:
    write_conda(lock, *(folder / name for name in FILES), asked=asked, tests=tests)
    return {name: (folder / name).read_text(encoding="utf-8") for name in FILES}


def test_the_conda_files_have_the_locked_versions(tmp_path):
    found = write(tmp_path, ENVS / "main.txt", ENVS / "main.in", ENVS / "dev.in")
    for name, text in found.items():
        assert text == (ENVS / name).read_text(encoding="utf-8"), "run `make lock`"


def test_a_package_that_is_not_locked_is_named(tmp_path):
    write_lines(tmp_path / "asked", ["# why", "Some_Package[extra]>=1", "other"])
    locked = [
        "# made by",
        "some-package==1.2 ; python_version < '4'",
        "pydantic==2.1",
        "pyyaml==6.0",
        "test-it==3",
    ]
    write_lines(tmp_path / "lock", locked)
    write_lines(tmp_path / "tests", ["Test_It"])
    given = [tmp_path / name for name in ("lock", "asked", "tests")]
    with pytest.raises(InputError, match="'other' is not in"):
        write(tmp_path, *given)
    write_lines(tmp_path / "asked", ["# why", "Some_Package[extra]>=1"])
    found = write(tmp_path, *given)
    assert "      - \"some-package==1.2 ; python_version < '4'\"\n" in found["main.yaml"]
    assert "test-it" not in found["main.yaml"]
    assert found["rules.yaml"].endswith("  - pydantic=2.1\n  - pyyaml=6.0\n")


@pytest.mark.parametrize("path", sorted(ENVS.glob("*.yaml")), ids=lambda path: path.name)
def test_every_package_of_a_conda_file_is_pinned(path):
    told = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert set(told) == {"channels", "dependencies"} and told["channels"] == ["conda-forge"]
    for row in told["dependencies"]:
        if isinstance(row, dict):
            assert list(row) == ["pip"]
            assert all(str(Requirement(line).specifier).startswith("==") for line in row["pip"])
        else:
            assert re.fullmatch(r"[a-z-]+=\d+(\.\d+)+", row), row


def test_jobs_and_tools_have_a_python_for_which_everything_is_locked():
    """One version of each package is for conda's Python, and Bicleaner's are those that read its packs."""
    told = yaml.safe_load((ENVS / "main.yaml").read_text(encoding="utf-8"))["dependencies"]
    python = next(row for row in told if str(row).startswith("python=")).partition("=")[2]
    here = {"python_full_version": python, "python_version": python.rpartition(".")[0]}
    here |= {"sys_platform": "linux", "platform_machine": "x86_64"}

    def chosen(rows: list[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for row in rows:
            requirement = Requirement(row)
            if requirement.marker is None or requirement.marker.evaluate(here):
                assert requirement.name not in found, row
                found[requirement.name] = str(requirement.specifier)
        return found

    main = chosen(next(row["pip"] for row in told if isinstance(row, dict)))
    for line in lines(ENVS / "main.in"):
        if line and not line.startswith("#"):
            assert Requirement(line).name.replace("_", "-") in main, line
    tool = chosen([line for line in lines(ENVS / "bicleaner.txt") if "==" in line])
    assert tool["scikit-learn"] == "==1.1.3" and tool["numpy"].startswith("==1.")
    assert Marker("python_version < '3.12'").evaluate(here)


def test_hard_rules_without_a_pack_have_the_versions_of_those_with_one():
    rules, all_of_it = ({*filter(re.compile(r"\S+==").match, lines(ENVS / f"{tool}.txt"))} for tool in TOOLS)
    # In both for its module, where a run with a pack compiles another distribution.
    shared = {row for row in rules if not row.startswith("ufal-kenlm==")}
    assert shared < all_of_it and len(shared) > 20
    assert not any(row.startswith("kenlm==") for row in rules)
