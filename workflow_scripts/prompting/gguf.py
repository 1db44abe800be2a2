"""A language model in a GGUF file, by llama.cpp (xllamacpp), in the environment `llama`."""

from functools import cached_property
from pathlib import Path
from threading import Event
from typing import Any

from workflow_scripts.config.prompted import Model, Price
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import digest
from workflow_scripts.prompting.answers import Answer, Parameters, read_answer

# The lines of llama.cpp's log that are printed: errors only.
QUIET = -1


class Gguf:
    """A model that llama.cpp runs on this machine's processor, one prompt at a time."""

    name = "gguf"
    price: Price | None = None
    parallel = 1
    # Of a model of 135 million parameters.
    seconds = 0.49

    def __init__(
        self, model: Model, parameters: Parameters, threads: int, *, fetched: Path | None = None
    ) -> None:
        """InputError if the file does not exist; it is loaded for the first prompt.

        `fetched`: the folder with the files of its package; without it, the name is a path.
        """
        self.path = fetched / model.name if fetched else Path(model.name)
        self.parameters, self.threads = parameters, threads
        if not self.path.is_file():
            raise InputError("no such file", path=self.path, fix="the name of a gguf model is its file")
        self.context = model.context
        # The kernels of another version give other last digits.
        self.model = f"{digest(self.path)} context={self.context} {_version()} threads={threads}"

    @cached_property
    def server(self) -> Any:
        """The loaded model, with llama.cpp's own server in this process."""
        import xllamacpp

        given = xllamacpp.CommonParams()
        given.model.path = str(self.path)
        given.n_ctx, given.n_parallel = self.context, 1
        given.cpuparams.n_threads = given.cpuparams_batch.n_threads = self.threads
        given.n_gpu_layers = 0
        # Earlier prompts do not change an answer.
        given.cache_prompt, given.cache_ram_mib = False, 0
        given.warmup, given.verbosity = False, QUIET
        try:
            return xllamacpp.Server(given)
        except (RuntimeError, ValueError) as error:
            raise InputError(f"llama.cpp cannot load it ({error})", path=self.path) from None

    def ask(self, prompt: str, stopped: Event) -> Answer:
        """One answer."""
        given = self.parameters
        body = {
            "max_tokens": given.max_tokens,
            "temperature": given.temperature,
            "seed": given.seed,
            "cache_prompt": False,
            **given.asked(prompt),
        }
        server = self.server
        answers = server.handle_chat_completions if given.chat else server.handle_completions
        return read_answer(self._called(answers, body), str(self.path))

    def _called(self, function: Any, body: dict[str, Any]) -> Any:
        try:
            found = function(body)
        except (RuntimeError, ValueError) as error:
            raise InputError(f"llama.cpp cannot answer ({error})", path=self.path) from None
        if isinstance(found, dict) and "error" in found:
            told = found["error"]
            said = told.get("message", told) if isinstance(told, dict) else told
            raise InputError(f"llama.cpp cannot answer ({said})", path=self.path)
        return found


def _version() -> str:
    """The version of the package; InputError if this environment does not have it."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"xllamacpp-{version('xllamacpp')}"
    except PackageNotFoundError:
        raise InputError(
            "this environment has no xllamacpp, which reads GGUF files", fix="the workflow makes one that has"
        ) from None
