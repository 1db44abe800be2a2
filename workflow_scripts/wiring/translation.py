"""The configured translation backends: their files, their options, and the languages they can translate."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from workflow_scripts.config.needs import backend_of, translatable
from workflow_scripts.wiring.run import Run, Wildcards
from workflow_scripts.wiring.words import words

# The backends that translate with a model on this machine.
WITH_MODELS = ("nmt", "hf")


class Backend:
    """The default backend, and the backends of single languages."""

    def __init__(self, run: Run, torch: list[str], device: list[str]) -> None:
        """`torch`, `device`: the options of every command that computes with torch."""
        self.run, self.torch, self.device, self.settings = run, torch, device, run.settings.translation
        self.kinds = {self.settings.backend, *self.settings.backends.values()}
        first, named = self.settings.backend, sorted(self.settings.backends.items())
        # In the form that `leaves.signature.translator_of` reads.
        self.name = " ".join([first, *(f"{lang}={kind}" for lang, kind in named if kind != first)])

    def kind(self, lang: str) -> str:
        """The backend that translates from and into a language."""
        return backend_of(self.settings.model_dump(), lang)

    def how(self, wildcards: Wildcards) -> list[str]:
        """The options that do not change a translation: its device, or its cost limit."""
        kind = self.kind(wildcards.lang)
        if kind == "aws":
            return words({"max_cost": self.settings.max_cost})
        return self.device if kind in WITH_MODELS else []

    def gpus(self, count: Callable[[Any], int]) -> Callable[[Any], int] | int:
        """The number of GPUs of a job: as `count` says for a model, 0 for other backends."""
        if not self.kinds & set(WITH_MODELS):
            return 0
        return lambda wildcards: count(wildcards) if self.kind(wildcards.lang) in WITH_MODELS else 0

    def pairs(self, lang: str) -> tuple[str, str]:
        """The folder of pairs for training a translator into a language, and their language."""
        versions = self.run.settings.corpora
        if source := versions.gyafc_languages.get(lang):
            return f"build/corpora/cocoa-mt-pairs/{source}", source
        return "build/corpora/gyafc", versions.gyafc_language

    def input(self, wildcards: Wildcards) -> dict[str, str]:
        """The files it needs before it can translate: its models, made by this workflow or from the hub."""
        kind = self.kind(wildcards.lang)
        if kind == "hf" and not os.path.isdir(self.settings.hf.checkpoint):
            return {"fetched": "build/translation/hf"}
        if kind != "nmt":
            return {}
        folder = f"build/translation/nmt/{wildcards.lang}"
        return {"text": f"{folder}/text", "model": f"{folder}/model.safetensors"}

    # Snakemake compares only params that do not depend on input: a function that reads settings takes none.
    def options(self, wildcards: Wildcards) -> list[str]:
        """The backend as command-line options."""
        kind = self.kind(wildcards.lang)
        needed, backend = self.input(wildcards), {"backend": kind}
        match kind:
            case "nmt":
                given = {"text_model": needed["text"], "models": [needed["model"]]}
                return words(backend | given | self.settings.nmt.decoding.model_dump()) + self.torch
            case "hf":
                code = self.run.languages[wildcards.lang]["nllb"]
                codes = {"codes": [f"{wildcards.lang}={code}"]}
                return words(backend | self.settings.hf.model_dump() | codes | needed) + self.torch
            case "apertium":
                batches = {"batch_size": 1000, "threads": 1}
                return words(backend | self.settings.apertium.model_dump() | batches)
            case _:
                # Each sentence is cached before the next one is paid for.
                return words(backend | self.settings.aws.model_dump() | {"batch_size": 1})

    def into_english(self, languages: list[str]) -> list[str]:
        """The languages, of some, that are translated into English."""
        return translatable(languages, self.run.languages, self.settings.model_dump())
