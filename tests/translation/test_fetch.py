"""A checkpoint of the hub is fetched once, and then read without the hub."""

from pathlib import Path

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.fetch import fetch
from workflow_scripts.translation.backends import HuggingFace

REVISION = "0123456789" * 4


def backend(fetched: Path | None) -> HuggingFace:
    return HuggingFace(
        ("en", "pt"),
        checkpoint="org/name",
        revision=REVISION,
        fetched=fetched,
        prefix="",
        codes={},
        beam_size=2,
        precision="float32",
        device="cpu",
        threads=1,
    )


def test_one_commit_in_a_folder(tmp_path, monkeypatch):
    asked = {}

    def pretend(
        name: str, *, revision: str, local_dir: Path, ignore_patterns: list[str], **_: object
    ) -> None:
        asked.update(name=name, revision=revision, ignored=ignore_patterns)
        (Path(local_dir) / "config.json").write_text("{}")
        (Path(local_dir) / ".cache").mkdir()

    monkeypatch.setattr("huggingface_hub.snapshot_download", pretend)
    fetch(tmp_path / "hf", checkpoint="org/name", revision=REVISION, setting="x")
    assert [path.name for path in (tmp_path / "hf").iterdir()] == ["config.json"]
    assert (asked["name"], asked["revision"]) == ("org/name", REVISION) and "*.h5" in asked["ignored"]


def test_a_branch_pins_nothing(tmp_path):
    with pytest.raises(InputError, match="revision 'main' does not pin the checkpoint 'org/name'"):
        fetch(tmp_path / "hf", checkpoint="org/name", revision="main", setting="x")
    assert not (tmp_path / "hf").exists()


def test_the_cache_knows_what_was_fetched_by_its_commit(tmp_path):
    """Translations of a commit are the same, wherever it lies."""
    found = backend(tmp_path)
    assert found.model == backend(None).model and REVISION in found.model
    assert (found.checkpoint, found.revision) == (str(tmp_path), None)
