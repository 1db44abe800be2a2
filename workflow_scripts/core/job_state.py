"""The state of an unfinished job on disk, and what tells one job from another."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from workflow_scripts.core.files import digest
from workflow_scripts.core.provenance import code_of, versions
from workflow_scripts.core.temporary import remove, unchanged

# Seconds after which nobody comes back to an unfinished job: its inputs, options or code are others by now.
FORGOTTEN = 30 * 24 * 3600


class JobState:
    """What is kept of one job until it is finished: a folder of its own, among those of other jobs."""

    def __init__(self, folder: Path, key: dict[str, Any]) -> None:
        """`folder`: shared with other jobs; `key`: all that defines this one, as JSON values."""
        self._of = _digest([key.get("command"), key.get("targets")])[:10]
        self.folder = folder / f"{self._of}-{_digest(key)[:20]}"

    def remove(self) -> None:
        """Delete this job's folder, and the shared one if it is empty then.

        What was begun for the same targets with other options or inputs goes with it if it has been left
        alone for a month.
        """
        remove(self.folder)
        for other in self.folder.parent.glob(f"{self._of}-*"):
            if unchanged(other, FORGOTTEN):
                remove(other)
        with suppress(OSError):
            self.folder.parent.rmdir()


def key_of(
    module: str,
    options: Mapping[str, object],
    inputs: Iterable[Path],
    *distributions: str,
    targets: Iterable[Path],
) -> dict[str, Any]:
    """All that tells one job from another: where any of it differs, an unfinished job does not go on.

    Two jobs may compute the same for two outputs, at the same time, so that what a job writes is part of its
    key; where a whole project lies is not.

    `module`: the command's, as for `code_of`. `options`: JSON values, among them the device and the precision
    that really compute, and paths, which are left out: where the data lie is no part of what is computed.
    `inputs`: files, by what is in them. `distributions`: those whose versions matter. `targets`: the files to
    write, by their paths relative to the working directory.
    """
    return {
        "command": module,
        "targets": [os.path.relpath(path) for path in targets],
        "options": {name: value for name, value in options.items() if not isinstance(value, Path)},
        "inputs": [digest(path) for path in inputs],
        "code": code_of(module),
        "versions": versions(*distributions),
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
