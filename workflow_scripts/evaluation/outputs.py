"""The outputs to evaluate: files with their scores, as a manifest lists them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.statistics.metrics import SCORERS

COLUMNS = ("system", "run", "output", *SCORERS)


@dataclass(frozen=True)
class Outputs:
    """The outputs of one run of a system."""

    system: str
    run: str
    output: Path
    """One output a line."""
    formality: Path
    """The regressor's scores of the outputs."""
    fluency: Path
    """The language model's negative log-likelihoods per token, in nats."""


def read_outputs(manifest: Path) -> list[Outputs]:
    """The runs of all systems, in the order of a manifest.

    Raises InputError for a wrong manifest, or a system with two runs of the same name.
    """
    runs: dict[tuple[str, str], Outputs] = {}
    for system, run, *files in read_manifest(manifest, COLUMNS):
        if (system, run) in runs:
            raise InputError(f"a second {run} of system '{system}'", path=manifest)
        runs[system, run] = Outputs(system, run, *map(Path, files))
    return list(runs.values())
