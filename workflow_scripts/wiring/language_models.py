"""Prompted language models: their files, the systems that use them, and their options."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from workflow_scripts.config import control, dialogue, politeness, style, systems
from workflow_scripts.config.prompted import Model
from workflow_scripts.config.settings import Settings
from workflow_scripts.wiring.places import environments
from workflow_scripts.wiring.words import one_of, words

# Each kind of model has a separate rule, since jobs that ask a service must run where there is a network.
MODEL_KINDS = ("endpoint", "gguf", "transformers")
ASKED = (systems.Prompted, control.Asked, dialogue.Prompted, style.Asked, politeness.Asked)


def asked_of(named: Mapping[str, Any], kind: str) -> str:
    """A wildcard pattern for the systems that use a language model of a kind."""
    return one_of(name for name, one in named.items() if isinstance(one, ASKED) and one.model.kind == kind)


class LanguageModels:
    """All language models that a run can use."""

    def __init__(self, settings: Settings) -> None:
        """Collect the models of all systems, whether or not they are rows."""
        models = list(_models(settings))
        self.tool = environments()["llama"]
        # Checkpoints on the hub: the repository of each, by commit.
        self.of_hub = {
            model.revision: model.name
            for model in models
            if model.kind == "transformers" and model.revision and not os.path.isdir(model.name)
        }
        # Models from Python packages, by the digest of the wheel.
        self.of_packages = {model.digest: model.package for model in models if model.package}

    def input(self, model: Model) -> dict[str, str]:
        """The input files of a model; `config.folders` reports a missing GGUF file."""
        found = {}
        if model.kind == "gguf":
            found["tool"] = self.tool
            if model.package:
                found["fetched"] = f"build/transfer/models/{model.digest}"
            # If the file is missing, a dry run still lists the jobs.
            elif os.path.exists(model.name):
                found["model"] = model.name
        if model.revision in self.of_hub:
            found["fetched"] = f"build/transfer/models/{model.revision}"
        return found


def fetched(wildcards: Any, input: Any) -> list[str]:
    """The folder of a downloaded checkpoint or package as an option."""
    return words({"fetched": input.get("fetched")})


def _models(settings: Settings) -> Iterator[Model]:
    everybody: list[Mapping[str, Any]] = [
        settings.systems,
        settings.politeness.prompted,
        settings.control.systems,
        settings.dialogue.systems,
        settings.style.systems,
    ]
    for named in everybody:
        yield from (one.model for one in named.values() if isinstance(one, ASKED))
    if settings.evaluation.judge:
        yield settings.evaluation.judge.model
