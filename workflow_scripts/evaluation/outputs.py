"""The outputs to evaluate: files with their scores, as a manifest lists them."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts.core.csv_files import header_of
from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.core.manifest import read_manifest
from workflow_scripts.statistics.metrics import SCORED, SCORERS

COLUMNS = ("system", "run", "output", *SCORERS)


@dataclass(frozen=True)
class Outputs:
    """The outputs of one run of a system."""

    system: str
    run: str
    output: Path
    """One output a line."""
    scores: dict[str, Path]
    """By stage of `statistics.metrics.SCORED`, the scores of the outputs."""


def read_outputs(manifest: Path, needed: Iterable[str] = ()) -> list[Outputs]:
    """The runs of all systems, in the order of a manifest.

    The columns are system, run, output, formality, fluency, and the stages of further metrics, among them
    those that are `needed`. Raises InputError for a wrong manifest, or a system with two runs of the same
    name.
    """
    header = header_of(manifest)
    further = header[len(COLUMNS) :]
    for stage in needed:
        if stage not in further:
            raise InputError(f"no column {stage}", path=manifest, line=1)
    for stage in further:
        if stage not in SCORED or header.count(stage) > 1:
            raise InputError(f"no column '{stage}'", path=manifest, line=1, fix=nearest(stage, SCORED))
    runs: dict[tuple[str, str], Outputs] = {}
    for system, run, output, *files in read_manifest(manifest, (*COLUMNS, *further)):
        if (system, run) in runs:
            raise InputError(f"a second {run} of system '{system}'", path=manifest)
        scores = dict(zip((*SCORERS, *further), map(Path, files), strict=True))
        runs[system, run] = Outputs(system, run, Path(output), scores)
    return list(runs.values())
