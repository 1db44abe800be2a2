"""The backend of a model, by its kind."""

import hashlib
from pathlib import Path, PurePath

from workflow_scripts.config.prompted import Model, Prompting
from workflow_scripts.core.errors import InputError
from workflow_scripts.prompting.answers import Parameters
from workflow_scripts.prompting.job import Backend
from workflow_scripts.seq2seq.device import Device, Precision


def backend_of(
    model: Model,
    settings: Prompting,
    *,
    seed: int,
    precision: Precision,
    device: Device,
    threads: int,
    probabilities: int = 0,
    fetched: Path | None = None,
) -> Backend:
    """The backend that answers the prompts of a model; files are loaded with the first prompt.

    `seed` is for drawn answers; `probabilities`: the number of likeliest first tokens returned with their
    probabilities; `fetched`: the folder of a hub checkpoint, or of a package's files. Raises InputError for a
    missing file, key or price.
    """
    given = Parameters(model.chat, model.max_tokens, model.temperature, seed, probabilities)
    # Each kind has libraries of its own, and the environment of one kind lacks the others' libraries.
    if model.kind == "gguf":
        from workflow_scripts.prompting.gguf import Gguf

        return Gguf(model, given, threads, fetched=fetched)
    if model.kind == "transformers":
        from workflow_scripts.prompting.causal import Causal

        return Causal(model, given, fetched=fetched, precision=precision, device=device, threads=threads)
    from workflow_scripts.prompting.endpoint import Endpoint

    try:
        return Endpoint(model, given, settings)
    except ValueError as error:
        raise InputError(str(error)) from None


def signature_of(backend: Backend, name: str, prompt: str) -> str:
    """The model and prompt behind an output: `prompted:gguf/smol.gguf@3411dbdaafc7|prompt:0d9a55...`.

    The first digest covers everything that the answers depend on besides the prompt, the second one is of
    `prompt`, the template with its examples.
    """
    shown = "".join(c if c.isalnum() or c in "-_.:/" else "_" for c in PurePath(name).name)[:60]
    whole = f"{backend.model}\n{backend.parameters.key()}"
    return f"prompted:{backend.name}/{shown}@{_short(whole)}|prompt:{_short(prompt)}"


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
