"""Given outputs, and outputs of models."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.errors import InputError
from workflow_scripts.files import read_lines, write_lines
from workflow_scripts.transfer.decode import decode
from workflow_scripts.transfer.outputs import outputs


def test_outputs_are_copied(tmp_path: Path) -> None:
    write_lines(tmp_path / "source", ["a", "b"])
    (tmp_path / "given").write_bytes("é\r\nb\u2028c".encode())
    outputs(tmp_path / "source", tmp_path / "given", tmp_path / "new" / "run0.txt")
    assert (tmp_path / "new" / "run0.txt").read_bytes() == "é\nb\u2028c\n".encode()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (b"a\n", r"given: has 1 lines but .*source has 2"),
        (b"a\nb\nc\n", r"given: has 3 lines but .*source has 2"),
        (b"a\n \n", r"given:2: empty line"),
        (b"a\n\xe9\n", r"given:2: not UTF-8"),
        (None, r"given: no such file"),
    ],
)
def test_bad_outputs(tmp_path: Path, given: bytes | None, message: str) -> None:
    write_lines(tmp_path / "source", ["a", "b"])
    if given is not None:
        (tmp_path / "given").write_bytes(given)
    with pytest.raises(InputError, match=message):
        outputs(tmp_path / "source", tmp_path / "given", tmp_path / "target")
    assert not (tmp_path / "target").exists()


def test_decode_hands_everything_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []

    class Translator:
        def __init__(self, *positional: Any, **options: Any) -> None:
            calls.append((positional, options))

        def translate(self, texts: list[str], source: str, target: str, tag: str) -> list[str]:
            calls.append((source, target, tag))
            return [text.upper() for text in texts]

    module = types.ModuleType("workflow_scripts.seq2seq.translator")
    module.Translator = Translator  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "workflow_scripts.seq2seq.translator", module)
    monkeypatch.setitem(sys.modules, "workflow_scripts.seq2seq", types.ModuleType("workflow_scripts.seq2seq"))
    write_lines(tmp_path / "in.txt", ["oi", "tudo bem"])
    settings = {"beam_size": 5, "length_penalty": 1.0, "batch_size": 32, "precision": "float32"}
    decode(
        tmp_path / "model",
        tmp_path / "in.txt",
        tmp_path / "out.txt",
        models=[tmp_path / "a", tmp_path / "b"],
        language="pt",
        tag="<2formal>",
        device="cpu",
        threads=1,
        **settings,  # type: ignore[arg-type]
    )
    assert read_lines(tmp_path / "out.txt") == ["OI", "TUDO BEM"]
    assert calls == [
        ((tmp_path / "model", [tmp_path / "a", tmp_path / "b"]), {**settings, "device": "cpu", "threads": 1}),
        ("pt", "pt", "<2formal>"),
    ]
