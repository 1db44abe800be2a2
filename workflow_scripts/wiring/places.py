"""The paths of files of the checkout, from any working directory, and of the environments of tools."""

import hashlib
import os
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TOOLS = ("align", "bicleaner", "hardrules", "kenlm", "langdetect", "llama", "sentences", "spacy")


def resource(path: str) -> str:
    """The path of a file of the checkout, such as one in resources/ or envs/, from any working directory."""
    return os.path.relpath(ROOT / path)


def shared(folder: str) -> str:
    """A folder that all experiments of a checkout share, relative to the checkout."""
    return folder if os.path.isabs(folder) else resource(folder)


def environments() -> dict[str, str]:
    """For each tool, the file that marks its environment as complete.

    The name of an environment contains a digest of its lock file, so that a new lock makes a new environment.
    """
    found = {}
    for tool in TOOLS:
        lock = hashlib.sha256((ROOT / f"envs/{tool}.txt").read_bytes()).hexdigest()[:10]
        found[tool] = f"{shared('.venvs')}/{tool}-{lock}/.done"
    return found


def python_of(wildcards: Any, input: Any) -> str:
    """The Python of the tool in the named input of a job, or else the Python of the workflow."""
    tool = input.get("tool")
    return f"{os.path.dirname(tool)}/bin/python" if tool else "python"
