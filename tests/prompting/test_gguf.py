"""Requests to llama.cpp and its answers, with a stand-in; test_causal.py runs the real one."""

import sys
from pathlib import Path
from threading import Event
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from workflow_scripts.config.prompted import Model
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.prompting.answers import Answer, Parameters
from workflow_scripts.prompting.gguf import Gguf


class Llama(ModuleType):
    """In the place of its package, which has an environment of its own: it notes what it is given.

    `says` is what it answers, in OpenAI's protocol as llama.cpp's server is, or an exception.
    """

    def __init__(self) -> None:
        super().__init__("xllamacpp")
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.says: Any = None
        self.loaded: SimpleNamespace | None = None

    def CommonParams(self) -> SimpleNamespace:
        """Settings of a server."""
        return SimpleNamespace(
            **{name: SimpleNamespace() for name in ("model", "cpuparams", "cpuparams_batch")}
        )

    def Server(self, given: SimpleNamespace) -> SimpleNamespace:
        """A server, if the file is one of weights."""
        if Path(given.model.path).read_text(encoding="utf-8") != "GGUF weights":
            raise RuntimeError("failed to load model")
        self.loaded = given
        return SimpleNamespace(
            handle_chat_completions=lambda body: self.answer("chat", body),
            handle_completions=lambda body: self.answer("plain", body),
        )

    def answer(self, kind: str, body: dict[str, Any]) -> Any:
        self.asked.append((kind, body))
        if isinstance(self.says, Exception):
            raise self.says
        return self.says


@pytest.fixture
def llama(monkeypatch):
    found = Llama()
    monkeypatch.setitem(sys.modules, "xllamacpp", found)
    monkeypatch.setattr("importlib.metadata.version", {"xllamacpp": "0.2"}.__getitem__)
    return found


@pytest.fixture
def gguf(tmp_path):
    (tmp_path / "m.gguf").write_text("GGUF weights", encoding="utf-8")

    def make(**changed: Any) -> Gguf:
        model = Model.model_validate({"kind": "gguf", "name": str(tmp_path / "m.gguf"), "context": 512})
        given = {"chat": False, "max_tokens": 5, "temperature": 0.5, "seed": 7, **changed}
        return Gguf(model, Parameters(**given), 3)

    return make


def test_prompts_are_asked_in_both_forms(llama, gguf, tmp_path):
    usage = {"prompt_tokens": 2, "completion_tokens": 1}
    llama.says = {"choices": [{"text": "yes", "finish_reason": "stop"}], "usage": usage}
    backend = gguf()
    assert llama.loaded is None
    assert backend.model == f"{digest(tmp_path / 'm.gguf')} context=512 xllamacpp-0.2 threads=3"
    assert backend.ask("polite?", Event()) == Answer("yes", "stop", 2, 1, None)
    llama.says = {"choices": [{"message": {"content": "no"}, "finish_reason": "length"}]}
    assert gguf(chat=True).ask("polite?", Event()) == Answer("no", "length", None, None, None)
    same = {"max_tokens": 5, "temperature": 0.5, "seed": 7, "cache_prompt": False}
    message = {"role": "user", "content": "polite?"}
    assert llama.asked == [
        ("plain", {**same, "prompt": "polite?"}),
        ("chat", {**same, "messages": [message]}),
    ]
    # One prompt at a time, on the processor, and nothing kept of those before.
    threads = SimpleNamespace(n_threads=3)
    assert vars(llama.loaded or SimpleNamespace()) == {
        **{"model": SimpleNamespace(path=str(tmp_path / "m.gguf")), "n_ctx": 512, "n_parallel": 1},
        **{"cpuparams": threads, "cpuparams_batch": threads, "n_gpu_layers": 0},
        **{"cache_prompt": False, "cache_ram_mib": 0, "warmup": False, "verbosity": -1},
    }


@pytest.mark.parametrize(
    ("says", "problem"),
    [
        ({"error": {"code": 400, "message": "too long"}}, r"llama\.cpp cannot answer \(too long\)"),
        ({"error": {"code": 400}}, r"llama\.cpp cannot answer \(\{'code': 400\}\)"),
        ({"error": "busy"}, r"llama\.cpp cannot answer \(busy\)"),
        (RuntimeError("out of memory"), r"llama\.cpp cannot answer \(out of memory\)"),
        (ValueError("no template"), r"llama\.cpp cannot answer \(no template\)"),
        (["error"], "the answer is not as OpenAI's protocol has it"),
    ],
)
def test_what_it_cannot_answer_is_one_line(llama, gguf, says, problem):
    llama.says = says
    with pytest.raises(InputError, match=rf"m\.gguf: {problem}"):
        gguf().ask("polite?", Event())


def test_a_file_that_it_cannot_load_is_one_line(llama, gguf, tmp_path):
    backend = gguf()
    (tmp_path / "m.gguf").write_text("none", encoding="utf-8")
    with pytest.raises(InputError, match=r"m\.gguf: llama\.cpp cannot load it \(failed to load model\)"):
        backend.ask("polite?", Event())


def test_an_environment_without_it_is_one_line(gguf, monkeypatch):
    from importlib.metadata import PackageNotFoundError

    def version(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", version)
    with pytest.raises(InputError, match="this environment has no xllamacpp"):
        gguf()
