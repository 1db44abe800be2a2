"""Ten pairs of sentences in files."""

import pytest

from tests.transfer.checkpoints import put_pairs
from workflow_scripts.training.state import TrainingState


@pytest.fixture
def files(tmp_path):
    return put_pairs(tmp_path)


@pytest.fixture
def without_states(monkeypatch):
    """Trainings that write no state: that takes longer than the update of a small model."""
    monkeypatch.setattr(TrainingState, "save", lambda *_: None)
