"""Weights that others have released: a pickle of tensors is read, one that would run code is not."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.dialogue.language_model import END, from_scratch, load
from workflow_scripts.dialogue.released import PICKLED, released
from workflow_scripts.dialogue.templates import Augpt
from workflow_scripts.seq2seq.device import prepare


class Runs:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return os.mkdir, ("ran",)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkpoint as AuGPT's: a pickle with masks and a head, and a tokenizer that knows no padding."""
    import torch

    where = prepare("cpu", "float32", 1)
    sizes = {"vocabulary_size": 300, "layers": 1, "hidden": 8, "heads": 2, "dropout": 0.0}
    model = from_scratch("causal", ["a b c"], Augpt().pieces([]), where, **sizes, seed=1)  # type: ignore[arg-type]
    folder = tmp_path / "hub"
    folder.mkdir()
    model.tokenizer.pad_token = None
    model.save(folder)
    (folder / "model.safetensors").unlink()
    tensors = model.parts["belief"].state_dict()
    more = {"transformer.h.0.attn.masked_bias": torch.tensor(-1e4), "consistency_head.bias": torch.zeros(1)}
    torch.save({**tensors, **more}, folder / PICKLED)

    def snapshot(checkpoint: str, revision: str, target: Path, **_: Any) -> None:
        for path in folder.iterdir():
            (target / path.name).write_bytes(path.read_bytes())

    monkeypatch.setattr("workflow_scripts.dialogue.released.snapshot", snapshot)
    monkeypatch.chdir(tmp_path)
    return folder


def take(folder: Path) -> None:
    released(folder, checkpoint="a/b", revision="0" * 40, template="augpt")


def test_weights_come_without_the_pickle(hub: Path, tmp_path: Path) -> None:
    import torch

    take(tmp_path / "model")
    assert not (tmp_path / "model" / PICKLED).exists()
    found = load(tmp_path / "model", "causal", prepare("cpu", "float32", 1))
    theirs = torch.load(hub / PICKLED, weights_only=True)
    for name, value in found.parts["belief"].state_dict().items():
        assert torch.equal(value, theirs[name]), name
    assert found.pad is not None and len(found.ids(["=>", "<|eob|>", END])) == 3
    assert all(len(ids) == 1 for ids in found.ids(["=>", "<|eob|>", "<|eokb|>", END]))
    assert found.write("belief", ["a b"], "<|eob|>", 3, longest=9, batch_size=1)


def test_a_pickle_that_runs_code_is_refused(hub: Path, tmp_path: Path) -> None:
    import torch

    torch.save({"a": Runs()}, hub / PICKLED)
    with pytest.raises(InputError, match="cannot load checkpoint 'a/b'"):
        take(tmp_path / "model")
    assert not (tmp_path / "ran").exists() and not (tmp_path / "model").exists()
    (hub / PICKLED).unlink()
    with pytest.raises(InputError, match=r"neither model\.safetensors nor"):
        take(tmp_path / "model")
