"""What is kept on disk of a job until it is finished, and what tells one job from another."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from workflow_scripts.core.files import digest
from workflow_scripts.core.provenance import code_of, versions


class Unfinished:
    """A folder of its own for one job, among those of other jobs."""

    def __init__(self, folder: Path, key: dict[str, Any]) -> None:
        """`folder`: shared with other jobs; `key`: all that defines this one, as JSON values."""
        text = json.dumps(key, sort_keys=True)
        self.folder = folder / hashlib.sha256(text.encode()).hexdigest()[:20]

    def remove(self) -> None:
        """Delete this job's folder, and the shared one if it is empty then."""
        shutil.rmtree(self.folder, ignore_errors=True)
        with suppress(OSError):
            self.folder.parent.rmdir()


def key_of(
    module: str, options: Mapping[str, object], inputs: Iterable[Path], *distributions: str
) -> dict[str, Any]:
    """All that decides what a command computes: where any of it differs, an unfinished job does not go on.

    `module`: the command's, as for `code_of`. `options`: JSON values, and paths, which are left out: where
    the data lie and where the results go is no part of what is computed. `distributions`: those whose
    versions matter.
    """
    return {
        "options": {name: value for name, value in options.items() if not isinstance(value, Path)},
        "inputs": [digest(path) for path in inputs],
        "code": code_of(module),
        "versions": versions(*distributions),
    }
