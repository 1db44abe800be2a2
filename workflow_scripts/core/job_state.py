"""The state of an unfinished job on disk, and the key that identifies the job."""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from workflow_scripts.core.files import digest
from workflow_scripts.core.provenance import code_of, versions
from workflow_scripts.core.temporary import remove, unchanged

# Seconds after which nobody resumes an unfinished job: its inputs, options or code have changed by then.
FORGOTTEN = 30 * 24 * 3600


class JobState:
    """The kept state of one job until it is finished: a folder beside the folders of other jobs."""

    def __init__(self, folder: Path, key: dict[str, Any]) -> None:
        """`folder`: shared with other jobs; `key`: everything that identifies this job, as JSON values."""
        self._of = _digest([key.get("command"), key.get("targets")])[:10]
        self.folder = folder / f"{self._of}-{_digest(key)[:20]}"

    def remove(self) -> None:
        """Delete this job's folder.

        Also delete the state of jobs for the same targets with other options or inputs, if it is older than a
        month. The shared folder stays even if it is empty, since another job may be about to write into it.
        """
        remove(self.folder)
        for other in self.folder.parent.glob(f"{self._of}-*"):
            if unchanged(other, FORGOTTEN):
                remove(other)


def key_of(
    module: str,
    options: Mapping[str, object],
    inputs: Iterable[Path | None],
    *distributions: str,
    targets: Iterable[Path],
) -> dict[str, Any]:
    """Everything that identifies a job: if any of it differs, an unfinished job does not go on.

    Two jobs may compute the same for two outputs at the same time, so the outputs are part of the key. The
    location of the project is not.

    `module`: the module of the command, as for `code_of`. `options`: JSON values, among them the device and
    precision actually used; paths are left out, since the location of data does not change a result.
    `inputs`: files, and folders of files, by their content; None is left out. `distributions`: the packages
    whose versions matter. `targets`: the output files, by their paths relative to the working directory.
    """
    return {
        "command": module,
        "targets": [os.path.relpath(path) for path in targets],
        "options": {name: value for name, value in options.items() if not isinstance(value, Path)},
        "inputs": [digest(path) for given in inputs if given for path in _files(given)],
        "code": code_of(module),
        "versions": versions(*distributions),
    }


def _files(given: Path) -> list[Path]:
    return sorted(path for path in given.iterdir() if path.is_file()) if given.is_dir() else [given]


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
