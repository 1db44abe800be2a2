"""The backend `nmt`, and which options a backend needs; without a network."""

import sys
import types
from pathlib import Path
from typing import Any

import pytest

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines, write_lines
from workflow_scripts.translation.backends import Nmt
from workflow_scripts.translation.translate import translate

WHERE: dict[str, Any] = {"precision": "float32", "device": "cpu", "threads": 1}
NMT: dict[str, Any] = {"beam_size": 2, "length_penalty": 1.0, "batch_size": 4, **WHERE}


@pytest.fixture
def nmt_files(tmp_path):
    """A text model and a model, both made of nothing."""
    write_lines(tmp_path / "text" / "vocabulary.txt", ["<pad>"])
    write_lines(tmp_path / "text" / "truecase.en.txt", ["a (1/1)"])
    write_lines(tmp_path / "m0", ["weights"])
    write_lines(tmp_path / "m1", ["other weights"])
    return {"text_model": tmp_path / "text", "models": [tmp_path / "m0", tmp_path / "m1"]}


def test_nmt_identity_is_all_that_matters(nmt_files, tmp_path):
    def identity(**changes: Any) -> str:
        return Nmt(("en", "pt"), **{**nmt_files, **NMT, **changes}).model

    first = identity()
    assert len(first) == 64
    assert identity(batch_size=64, threads=2, device="cuda") == first
    (tmp_path / "copy").write_bytes((tmp_path / "m0").read_bytes())
    assert identity(models=[tmp_path / "copy", tmp_path / "m1"]) == first
    changed = [
        identity(beam_size=3),
        identity(length_penalty=0.6),
        identity(precision="bf16"),
        identity(models=[tmp_path / "m0"]),
    ]
    write_lines(tmp_path / "text" / "truecase.en.txt", ["A (1/1)"])
    changed.append(identity())
    assert len({first, *changed}) == 6


def test_auto_is_resolved_before_the_cache_is_asked(nmt_files, tmp_path, monkeypatch):
    made: list[Nmt] = []
    monkeypatch.setattr(
        "workflow_scripts.translation.translate.translate_files", lambda chosen, *rest: made.append(chosen)
    )
    for device, precision in (("cpu", "float32"), ("auto", "auto"), ("auto", "bf16")):
        monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
        translate(
            backend="nmt",
            source_language="en",
            target_language="pt",
            sources=[tmp_path / "in"],
            targets=[tmp_path / "out"],
            cache=tmp_path / "cache",
            **{**nmt_files, **NMT, "device": device, "precision": precision},
        )
    assert [(one.settings["device"], one.settings["precision"]) for one in made] == [
        ("cpu", "float32"),
        ("cpu", "float32"),
        ("cpu", "bf16"),
    ]
    assert made[0].model == made[1].model != made[2].model


def test_nmt_without_files(nmt_files, tmp_path):
    with pytest.raises(InputError, match=r"txt: no such folder; did you mean 'text'\?"):
        Nmt(("en", "pt"), text_model=tmp_path / "txt", models=nmt_files["models"], **NMT)  # type: ignore[arg-type]


def test_nmt_is_loaded_only_if_something_is_new(nmt_files, tmp_path, monkeypatch):
    calls: list[Any] = []

    class Translator:
        def __init__(self, *positional: Any, **options: Any) -> None:
            calls.append((positional, options))

        def translate(self, texts: list[str], source: str, target: str, tag: str) -> list[str]:
            calls.append((texts, source, target, tag))
            return [text[::-1] for text in texts]

    module = types.ModuleType("workflow_scripts.seq2seq.translator")
    module.Translator = Translator  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "workflow_scripts.seq2seq.translator", module)
    monkeypatch.setitem(sys.modules, "workflow_scripts.seq2seq", types.ModuleType("workflow_scripts.seq2seq"))
    write_lines(tmp_path / "in", ["ab", "cd", "ab"])

    def go() -> list[str]:
        translate(
            backend="nmt",
            source_language="en",
            target_language="pt",
            sources=[tmp_path / "in"],
            targets=[tmp_path / "out"],
            cache=tmp_path / "cache",
            **{**nmt_files, **NMT},
        )
        return read_lines(tmp_path / "out")

    assert go() == ["ba", "dc", "ba"]
    assert calls == [
        ((nmt_files["text_model"], nmt_files["models"]), NMT),
        (["ab", "cd"], "en", "pt", "<2pt>"),
    ]
    calls.clear()
    assert go() == ["ba", "dc", "ba"] and calls == []


@pytest.mark.parametrize(
    ("backend", "options", "message"),
    [
        ("nmt", {"beam_size": 5}, "backend nmt needs --text-model, --models, --length-penalty, --precision"),
        ("hf", {"beam_size": 5, "threads": 1}, "backend hf needs --checkpoint, --precision, --device"),
        ("aws", {"region": "x"}, "backend aws needs --price-per-million, --max-cost"),
        ("hf", {"checkpoint": "a/b", "beam_size": 1, **WHERE}, "40-digit commit"),
        ("hf", {"checkpoint": "a/b", "beam_size": 1, **WHERE, "device": "cuda"}, "no usable GPU"),
        ("nmt", {"text_model": Path("x"), "models": [Path("y")], **NMT, "device": "cuda"}, "no usable GPU"),
        ("aws", {"targets": []}, "1 sources but 0 targets"),
    ],
)
def test_missing_options(tmp_path, monkeypatch, backend, options, message):
    monkeypatch.setattr("workflow_scripts.core.gpu.count", lambda: 0)
    given: dict[str, Any] = {
        "sources": [tmp_path / "a"],
        "targets": [tmp_path / "b"],
        "batch_size": 2,
        **options,
    }
    with pytest.raises(InputError, match=message):
        translate(
            backend=backend,
            source_language="en",
            target_language="pt",
            cache=tmp_path / "c",
            **given,
        )
