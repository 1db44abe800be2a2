"""The times of finished runs, from Snakemake's benchmark files."""

from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines


def cpu_seconds(path: Path) -> float | None:
    """Seconds that a job computed, on however many cores; None for a job too short to be measured.

    Wall time would depend on whatever else ran on the machine. Programs that a job calls count as long as
    Snakemake has seen them, twice a second at first. Raises InputError for a file that is no benchmark.
    """
    rows = [line.split("\t") for line in read_lines(path)]
    try:
        row = dict(zip(rows[0], rows[-1], strict=True))
        if row["cpu_time"] == "NA":
            return None
        return float(row["cpu_time"]) or None
    except (IndexError, KeyError, ValueError):
        raise InputError("not a benchmark file of Snakemake", path=path, fix="delete it") from None
