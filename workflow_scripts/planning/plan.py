"""Command: what a run will cost, by its own graph of jobs; `make plan` calls it. No job runs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from workflow_scripts.config.files import check_entries, check_files
from workflow_scripts.config.settings import load
from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_rows, write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.snakemake_internals import jobs_behind
from workflow_scripts.planning.amounts import Amount, Amounts
from workflow_scripts.planning.rates import Rate, rate_of, read_rates
from workflow_scripts.planning.schedule import Node, Task, longest_chain, makespan
from workflow_scripts.planning.volumes import download_sizes, read_volumes

ROOT = Path(__file__).parents[2]
COLUMNS = (
    *("rule", "jobs", "core_hours", "gpu_hours", "longest_job_hours", "memory_mb", "disk_gb"),
    *("download_gb", "requests", "tokens", "dollars", "extrapolated"),
)
OF_NODES = ("nodes", "cores_per_node", "gpus_per_node", "hours", "longest_chain_hours", "most_of_the_chain")
DEFAULT_MEMORY = 1000  # MB, as the profiles say
SUM = "all rules"


@dataclass
class Job:
    """A job of the plan."""

    rule: str
    seconds: float
    gpu: bool
    memory: float
    amount: Amount
    doubts: list[str]
    task: Task
    benchmark: str = ""


@dataclass
class Total:
    """The jobs of a rule."""

    jobs: list[Job] = field(default_factory=list)

    def row(self, name: str) -> list[object]:
        """A row of the plan."""
        hours = {gpu: sum(job.seconds for job in self.jobs if job.gpu is gpu) / 3600 for gpu in (True, False)}
        doubts = sorted({doubt for job in self.jobs for doubt in job.doubts})
        return [
            name,
            len(self.jobs),
            *(f"{hours[gpu]:.4f}" for gpu in (False, True)),
            f"{max(job.seconds for job in self.jobs) / 3600:.4f}",
            f"{max(job.memory for job in self.jobs):.0f}",
            f"{sum(job.amount.disk for job in self.jobs) / 1e9:.3f}",
            f"{sum(job.amount.download for job in self.jobs) / 1e9:.3f}",
            f"{sum(job.amount.requests for job in self.jobs):.0f}",
            f"{sum(job.amount.tokens for job in self.jobs):.0f}",
            f"{sum(job.amount.dollars for job in self.jobs):.2f}",
            "; ".join(doubts),
        ]


def plan(
    target: Path,
    *,
    targets: list[str],
    configfile: list[Path] | None = None,
    config: list[str] | None = None,
    rates: Path = ROOT / "resources/rates.csv",
    volumes: Path = ROOT / "resources/volumes.csv",
    nodes: list[int] | None = None,
    cores: int = 8,
    gpus: int = 1,
) -> None:
    """Write the cost of the jobs behind some files, per rule and in total, as if none had run yet.

    A second table beside it, `<name>.nodes.csv`, has how long they take on some numbers of nodes. Jobs that
    ask for a GPU count as GPU-hours, the others as core-hours. Extrapolated rows give the reason. `requests`
    are those to language models; their `tokens`, and dollars, are upper bounds.

    :param target: CSV to write
    :param targets: files or rules of the workflow
    :param configfile: overlays of the configuration, as snakemake takes them
    :param config: settings, KEY=VALUE each, as snakemake takes them
    :param rates: CSV of measured rates
    :param volumes: CSV of the sizes of corpora
    :param nodes: numbers of nodes
    :param cores: of each node
    :param gpus: of each node
    """
    numbers = nodes or [1, 2, 4, 8, 16, 32, 64]
    if min(*numbers, cores) < 1 or gpus < 0:
        raise InputError("a plan needs at least one node with one core")
    jobs = planned(targets, configfile or [], config or [], read_rates(rates), volumes)
    by_rule: dict[str, Total] = {}
    for job in jobs:
        by_rule.setdefault(job.rule, Total()).jobs.append(job)
    rows = [total.row(name) for name, total in by_rule.items()]
    rows.sort(key=lambda row: -float(str(row[2])) - float(str(row[3])))
    write_csv(target, COLUMNS, [*rows, Total(jobs).row(SUM)])
    tasks = [job.task for job in jobs]
    chain = longest_chain(tasks)
    alone = sum(tasks[place].seconds for place in chain) / 3600
    most = ", ".join(_largest(jobs, chain))
    spans = [(count, makespan(tasks, count, Node(cores, gpus)) / 3600) for count in numbers]
    of_nodes = [[count, cores, gpus, f"{span:.4f}", f"{alone:.4f}", most] for count, span in spans]
    write_csv(target.with_suffix(".nodes.csv"), OF_NODES, of_nodes)
    _say(rows, Total(jobs).row(SUM), spans, alone, most)


def planned(
    targets: list[str], configfile: list[Path], config: list[str], rates: dict[str, Rate], volumes: Path
) -> list[Job]:
    """The jobs behind some files with the cost of each; see `plan`."""
    check_files(configfile)
    check_entries(config)
    given: dict[str, Any] = {
        name: yaml.safe_load(value) for name, _, value in (entry.partition("=") for entry in config)
    }
    # Without a GPU on this machine `auto` asks for none, as a run here would.
    settings = load(_merged([ROOT / "config.yaml", *configfile], given)).model_dump()
    registry = [row for _, row in read_rows(ROOT / "resources/sources.csv", ("id", "path"))]
    amounts = Amounts(
        settings,
        read_volumes(volumes, settings),
        download_sizes(volumes, registry),
        {rate.step: rate.updates for rate in rates.values() if rate.updates},
    )
    found = jobs_behind(ROOT / "Snakefile", targets, configfiles=configfile, config=given)
    return [_job(job, amounts.of(job), rates) for job in found]


def _job(job: dict[str, Any], amount: Amount, rates: dict[str, Rate]) -> Job:
    resources = job["resources"]
    gpu = bool(resources["gpu"])
    seconds, doubts = 0.0, list(amount.assumed)
    # A target runs no command.
    if job["command"]:
        rate = rate_of(job["rule"], amount, rates)
        seconds, doubts = rate.seconds(amount, gpu), [*rate.doubts(amount, gpu), *doubts]
    task = Task(seconds, job["threads"], int(gpu), tuple(job["after"]))
    memory = resources["mem_mb"] or DEFAULT_MEMORY
    return Job(job["rule"], seconds, gpu, memory, amount, doubts, task, job["benchmark"])


def _merged(files: Sequence[Path], given: dict[str, Any]) -> dict[str, Any]:
    """The settings that snakemake puts together: each file over those before it, the command line last."""
    from snakemake.utils import update_config

    merged: dict[str, Any] = {}
    for found in [*(yaml.safe_load(path.read_text(encoding="utf-8")) for path in files), given]:
        update_config(merged, found)
    return merged


def _largest(jobs: list[Job], chain: list[int], count: int = 4) -> list[str]:
    """The rules of a chain that take longest, with hours."""
    hours: dict[str, float] = {}
    for place in chain:
        hours[jobs[place].rule] = hours.get(jobs[place].rule, 0) + jobs[place].seconds / 3600
    return [f"{name} {hours[name]:.2f} h" for name in sorted(hours, key=lambda name: -hours[name])[:count]]


def _say(
    rows: Sequence[list[object]], total: list[object], spans: list[tuple[int, float]], alone: float, most: str
) -> None:
    print(f"{'rule':32}{'jobs':>6}{'core hours':>12}{'GPU hours':>11}{'dollars':>9}  extrapolated")
    for row in [*rows[:15], total]:
        print(f"{row[0]:32}{row[1]:6}{row[2]:>12}{row[3]:>11}{row[10]:>9}  {row[11]}")
    for row in (row for row in rows if int(str(row[8]))):
        print(
            f"{row[0]}: {int(str(row[8])):,} requests of language models, at most {int(str(row[9])):,} tokens"
        )
    print(f"{total[6]} GB on disk, {total[7]} GB downloaded")
    digits = max(0, 2 - math.floor(math.log10(max(alone, 1e-3))))
    print(f"longest chain: {alone:.{digits}f} h ({most})")
    print("hours on nodes:", ", ".join(f"{count}: {span:.{digits}f}" for count, span in spans))


if __name__ == "__main__":
    run(plan)
