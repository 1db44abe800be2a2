"""Command: the rates of this machine, from the benchmark files of finished runs."""

import os
from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.errors import InputError
from workflow_scripts.planning.counts import NETWORK
from workflow_scripts.planning.measured import cpu_seconds
from workflow_scripts.planning.plan import ROOT, planned
from workflow_scripts.planning.rates import OTHERS, Rate, read_rates, write_rates

# The weight of the usual start of a step; each measurement has weight 1.
PRIOR = 0.3
# Seconds: a step that loads torch, and one that does not.
STARTS = {True: 2.5, False: 0.6}
# Seconds: where all jobs take less, the time of a unit cannot be measured and stays as assumed.
SHORT = 5.0
# Faster than any step: all of its time is the start.
FASTEST = 1e9


def rates_of(
    target: Path,
    *,
    runs: list[Path],
    targets: list[str],
    machine: str,
    old: Path = ROOT / "resources/rates.csv",
) -> None:
    """Write the rates of all steps that the runs have measured; other rows and assumed values stay.

    A step takes a start and so many seconds for each unit: the least squares of the relative errors over all
    its jobs. Runs of several sizes tell the two apart; with one size the usual start of a step decides.

    :param target: CSV to write
    :param runs: folders of finished runs, each with `build/benchmarks`; settings are those of its
        `results/settings.json`, corpora of the sizes in its `volumes.csv`, where these files exist
    :param targets: the files that the runs made
    :param machine: description of the machine, for the rows
    :param old: CSV of rates: the assumptions about GPUs and updates are taken from it
    """
    known = read_rates(old)
    points: dict[str, list[tuple[float, float]]] = {}
    torch: set[str] = set()
    for folder in (path.resolve() for path in runs):
        if not (folder / "build/benchmarks").is_dir():
            raise InputError("no benchmarks of a run", path=folder / "build/benchmarks")
        for job, seconds in measured_jobs(folder, targets, known):
            # A mirror's disk says nothing about the network.
            if job.amount.unit == NETWORK:
                continue
            points.setdefault(job.amount.step, []).append((job.amount.units, seconds))
            if job.task.gpus or "multiplications" in job.amount.unit:
                torch.add(job.amount.step)
    for step, measurements in points.items():
        start, per_second = line_through(measurements, STARTS[step in torch])
        below = known.get(step) or replace(known[OTHERS], step=step)
        if max(seconds for _, seconds in measurements) < SHORT:
            # Jobs this short are mostly the start of Python.
            start, per_second = (
                sum(seconds for _, seconds in measurements) / len(measurements),
                below.per_second,
            )
        known[step] = replace(
            below,
            start=start,
            per_second=per_second,
            largest=max(amount for amount, _ in measurements),
            measured=f"{len(measurements)} jobs",
            machine=machine,
        )
    write_rates(target, known.values())


def measured_jobs(folder: Path, targets: list[str], rates: dict[str, Rate]) -> list:
    """The planned jobs of a finished run that were measured, each with the seconds that it computed."""
    settings = folder / "results/settings.json"
    volumes = folder / "volumes.csv"
    with chdir(folder):
        jobs = planned(
            targets,
            [settings] if settings.is_file() else [],
            [],
            rates,
            volumes if volumes.is_file() else ROOT / "resources/volumes.csv",
        )
    measured = []
    for job in jobs:
        path = folder / job.benchmark
        if job.benchmark and os.path.isfile(path) and (seconds := cpu_seconds(path)):
            measured.append((job, seconds))
    return measured


def line_through(points: list[tuple[float, float]], start: float) -> tuple[float, float]:
    """The start and the units per second that explain (units, seconds) best; 0 per second: only the start.

    Least squares of the relative errors; `start` is one further observation of the start, of weight `PRIOR`.
    Neither is below 0.
    """
    weights = [1 / max(seconds, 0.1) for _, seconds in points]
    prior = PRIOR / max(start, 0.1)
    ones = sum(w * w for w in weights) + prior**2
    mixed = sum(w * w * units for w, (units, _) in zip(weights, points, strict=True))
    squares = sum((w * units) ** 2 for w, (units, _) in zip(weights, points, strict=True))
    seconds = sum(w * w * y for w, (_, y) in zip(weights, points, strict=True)) + prior**2 * start
    products = sum(w * w * units * y for w, (units, y) in zip(weights, points, strict=True))
    determinant = ones * squares - mixed**2
    if determinant <= 1e-12 * max(ones * squares, 1e-300):
        return seconds / ones, 0.0
    slope = (ones * products - mixed * seconds) / determinant
    begin = (squares * seconds - mixed * products) / determinant
    if begin < 0:
        begin, slope = 0.0, products / squares
    if slope <= 1 / FASTEST:
        return seconds / ones, 0.0
    return begin, 1 / slope


if __name__ == "__main__":
    run(rates_of)
