"""Killing what goes on after a kill."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest
from pydantic import BaseModel
from torch import Tensor

from tests.conftest import ROOT
from workflow_scripts.training.loop import Training
from workflow_scripts.training.state import TrainingState


class KilledError(BaseException):
    """A process ends here."""


def command_of(module: str, *words: object, **options: object) -> list[str]:
    """The command line of a module."""
    texts = {
        name: value.model_dump_json() if isinstance(value, BaseModel) else value
        for name, value in options.items()
    }
    given = [f"--{name.replace('_', '-')}={value}" for name, value in texts.items()]
    return [sys.executable, "-m", f"workflow_scripts.{module}", *map(str, words), *given]


def kill_once(command: list[str], seen: Callable[[], object]) -> None:
    """Start a command and kill it as soon as something is seen; it must not have ended by itself."""
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE)
    assert process.stderr is not None
    # Far beyond what a crowded machine needs.
    deadline = time.monotonic() + 600
    while not seen():
        assert process.poll() is None, process.stderr.read().decode()
        assert time.monotonic() < deadline
        time.sleep(0.001)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def run_to_the_end(command: list[str]) -> str:
    """Run a command, which says nothing on stdout; what it says on stderr."""
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    return done.stderr


@contextmanager
def killed_at(monkeypatch: pytest.MonkeyPatch, update: int, *, saved: bool = False) -> Iterator[None]:
    """A training in this block is killed while it writes the state after so many updates, or just after."""
    save = TrainingState.save

    def killed(self: TrainingState, at: int, tensors: dict[str, Tensor], scalars: dict[str, Any]) -> None:
        if at != update or saved:
            save(self, at, tensors, scalars)
        else:
            (self.folder / f".{update:09d}.1.part").mkdir(parents=True)
        if at == update:
            raise KilledError

    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(TrainingState, "save", killed)
        yield


@contextmanager
def killed_after(training: type[Training[Any, Any]], states: int) -> Iterator[None]:
    """A training in this block is killed at the second update after so many states, which it must reach."""
    step, save = training.step, TrainingState.save
    # The updates since the last state, and the states that are still to come.
    made, left = 0, states

    def killed(self: Training[Any, Any], batch: Any) -> Any:
        nonlocal made
        made += 1
        if not left and made == 2:
            raise KilledError
        return step(self, batch)

    def saved(self: TrainingState, at: int, *given: Any) -> None:
        nonlocal made, left
        save(self, at, *given)
        made, left = 0, left - 1

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(training, "step", killed)
        patch.setattr(TrainingState, "save", saved)
        yield


def check_keys(
    monkeypatch: pytest.MonkeyPatch, command: ModuleType, run: Callable[[str], object]
) -> dict[str, Any]:
    """Two runs of a command that differ in the path of their output only: the states have two keys.

    `run` gets the name of an output, and leaves device and precision to the command; what it found stands in
    the keys, of which the first is returned.
    """
    keys: list[dict[str, Any]] = []
    monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
    key_of = command.key_of

    def noted(*positional: Any, **options: Any) -> dict[str, Any]:
        keys.append(key_of(*positional, **options))
        return keys[-1]

    monkeypatch.setattr(command, "key_of", noted)
    for name in ("one", "two"):
        run(name)
    one, two = keys
    assert one["targets"] != two["targets"]
    assert {**one, "targets": two["targets"]} == two
    assert {name: one["options"][name] for name in ("device", "precision")} == {
        "device": "cpu",
        "precision": "float32",
    }
    return one
