"""Where files of the checkout lie, from any working directory, and where the environments of tools are."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TOOLS = ("align", "bicleaner", "kenlm", "langdetect", "llama", "sentences", "spacy")


def resource(path: str) -> str:
    """A file of the checkout, such as one of resources/ or envs/, from any working directory."""
    return os.path.relpath(ROOT / path)


def shared(folder: str) -> str:
    """What the experiments of a checkout share: a folder relative to it, not to the working directory."""
    return folder if os.path.isabs(folder) else resource(folder)


def environments() -> dict[str, str]:
    """The file that says that a tool's environment is made, by the tool.

    An environment is named after its lock file, so that a new lock makes a new one.
    """
    found = {}
    for tool in TOOLS:
        lock = hashlib.sha256((ROOT / f"envs/{tool}.txt").read_bytes()).hexdigest()[:10]
        found[tool] = f"{shared('.venvs')}/{tool}-{lock}/.done"
    return found


def python_of(wildcards: Any, input: Any) -> str:
    """The Python of the tool that is among the named input of a job, or else that of the workflow."""
    tool = input.get("tool")
    return f"{os.path.dirname(tool)}/bin/python" if tool else "python"
