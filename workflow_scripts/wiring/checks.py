"""Checks before the first job of a run and actions at its end; both use Snakemake's planned jobs."""

import collections
import functools
import os
import socket
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workflow_scripts.config import programs
from workflow_scripts.config.prompted import own_server
from workflow_scripts.core import finished, run_records
from workflow_scripts.core import snakemake_internals as internals
from workflow_scripts.core.errors import nearest_target
from workflow_scripts.progress import tables
from workflow_scripts.wiring.places import ROOT

# Copies of leaves, kept while jobs remake the leaves.
FINISHED = Path("build/finished")
# Seconds in which a server on this machine must take a connection.
CONNECT = 5.0


def warn(problems: Iterable[str]) -> None:
    """Print warnings about problems that do not stop the run."""
    for problem in problems:
        print(f"warning: {problem}", file=sys.stderr)


@functools.cache
def _recorded() -> Any:
    return run_records.recorded(Path(".snakemake"))


def made_by_others(workflow: Any, path: str) -> bool:
    """Whether a file exists that no run in this directory has made: an experiment uses it as it is.

    If a rule made it, Snakemake would report in every run that it has no record of how the file was made.
    """
    return (
        internals.is_first_process(workflow)
        and not os.path.samefile(".", ROOT)
        and os.path.exists(path)
        and path not in _recorded()
    )


def unknown_targets(workflow: Any) -> list[str]:
    """Errors for targets that no rule makes, with the nearest known target; call it after the last rule."""
    if not internals.is_first_process(workflow) or internals.is_included(workflow, ROOT / "Snakefile"):
        return []
    rules = internals.rules_of(workflow)
    names = {rule.name for rule in rules}
    unknown = [
        target
        for target in internals.asked_for()
        if target not in names
        # A target of a storage plugin.
        and "://" not in target
        and not internals.makes(rules, target if os.path.isabs(target) else os.path.relpath(target))
    ]
    known = internals.names_of_targets(rules) if unknown else set()
    return [
        f"no rule makes '{target}'; {nearest_target(os.path.relpath(target), known)}" for target in unknown
    ]


def missing_keys(jobs: Iterable[Any], asked: Mapping[str, Callable[[Any], Any]]) -> list[str]:
    """Errors for environment variables with keys of services that some jobs need and that are not set.

    :param jobs: Snakemake's jobs, with their rules and wildcards
    :param asked: by rule, a function from the wildcards of a job to the settings of the system that asks
    """
    keys = {asked[job.rule.name](job.wildcards).model.key for job in jobs if job.rule.name in asked}
    return [
        f"the environment has no {name}: export {name}=..."
        for name in sorted(filter(None, keys))
        if not os.environ.get(name)
    ]


def silent_servers(jobs: Iterable[Any], asked: Mapping[str, Callable[[Any], Any]]) -> list[str]:
    """Errors for servers on this machine that some jobs ask and that take no connection.

    :param jobs: Snakemake's jobs, with their rules and wildcards; those of other machines are passed over
    :param asked: as of `missing_keys`
    """
    models = [
        asked[job.rule.name](job.wildcards).model for job in jobs if job.rule.name in asked and job.is_local
    ]
    problems = []
    for address in sorted({model.address for model in models}):
        try:
            if found := own_server(address):
                socket.create_connection(found, CONNECT).close()
        except OSError as error:
            names = ", ".join(sorted({model.name for model in models if model.address == address}))
            problems.append(
                f"no server runs at {address} ({error.strerror or error}):"
                f" start the one that serves {names}; with --keep-going jobs take what the cache has"
            )
    return problems


def missing_programs(
    workflow: Any, backend: Callable[[str], str], apertium: Callable[[list[tuple[str, str]]], Any]
) -> list[str]:
    """Errors for programs and packages that the planned jobs need and this machine lacks.

    :param workflow: Snakemake's workflow
    :param backend: the translation backend of a language
    :param apertium: the packages of Apertium that are missing for some directions
    """
    missing: programs.Missing = []
    directions: set[tuple[str, str]] = set()
    for job in internals.jobs_to_run(workflow):
        name = job.rule.name
        if name == "tool_venv":
            compiled = job.wildcards.tool == "bicleaner"
            missing += programs.venv(headers=compiled) + (programs.compiler() if compiled else [])
        elif name == "lmplz":
            missing += programs.compiler()
        elif not (asks_backend(job) and internals.runs_here(workflow)):
            continue
        elif backend(job.wildcards.lang) == "apertium":
            directions.add((job.params.source, job.params.target))
    if directions:
        missing += apertium(sorted(directions))
    if internals.executor(workflow) == "slurm":
        missing += programs.slurm()
    if not internals.makes_environments(workflow):
        missing += programs.packages()
    return programs.told(missing)


def asks_backend(job: Any) -> bool:
    """Whether a job translates by the backend; those of pretrained translators have other params."""
    return job.rule.name.startswith("translate_") and {"source", "target"} <= set(job.params.keys())


def gpu_requested(workflow: Any) -> bool:
    """Whether a planned job requests a GPU; others run on a machine without one whatever the device is."""
    return any(job.resources.get("gpu") for job in internals.jobs_to_run(workflow))


def noted(workflow: Any, notes: Mapping[str, str], rules: Collection[str]) -> list[str]:
    """The problems of jobs to run, in the order of their wildcards.

    :param workflow: Snakemake's workflow
    :param notes: problems by the value of the wildcard that a job has
    :param rules: the names of the jobs' rules
    """
    jobs = [job for job in internals.jobs_to_run(workflow) if job.rule.name in rules]
    return [
        notes[value] for value in sorted({value for job in jobs for value in job.wildcards}) if value in notes
    ]


def missing_gpu(workflow: Any, count: Callable[[], int]) -> list[str]:
    """An error for jobs that request a GPU on a machine without one; `count` counts the GPUs."""
    if not internals.runs_here(workflow) or count() or not gpu_requested(workflow):
        return []
    return ["device is cuda, but this machine has no GPU: set device: auto or cpu, or use a profile"]


def jobs_of_an_earlier_run(workflow: Any) -> list[str]:
    """An error for jobs of a killed run in Slurm's queue: they would write the same files as this run."""
    left = programs.left_in_queue(Path.cwd()) if internals.executor(workflow) == "slurm" else []
    if not left:
        return []
    return [
        f"jobs of an earlier run in this folder are still in the queue: {', '.join(left)};"
        f" wait until they have ended, or run: scancel {' '.join(left)}"
    ]


def waiting_arrays(workflow: Any) -> list[str]:
    """Errors for limits with which the Slurm plugin would wait forever, since it submits only whole arrays.

    If `jobs` or another limit allows only some of the ready jobs of a rule, the plugin drops these jobs
    without a message (snakemake-executor-plugin-slurm 2.8.0).
    """
    if internals.executor(workflow) != "slurm" or not internals.array_jobs(workflow):
        return []
    jobs = collections.Counter(job.rule.name for job in internals.jobs_to_run(workflow))
    count = max(jobs.values(), default=0)
    limits = {"jobs": internals.most_jobs(workflow), "resources: gpu": internals.limit(workflow, "gpu")}
    return [
        f"'{name}' is {limit}, below the {count} jobs of one rule, which slurm-array-jobs would never submit:"
        f" set it to {count} or more, or slurm-array-jobs to nothing"
        for name, limit in limits.items()
        if limit is not None and 0 < limit < count
    ]


def long_commands(workflow: Any) -> list[str]:
    """Errors for jobs whose commands contain too many files or labels for a shell."""
    return [
        f"{name}: a command of {size:,} bytes; a shell gets at most {internals.LONGEST_COMMAND:,}: take fewer"
        " rows, or shorter labels and paths"
        for name, size in internals.long_commands(workflow).items()
    ]


def unreachable_hosts(
    workflow: Any,
    downloads: Mapping[str, Mapping[str, Any]],
    unreachable: Callable[[list[Any]], list[str]],
) -> list[str]:
    """Errors for hosts of planned downloads that do not answer; with --keep-going they are only warnings.

    :param workflow: Snakemake's workflow
    :param downloads: by rule, then by the path that a job makes: the rows of the registry that no mirror has
    :param unreachable: the hosts of some rows that do not answer
    """
    rows = {}
    for job in internals.jobs_to_run(workflow):
        # A group of a profile sends downloads to nodes, whose network may differ from this machine's.
        if job.rule.name in downloads and job.is_local:
            path = job.wildcards.path
            if path in downloads[job.rule.name]:
                rows[path] = downloads[job.rule.name][path]
    problems = unreachable(list(rows.values())) if rows else []
    if not internals.keeps_going(workflow):
        return problems
    warn(problems)
    return []


def at_end(workflow: Any, leaves: Sequence[str]) -> str:
    """The text at the end of a run: the requested tables, and the path of the page."""
    return tables.ending(internals.targets(workflow), leaves)


def keep_leaves(workflow: Any, leaves: set[str]) -> None:
    """Keep copies of the leaves that jobs will remake."""
    written = [path for job in internals.jobs_to_run(workflow) for path in map(str, job.output)]
    finished.keep([Path(path) for path in written if path in leaves], FINISHED)


def put_leaves_back(workflow: Any) -> None:
    """Restore the previous run's leaves that jobs failed to remake, and mark their jobs as unfinished."""
    back = finished.put_back(FINISHED)
    for job in internals.jobs_to_run(workflow):
        if lost := [path for path in map(str, job.output) if Path(path) in back]:
            internals.mark_unfinished(workflow, job)
            print(f"{', '.join(lost)}: not made; the file of the previous run is back", file=sys.stderr)


def described(rules: Iterable[Any]) -> list[list[str]]:
    """A row for each rule with a log: name, the stage or paper in the log's path, docstring."""
    return [
        [rule.name, Path(log).parts[1], " ".join((rule.docstring or "").split())]
        for rule in rules
        for log in rule.log[:1]
    ]
