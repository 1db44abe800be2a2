from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path

import pytest

from workflow_scripts.core import job_state
from workflow_scripts.core.job_state import JobState, key_of


def key(folder: Path, monkeypatch: pytest.MonkeyPatch, target: str = "build/out", text: str = "a") -> dict:
    """The key of a job in a project that lies in a folder."""
    folder.mkdir(exist_ok=True)
    monkeypatch.chdir(folder)
    (folder / "in").write_text(text)
    options = {"seed": 1, "source": folder / "in"}
    return key_of("transfer.rule_based", options, [folder / "in"], "numpy", targets=[Path(target)])


def test_where_a_project_lies_is_no_part_of_the_key(tmp_path, monkeypatch):
    first = key(tmp_path / "one", monkeypatch)
    assert key(tmp_path / "two", monkeypatch) == first
    assert key(tmp_path / "two", monkeypatch, target=str(tmp_path / "two" / "build" / "out")) == first
    assert JobState(tmp_path / "states", first).folder == JobState(tmp_path / "states", dict(first)).folder


def test_output_and_input_are_parts_of_the_key(tmp_path, monkeypatch):
    keys = [
        key(tmp_path / "one", monkeypatch),
        key(tmp_path / "one", monkeypatch, target="build/other"),
        key(tmp_path / "one", monkeypatch, text="b"),
    ]
    assert len({JobState(tmp_path / "states", each).folder for each in keys}) == 3


def test_a_folder_counts_as_its_files_and_a_missing_input_is_left_out(tmp_path):
    folder = tmp_path / "model"
    (folder / "below").mkdir(parents=True)
    for name in "cab":
        (folder / name).write_text(name)

    def inputs(*paths: Path | None) -> list[str]:
        return key_of("transfer.rule_based", {}, paths, targets=[])["inputs"]

    assert inputs(tmp_path / "model/b", None, folder) == inputs(*(folder / name for name in "babc"))
    assert inputs(None) == []


def test_code_and_versions_are_parts_of_the_key(tmp_path, monkeypatch):
    keys = [key(tmp_path / "one", monkeypatch)]
    with monkeypatch.context() as patch:
        patch.setattr(job_state, "code_of", lambda module: f"what {module} was before")
        keys.append(key(tmp_path / "one", monkeypatch))
    with monkeypatch.context() as patch:
        patch.setattr(job_state, "versions", lambda *names: dict.fromkeys(names, "0.1"))
        keys.append(key(tmp_path / "one", monkeypatch))
    assert keys[0]["versions"] == {"numpy": version("numpy")}
    assert len({JobState(tmp_path / "states", each).folder for each in keys}) == 3


def test_jobs_that_begin_and_end_beside_each_other_share_a_folder(tmp_path):
    def begin_and_end(job: int) -> None:
        state = JobState(tmp_path / "shared", {"command": "training", "targets": [f"model{job}"]})
        for _ in range(100):
            state.folder.mkdir(parents=True)
            state.remove()
            assert not state.folder.exists()

    with ThreadPoolExecutor(4) as jobs:
        list(jobs.map(begin_and_end, range(4)))
