"""States on disk: one is whole, fits and is used, or it counts as none."""

import math
import os
import re
import shutil
import subprocess

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save

from workflow_scripts.training.state import TrainingState


def anything(tensors, scalars):
    return True


def test_only_the_newest_state_is_kept(tmp_path):
    states = TrainingState(tmp_path, {"a": 1})
    for update in (10, 20):
        states.save(update, {"x": torch.full((2,), float(update))}, {"update": update})
    assert [path.name for path in states.folder.iterdir()] == ["000000020"]
    tensors, scalars = states.newest(anything)
    assert (tensors["x"].tolist(), scalars) == ([20.0, 20.0], {"update": 20})
    other = TrainingState(tmp_path, {"a": 2})
    assert other.newest(anything) is None
    other.save(30, {"x": torch.zeros(2)}, {})
    states.remove()
    assert list(tmp_path.iterdir()) == [other.folder]
    other.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_state_is_checked_by_sha256sum_too(tmp_path):
    states = TrainingState(tmp_path, {})
    states.save(10, {"x": torch.zeros(2)}, {})
    subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=states.folder / "000000010", check=True)


def flipped(path, bit):
    data = bytearray(path.read_bytes())
    data[bit // 8 % len(data)] ^= 1 << bit % 8
    path.write_bytes(data)


DAMAGES = {
    "cut tensors": lambda state: os.truncate(state / "state.safetensors", 1000),
    "no tensors": lambda state: (state / "state.safetensors").unlink(),
    "no scalars": lambda state: (state / "state.json").unlink(),
    "empty scalars": lambda state: (state / "state.json").write_text("{}"),
    "no sums": lambda state: (state / "SHA256SUMS").unlink(),
    "a flipped bit of a weight": lambda state: flipped(state / "state.safetensors", -4),
    "a flipped bit of a name": lambda state: flipped(state / "state.safetensors", 8 * 20),
    "a flipped bit of a scalar": lambda state: flipped(state / "state.json", 8 * 20),
    "not a number": lambda state: (state / "state.safetensors").write_bytes(
        save(
            {
                name: torch.full_like(tensor, math.nan)
                for name, tensor in load_file(state / "state.safetensors").items()
            }
        )
    ),
    "a file instead of a folder": lambda state: (shutil.rmtree(state), state.write_text("state")),
}


@pytest.fixture
def states(tmp_path):
    """One state, after 30 updates."""
    states = TrainingState(tmp_path / "states", {})
    states.save(30, {"x": torch.arange(600.0), "y": torch.zeros(())}, {"update": 30, "rate": 0.5})
    return states


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_not_whole_counts_as_none(states, capsys, damage):
    assert states.newest(anything) is not None
    DAMAGES[damage](states.folder / "000000030")
    assert states.newest(anything) is None
    assert re.fullmatch(r"\S+/000000030: (damaged|cannot be read \(.+\)), ignored\n", capsys.readouterr().err)
    # The training that begins again writes where the damaged state lies.
    states.save(30, {"x": torch.ones(1)}, {})
    assert states.newest(anything)[0]["x"].tolist() == [1.0]
    assert [path.name for path in states.folder.iterdir()] == ["000000030"]


@pytest.mark.slow
@given(bit=st.integers(0, 10**6))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bit_of_a_state_can_change_unseen(states, bit):
    states.save(30, {"x": torch.arange(50.0)}, {"update": 30})
    for path in (states.folder / "000000030").iterdir():
        flipped(path, bit)
        assert states.newest(anything) is None
        flipped(path, bit)
    assert states.newest(anything) is not None


def test_an_older_whole_state_is_used(states, capsys):
    newer = states.folder / "000000040"
    shutil.copytree(states.folder / "000000030", newer)
    flipped(newer / "state.safetensors", -4)
    assert states.newest(anything)[1]["update"] == 30
    assert capsys.readouterr().err == f"{newer}: damaged, ignored\n"


def test_a_state_of_another_training_counts_as_none(states, tmp_path, capsys):
    other = TrainingState(tmp_path / "states", {"seed": 2})
    shutil.copytree(states.folder, other.folder)
    assert states.newest(anything) is not None and other.newest(anything) is None
    assert capsys.readouterr().err == f"{other.folder}/000000030: does not fit this training, ignored\n"


def test_what_does_not_fit_counts_as_none(states, capsys):
    assert states.newest(lambda tensors, scalars: "z" in tensors) is None
    assert capsys.readouterr().err.endswith("000000030: does not fit this training, ignored\n")


def test_the_newest_of_several_states_counts(tmp_path):
    """A training that is killed before it deletes the older state leaves it, and disks list in any order."""
    states = TrainingState(tmp_path, {})
    for update in (90, 10, 30, 100, 20, 60, 40, 80, 50, 70):
        other = TrainingState(tmp_path / f"{update}", {})
        other.save(update, {"x": torch.zeros(2)}, {"update": update})
        states.folder.mkdir(exist_ok=True)
        (other.folder / f"{update:09d}").rename(states.folder / f"{update:09d}")
    assert states.newest(lambda *_: True)[1] == {"update": 100}
