"""Cosines of outputs and their source sentences."""

from typing import Any

import numpy as np
import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, read_numbers, write_lines
from workflow_scripts.encoders.encoder import encoder
from workflow_scripts.encoders.similarity import similarity
from workflow_scripts.encoders.vectors import vectors

INFORMAL = ["vc vem hoje?", "q horas são", "blz então", "vc vem hoje?"]
OUTPUTS = {
    "same": INFORMAL,
    "other": ["Você vem hoje?", "Que horas são?", "Muito obrigado.", "Você vem hoje?"],
}
OPTIONS: dict[str, Any] = {"batch_size": 3, "device": "cpu", "precision": "float32", "threads": 1}


@pytest.fixture
def files(tmp_path):
    write_lines(tmp_path / "informal.txt", INFORMAL)
    for name, texts in OUTPUTS.items():
        write_lines(tmp_path / f"{name}.txt", texts)
    write_lines(tmp_path / "texts", INFORMAL + OUTPUTS["other"])
    sizes = {"vocabulary_size": 60, "layers": 1, "hidden": 8, "heads": 2, "max_length": 32, "seed": 1}
    encoder(tmp_path / "encoder", kind="scratch", texts=[tmp_path / "texts"], **sizes)
    return tmp_path


def given(folder, **changes: Any) -> dict[str, Any]:
    return {
        "informal": folder / "informal.txt",
        "sources": [folder / f"{name}.txt" for name in OUTPUTS],
        "targets": [folder / f"out/{name}.txt" for name in OUTPUTS],
        "max_length": 32,
        **OPTIONS,
        **changes,
    }


def test_each_output_is_compared_with_its_own_sentence(files):
    similarity(files / "encoder", **given(files))
    assert read_lines(files / "out/same.txt") == ["1.0000"] * 4
    found = read_numbers(files / "out/other.txt")
    for text, source, cosine in zip(OUTPUTS["other"], INFORMAL, found, strict=True):
        # Alone, each in a batch of its own.
        one, two = (
            vectors(files / "encoder", [this], max_length=32, **OPTIONS).toarray()[0]
            for this in (text, source)
        )
        expected = one @ two / np.linalg.norm(one) / np.linalg.norm(two)
        assert cosine == pytest.approx(expected, abs=1e-4)
    assert len({*found}) == 3 and max(found) < 1


def test_files_that_do_not_fit_are_named(files):
    write_lines(files / "other.txt", OUTPUTS["other"][1:])
    with pytest.raises(InputError, match=r"other\.txt has 3 lines"):
        similarity(files / "encoder", **given(files))
    with pytest.raises(InputError, match="2 sources but 0 targets"):
        similarity(files / "encoder", **given(files, targets=[]))
    assert not (files / "out").exists()
