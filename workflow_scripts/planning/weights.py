"""How many bytes the networks of jobs have: downloaded from the hub or the package index, and on disk.

A rule says under `resources` where the size of the network that it writes comes from:
`weights="checkpoint"`, from the checkpoint that its options name; `weights="input"`, from the network that it
reads and trains further or stores in another way; a word of `counts.PARAMETERS`, from the settings.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workflow_scripts.planning.networks import transformer

SOURCES = ("checkpoint", "input")
# Where a checkpoint has no row: most that papers name have 0.3 to 3 GB.
USUAL = 1e9
DOWNLOADS = "build/corpora/downloads/"
# The step of all jobs that fetch a checkpoint, whatever their rule is.
FETCH = "fetch checkpoint"


class Weights:
    """The bytes of networks so far; jobs must come in the order in which they run."""

    def __init__(self, sizes: Mapping[str, float]) -> None:
        """`sizes`: bytes of downloads by path, and of checkpoints by name."""
        self.sizes = sizes
        self.written: dict[str, float] = {}
        # Assumptions about the current job.
        self.assumed: list[str] = []

    def of(self, job: Mapping[str, Any]) -> tuple[float, float]:
        """The bytes of the checkpoint that a job fetches, and of the network that it writes."""
        self.assumed = []
        if job["weights"] not in SOURCES:
            return 0.0, 0.0
        options = _options(job["params"])
        download = self._fetched(options) if job["weights"] == "checkpoint" else 0.0
        size = download or self._own(job, options)
        self.written |= dict.fromkeys(job["output"], size)
        return download, size

    def _fetched(self, options: Mapping[str, str]) -> float:
        """The bytes of the checkpoint that options name, if it is one of the hub or of a package."""
        name = options.get("checkpoint") or options.get("package", "").partition("==")[0]
        if not name or options.get("kind", "hub") not in ("hub", "package"):
            return 0.0
        if name not in self.sizes:
            self.assumed.append(f"unknown size of {name}")
        return self.sizes.get(name, USUAL)

    def _own(self, job: Mapping[str, Any], options: Mapping[str, str]) -> float:
        """The bytes of a network that is not fetched: as of the one that is read, or as its settings say."""
        read = [self.written[path] for path in job["input"] if path in self.written]
        if read:
            return max(read)
        start = json.loads(options["start"]) if "start" in options else options
        if start.get("kind") in ("ngrams", "sentences"):
            # A recipe, no network.
            return 0.0
        if start.get("kind") == "scratch":
            return 4 * transformer(*(int(start[key]) for key in ("layers", "hidden", "vocabulary_size")))
        size = sum(map(self._of_file, job["input"]))
        if not size:
            self.assumed.append("size of a model on disk")
        return size

    def _of_file(self, path: str) -> float:
        """The bytes of a downloaded file, or of one that the user has put in place."""
        if path.startswith("build/"):
            return self.sizes.get(path.removeprefix(DOWNLOADS), 0.0)
        return Path(path).stat().st_size if Path(path).is_file() else 0.0


def _options(params: Mapping[str, Any]) -> dict[str, str]:
    """The options with a value, `--name=value`, among the params of a job, by their names as settings."""
    words = [str(word) for value in params.values() if isinstance(value, list | tuple) for word in value]
    pairs = (word.removeprefix("--").partition("=") for word in words if word.startswith("--"))
    return {name.replace("-", "_"): value for name, _, value in pairs}
