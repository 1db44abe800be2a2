"""What is evaluated: files of outputs with their scores, as a manifest lists them."""

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
    """The regressor's scores of them."""
    fluency: Path
    """The language model's negative log-likelihoods per token, in nats."""


def read_outputs(manifest: Path) -> list[Outputs]:
    """The runs of all systems, in the order of a manifest.

    Raises InputError for a wrong manifest, or a system that has two runs of one name.
    """
    found: dict[tuple[str, str], Outputs] = {}
    for system, run, *files in read_manifest(manifest, COLUMNS):
        if (system, run) in found:
            raise InputError(f"a second {run} of system '{system}'", path=manifest)
        found[system, run] = Outputs(system, run, *map(Path, files))
    return list(found.values())
