"""An encoder from scratch and a regressor of it, which several files of tests read."""

import pytest

from tests.encoders.regressors import SIZES, rated, trained
from workflow_scripts.core.files import write_lines
from workflow_scripts.encoders.encoder import encoder


@pytest.fixture(scope="package")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("world")
    for name, seed, count in (("train", 1, 300), ("test", 2, 200)):
        texts, scores = rated(count, seed)
        write_lines(folder / f"{name}.txt", texts)
        write_lines(folder / f"{name}.scores", map(str, scores))
    encoder(folder / "encoder", kind="scratch", texts=[folder / "train.txt"], **SIZES)
    trained(folder, folder / "regressor")
    return folder
