"""Ten pairs of sentences in files."""

import pytest

from tests.transfer.checkpoints import put_pairs


@pytest.fixture
def files(tmp_path):
    return put_pairs(tmp_path)
