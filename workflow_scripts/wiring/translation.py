"""The configured translation backends: their files, their options, and the languages they can translate."""

import hashlib
import os
from collections.abc import Callable
from typing import Any

from workflow_scripts.config.needs import backend_of, translatable
from workflow_scripts.config.translators import HuggingFaceDirection
from workflow_scripts.wiring.run import Run, Wildcards
from workflow_scripts.wiring.words import words

# The backends that translate with a model on this machine.
WITH_MODELS = ("nmt", "hf")
# A checkpoint of the hub.
HF_MODEL = "build/translation/hf/{model}"
# In place of a commit; the download refuses it.
UNPINNED = "none"


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

    def checkpoint(self, direction: str) -> HuggingFaceDirection:
        """The checkpoint of the `hf` backend for a direction, such as `en-fr`."""
        return self.settings.hf.directions.get(direction, self.settings.hf)

    @property
    def of_hub(self) -> dict[str, tuple[str, str, str]]:
        """The checkpoints of the hub by folder: their names, commits, and the settings that name them."""
        hf = self.settings.hf
        named = {"": hf, **{f"directions.{name}.": one for name, one in hf.directions.items()}}
        return {
            _folder(one): (one.checkpoint, one.revision or UNPINNED, f"translation.hf.{place}checkpoint")
            for place, one in named.items()
            if not os.path.isdir(one.checkpoint)
        }

    def input(self, wildcards: Wildcards, direction: str) -> dict[str, str]:
        """The files it needs before it can translate: its models, made by this workflow or from the hub."""
        kind, checkpoint = self.kind(wildcards.lang), self.checkpoint(direction)
        if kind == "hf" and not os.path.isdir(checkpoint.checkpoint):
            return {"fetched": HF_MODEL.format(model=_folder(checkpoint))}
        if kind != "nmt":
            return {}
        folder = f"build/translation/nmt/{wildcards.lang}"
        return {"text": f"{folder}/text", "model": f"{folder}/model.safetensors"}

    # Snakemake compares only params that do not depend on input: a function that reads settings takes none.
    def options(self, wildcards: Wildcards, direction: str) -> list[str]:
        """The backend as command-line options."""
        kind = self.kind(wildcards.lang)
        needed, backend = self.input(wildcards, direction), {"backend": kind}
        match kind:
            case "nmt":
                given = {"text_model": needed["text"], "models": [needed["model"]]}
                return words(backend | given | self.settings.nmt.decoding.model_dump()) + self.torch
            case "hf":
                code = self.run.languages[wildcards.lang]["nllb"]
                codes = {"codes": [f"{wildcards.lang}={code}"]}
                model = self.checkpoint(direction).model_dump(include={"checkpoint", "revision", "prefix"})
                search = self.settings.hf.model_dump(include={"beam_size", "batch_size"})
                return words(backend | model | search | codes | needed) + self.torch
            case "apertium":
                batches = {"batch_size": 1000, "threads": 1}
                return words(backend | self.settings.apertium.model_dump() | batches)
            case _:
                # Each sentence is cached before the next one is paid for.
                return words(backend | self.settings.aws.model_dump() | {"batch_size": 1})

    def at(
        self, method: Callable[[Wildcards, str], Any], source: str | Callable[[Any], str], target: str
    ) -> Callable[[Any], Any]:
        """A function of wildcards: one of this class, for a direction whose sides may be wildcards."""

        def given(wildcards: Wildcards) -> Any:
            first = source(wildcards) if callable(source) else source.format(lang=wildcards.lang)
            return method(wildcards, f"{first}-{target.format(lang=wildcards.lang)}")

        return given

    def into_english(self, languages: list[str]) -> list[str]:
        """The languages, of some, that are translated into English."""
        return translatable(languages, self.run.languages, self.settings.model_dump())


def _folder(model: HuggingFaceDirection) -> str:
    """The name of a checkpoint's folder: its commit, and a digest of its own name, which may be any text."""
    return f"{model.revision or UNPINNED}-{hashlib.sha256(model.checkpoint.encode()).hexdigest()[:8]}"
