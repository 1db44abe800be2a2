"""An encoder from scratch and a regressor of it, which several files of tests read."""

import pytest

from tests.encoders.regressors import put_rated, trained


@pytest.fixture(scope="package")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    put_rated(folder)
    trained(folder, folder / "regressor")
    return folder
