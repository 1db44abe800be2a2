"""The configured translation backend: what it needs, how it is told, and what it can translate."""

from __future__ import annotations

import os

from workflow_scripts.config.needs import translatable
from workflow_scripts.wiring.run import Run, Wildcards
from workflow_scripts.wiring.words import words


class Backend:
    """The backend of a run."""

    def __init__(self, run: Run, torch: list[str], device: list[str]) -> None:
        """`torch`, `device`: the options of every command that computes with torch."""
        self.run, self.torch, self.settings = run, torch, run.settings.translation
        self.kind = self.settings.backend
        # How it runs, which is no part of a translation: on which device, or for how much at most.
        cost = words({"max_cost": self.settings.max_cost})
        self.how = {"nmt": device, "hf": device, "aws": cost}.get(self.kind, [])

    def input(self, wildcards: Wildcards) -> dict[str, str]:
        """What it needs before it can translate: its models, of this workflow or of the hub."""
        if self.kind == "hf" and not os.path.isdir(self.settings.hf.checkpoint):
            return {"fetched": "build/translation/hf"}
        if self.kind != "nmt":
            return {}
        folder = f"build/translation/nmt/{wildcards.lang}"
        return {"text": f"{folder}/text", "model": f"{folder}/model.safetensors"}

    # Snakemake compares only params that do not depend on input: a function that reads settings takes none.
    def options(self, wildcards: Wildcards) -> list[str]:
        """The backend as command-line options."""
        needed, backend = self.input(wildcards), {"backend": self.kind}
        match self.kind:
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
        """Those of some languages that it translates into English."""
        return translatable(languages, self.run.languages, self.settings.model_dump())
