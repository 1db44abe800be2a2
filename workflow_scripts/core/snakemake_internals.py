"""What the rules and commands ask of Snakemake beyond its documented language, in one place.

Snakemake documents neither the workflow object's attributes nor the graph of jobs, so that any release may
change them. Each function here says which one it needs; `NEEDED` lists them, and a test looks all up in the
installed version and in the oldest one that the Snakefile accepts.

The Snakefile imports this module, so it needs nothing but the standard library and the package's light parts.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from importlib.metadata import version
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError

# The oldest release with which the workflow is tested, and the newest. 9.0.0 lists the jobs, but after a
# change of a setting or of code it has nothing to do.
OLDEST, NEWEST = "9.6.0", "9.27.1"
# The jobs and seconds of `--max-jobs-per-timespan` where it is not given.
DEFAULT_RATE = (100, 1)
# Bytes of a command. It is one word of its shell's command line, and Linux takes words of less than 128 KiB;
# Snakemake puts the shell's options and the environment before it.
LONGEST_COMMAND = (128 - 4) * 1024
# What is asked of Snakemake: module, class, and attributes of the class.
NEEDED = (
    (
        "snakemake.workflow",
        "Workflow",
        (
            *("current_basedir", "modifier", "is_main_process", "overwrite_configfiles", "dryrun"),
            *("local_exec", "executor_plugin", "deployment_settings", "rules", "dag"),
            *("executor_settings", "global_resources", "nodes", "output_settings", "persistence"),
            *("main_snakefile", "execution_settings", "resource_settings"),
        ),
    ),
    ("snakemake.dag", "DAG", ("needrun_jobs", "jobs", "dependencies", "targetfiles")),
    (
        "snakemake.rules",
        "Rule",
        (
            *("is_producer", "get_wildcards", "expand_input", "docstring", "shellcmd"),
            *("output", "has_wildcards", "ruleinfo", "snakefile", "conda_env", "benchmark"),
            *("params", "set_params", "resources"),
            *("log_modifier", "benchmark_modifier"),
        ),
    ),
    (
        "snakemake.jobs",
        "Job",
        (
            *("wildcards", "params", "threads", "resources"),
            *("non_derived_params", "is_local", "shellcmd"),
        ),
    ),
    ("snakemake.api", "SnakemakeApi", ("workflow",)),
    ("snakemake.api", "DAGApi", ("printd3dag",)),
    ("snakemake.api", "resolve_snakefile", ()),
    ("snakemake.cli", "get_argument_parser", ()),
)
# What rules say under `resources` of the amount of their jobs: the step of `resources/rates.csv` that they
# are, if another than their name, and how many lines their texts have, if not those that they read.
AMOUNTS = ("step", "lines")

# The module of the package that a command runs.
_MODULE = re.compile(r" -m workflow_scripts\.([a-z0-9_.]+) ")


def _asked(found: Any, *names: str) -> Any:
    """An attribute of an attribute of Snakemake's object; InputError with the versions if there is none."""
    for name in names:
        try:
            found = getattr(found, name)
        except AttributeError:
            raise InputError(
                f"Snakemake {version('snakemake')} has no {type(found).__name__}.{name}, which this workflow"
                f" needs: install one of {OLDEST} to {NEWEST}, with which it is tested"
            ) from None
    return found


def is_first_process(workflow: Any) -> bool:
    """Whether this is the process that the user started, and not one that it started for a job."""
    return _asked(workflow, "is_main_process")


def overlays(workflow: Any) -> list[Path | str]:
    """The files of ``--configfile``."""
    return list(_asked(workflow, "overwrite_configfiles"))


def has_own_config(workflow: Any) -> bool:
    """Whether this Snakefile is a module of another one that gives it its configuration."""
    return _asked(workflow, "modifier", "skip_configfile")


def runs_here(workflow: Any) -> bool:
    """Whether jobs run on this machine, and not on the nodes of a cluster."""
    return _asked(workflow, "local_exec")


def makes_environments(workflow: Any) -> bool:
    """Whether Snakemake makes the environments that rules name: ``--sdm conda``."""
    chosen = _asked(workflow, "deployment_settings", "deployment_method") or ()
    return any(method.name == "CONDA" for method in chosen)


def executor(workflow: Any) -> str:
    """Who runs the jobs: local, slurm, ..."""
    return _asked(workflow, "executor_plugin", "name")


def lift_rate_of_jobs(workflow: Any) -> None:
    """Without `--max-jobs-per-timespan`, let as many jobs start in a second as there are; for `onstart`.

    By default they are 100. With any such limit, each look of Snakemake at the graph of jobs sets a timer for
    another one after a second, and so does that one: after some hundred jobs it looks all the time, and takes
    a third of a core from them (9.27.1). Nothing is done where a release has no such limit.
    """
    scheduler: Any = getattr(workflow, "scheduler", None)
    limit = getattr(scheduler, "job_rate_limiter", None)
    if limit is not None and (limit.max_jobs, limit.timespan) == DEFAULT_RATE:
        scheduler.job_rate_limiter = None


def array_jobs(workflow: Any) -> bool:
    """Whether the executor for Slurm submits jobs of a rule together."""
    return bool(_asked(workflow, "executor_settings", "array_jobs"))


def most_jobs(workflow: Any) -> int | None:
    """How many jobs may be on the nodes of a cluster at the same time; None where nothing limits them."""
    return _asked(workflow, "nodes")


def limit(workflow: Any, resource: str) -> int | None:
    """How much of a resource all jobs together may have; None where nothing limits it."""
    found = _asked(workflow, "global_resources").get(resource)
    return getattr(found, "value", found)


def targets(workflow: Any) -> list[str]:
    """The files that the run was asked for."""
    return list(map(str, _asked(workflow, "dag", "targetfiles")))


def is_included(workflow: Any, snakefile: Path) -> bool:
    """Whether another workflow has this Snakefile, as a module or included: it may have further rules."""
    return Path(_asked(workflow, "main_snakefile")).resolve() != snakefile.resolve()


def asked_for() -> list[str]:
    """The rules and files that the command line names; none where another program than Snakemake runs.

    The workflow object knows them only when the rules are read.
    """
    program = Path(sys.argv[0])
    if "snakemake" not in (program.name, program.parent.name):
        return []
    from snakemake.cli import get_argument_parser

    given = get_argument_parser().parse_known_args()[0]
    return sorted(
        {str(name) for kind in ("targets", "forcerun", "until") for name in _asked(given, kind) or ()}
    )


def names_of_targets(rules: Iterable[Any]) -> set[str]:
    """The names of rules, and of files that rules without wildcards make."""
    found = set()
    for rule in rules:
        found.add(rule.name)
        if not _asked(rule, "has_wildcards")():
            found |= set(map(str, _asked(rule, "output")))
    return found


def tells_jobs(workflow: Any) -> bool:
    """Whether the user has asked for Snakemake's own lines on jobs, or for none (``--quiet``)."""
    from snakemake.settings.types import Quietness

    settings = _asked(workflow, "output_settings")
    quiet = set(_asked(settings, "quiet") or ()) & {Quietness.ALL, Quietness.PROGRESS}
    return bool(quiet or _asked(settings, "verbose") or _asked(settings, "printshellcmds"))


def runs_jobs(workflow: Any) -> bool:
    """Whether jobs are run, and not only listed, or the rules checked."""
    return _asked(workflow, "executor_plugin") is not None and not _asked(workflow, "dryrun")


def keeps_going(workflow: Any) -> bool:
    """Whether jobs that do not depend on a failed one are still run: ``--keep-going``."""
    return bool(_asked(workflow, "execution_settings", "keep_going"))


def check_of_records() -> Callable[[Any], object]:
    """What raises ValueError for something that is no record of a finished file."""
    try:
        from snakemake.persistence import MetadataRecord
    except ImportError:
        # Older releases read any object of JSON.
        return _object
    return MetadataRecord.model_validate


def _object(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise ValueError("no object")
    return content


def has_dry_jobs(workflow: Any) -> bool:
    """Whether this is a dry run whose jobs are known by now."""
    return _asked(workflow, "dryrun") and _asked(workflow, "dag") is not None


def jobs_to_run(workflow: Any) -> list[Any]:
    """The jobs that are to run; each has `rule.name`, `wildcards` and `params`."""
    return list(_asked(workflow, "dag", "needrun_jobs")(exclude_finished=False))


def long_commands(workflow: Any) -> dict[str, int]:
    """The rules that are to run with commands too long for a shell, with the bytes of the longest."""
    found: dict[str, int] = {}
    for job in jobs_to_run(workflow):
        size = len(os.fsencode(_asked(job, "shellcmd") or ""))
        if size > LONGEST_COMMAND:
            found[job.rule.name] = max(size, found.get(job.rule.name, 0))
    return found


def mark_unfinished(workflow: Any, job: Any) -> None:
    """Note of the outputs of a job that they are not finished, so that the next run makes them."""
    _asked(workflow, "persistence", "started")(job)


def rules_of(workflow: Any) -> list[Any]:
    """All rules, those that are still to come left out; each has `name`, `log` and `docstring`."""
    return list(_asked(workflow, "rules"))


def give_defaults(workflow: Any, folder: Path, environment: Path, code_of: Callable[[str], str]) -> None:
    """Give the rules below a folder what they have not of their own: environment, benchmark, digest of code.

    Snakemake has no default of any. The environment is the same for all commands; what tells a job's log
    from others tells its benchmark too: `logs/x.log` and `build/benchmarks/x.tsv`; the param `code` is what
    `code_of` makes of the module that the command runs. For when all rules are read; a rule without output
    would get a benchmark as its only file. Raises InputError for a command without a log or a module.
    """
    for rule in rules_of(workflow):
        log, command = _asked(rule, "ruleinfo").log, _asked(rule, "shellcmd")
        if command is None or not Path(_asked(rule, "snakefile")).is_relative_to(folder):
            continue
        if not log:
            raise InputError(f"rule {rule.name}: a command without a log", fix="give it a log")
        if _asked(rule, "conda_env") is None:
            rule.conda_env = str(environment)
        if not _asked(rule, "output"):
            continue
        if _asked(rule, "params").get("code") is None:
            module = _MODULE.search(command)
            if module is None:
                raise InputError(
                    f"rule {rule.name} runs no module of the package", fix="give it a param code"
                )
            _asked(rule, "set_params")(code=code_of(module[1]))
        if _asked(rule, "benchmark") is None:
            rule.benchmark_modifier = _asked(rule, "log_modifier")
            path = str(log.paths[0]).removeprefix("logs/").removesuffix(".log")
            rule.benchmark = f"build/benchmarks/{path}.tsv"


def set_aside_amounts(workflow: Any) -> None:
    """Keep apart from all rules' resources the words that say how much a job has to do, for `jobs_behind`.

    As a resource, a word would stand beside each job, and jobs with different words could not be a group.
    For when all rules are read. Raises InputError for what is no word.
    """
    for rule in rules_of(workflow):
        given = _asked(rule, "ruleinfo").resources
        rule.amounts = {name: given[1][name] for name in AMOUNTS if given and name in given[1]}
        for name, value in rule.amounts.items():
            if not isinstance(value, str):
                raise InputError(f"rule {rule.name}: the resource {name} is no text", fix="put it in quotes")
        if rule.amounts:
            resources = _asked(rule, "resources")
            rule.resources = type(resources)(
                {name: value for name, value in resources.items() if name not in AMOUNTS}
            )


def give_resources_of_gpus(workflow: Any) -> None:
    """Give the rules that count their GPUs what ``--set-resources`` of a profile says of `on_a_gpu`.

    A rule's own entry wins. Rules whose `gpu` is a number are left out. Call it when all rules are read.
    """
    given = _asked(workflow, "resource_settings", "overwrite_resources") or {}
    # Newer releases have them as they are assigned to rules.
    given = getattr(workflow.resource_settings, "_parsed_overwrite_resources", given)
    for rule in rules_of(workflow):
        own = _asked(rule, "ruleinfo").resources
        if own and callable(own[1].get("gpu")):
            for name, value in {**given.get("on_a_gpu", {}), **given.get(rule.name, {})}.items():
                _asked(rule, "resources")[name] = value


def makes(rules: Iterable[Any], path: str) -> bool:
    """Whether some rule makes a file."""
    return any(_asked(rule, "is_producer")(path) for rule in rules)


def input_of(rules: Iterable[Any], path: str) -> list[str] | None:
    """What the rule that makes a file reads, with this run's settings; none if no rule makes it."""
    maker = next((rule for rule in rules if _asked(rule, "is_producer")(path)), None)
    if maker is None:
        return None
    return list(map(str, _asked(maker, "expand_input")(_asked(maker, "get_wildcards")(path))[0]))


def jobs_behind(
    snakefile: Path, targets: list[str], *, configfiles: list[Path], config: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """All jobs that make some files, whatever is there already, as Snakemake plans them. No job runs.

    Each has a number, and those of the jobs whose files it takes in `after`; a job comes after these. Paths
    are relative to the working directory. Raises InputError, with what Snakemake says, if it finds no way to
    make the files.
    """
    from snakemake.api import SnakemakeApi
    from snakemake.settings.types import (
        ConfigSettings,
        DAGSettings,
        OutputSettings,
        Quietness,
        ResourceSettings,
    )

    with SnakemakeApi(OutputSettings(quiet={Quietness.ALL})) as api, redirect_stdout(sys.stderr):
        api_workflow = api.workflow(
            # More than any job asks for: Snakemake cuts a job's threads down to what there is.
            resource_settings=ResourceSettings(cores=1024),
            config_settings=ConfigSettings(config=config, configfiles=configfiles),
            snakefile=snakefile,
            workdir=Path.cwd(),
        )
        try:
            planned = api_workflow.dag(DAGSettings(targets=set(targets), forceall=True))
            # Whatever it prints, afterwards the jobs are there.
            with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
                planned.printd3dag()
        except Exception as error:
            reason = " ".join(str(error).split())
            raise InputError(f"Snakemake finds no plan of this: {reason}", path=snakefile) from None
        dag = _asked(api_workflow, "_workflow", "dag")
        yield from _in_order(dag)


def _in_order(dag: Any) -> Iterator[dict[str, Any]]:
    """The jobs of a graph, each after those that it needs."""
    numbers: dict[Any, int] = {}
    for job in sorted(
        _asked(dag, "jobs"), key=lambda job: (job.rule.name, list(job.output), str(job.wildcards))
    ):
        todo = [job]
        while todo:
            before = sorted(dag.dependencies[todo[-1]], key=lambda job: (job.rule.name, list(job.output)))
            if waiting := [other for other in before if other not in numbers]:
                todo += waiting
                continue
            found = todo.pop()
            if found in numbers:
                continue
            numbers[found] = len(numbers)
            yield {
                "number": numbers[found],
                "after": sorted({numbers[other] for other in before}),
                "rule": found.rule.name,
                "step": found.rule.amounts.get("step", found.rule.name),
                "lines": found.rule.amounts.get("lines", ""),
                "command": found.shellcmd is not None,
                "wildcards": dict(found.wildcards.items()),
                "input": list(map(str, found.input)),
                "output": list(map(str, found.output)),
                "benchmark": str(found.benchmark or ""),
                "params": dict(found.params.items()),
                "threads": found.threads,
                "local": found.is_local,
                "resources": {name: found.resources.get(name) for name in ("mem_mb", "runtime", "gpu")},
            }
