"""The undocumented parts of Snakemake that the rules and commands use, in one place.

Snakemake documents neither the workflow object's attributes nor the graph of jobs, so any release may
change them. `NEEDED` lists those used here, and a test looks them all up in the installed version and in the
oldest version that the Snakefile accepts.

The Snakefile imports this module, which therefore needs only the standard library and the package's light
parts.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any

from workflow_scripts.core.errors import InputError

# The oldest and the newest release the workflow is tested with. 9.0.0 lists the jobs, but finds nothing to do
# after a change of a setting or of code.
OLDEST, NEWEST = "9.6.0", "9.27.1"
# The default of `--max-jobs-per-timespan`: jobs and seconds.
DEFAULT_RATE = (100, 1)
# The largest command in bytes. It is one argument of the shell, and Linux accepts arguments of less than
# 128 KiB; Snakemake puts the shell's options and the environment before it.
LONGEST_COMMAND = (128 - 4) * 1024
# The parts of Snakemake that are used: module, class, and attributes of the class.
NEEDED = (
    (
        "snakemake.workflow",
        "Workflow",
        (
            *("current_basedir", "modifier", "is_main_process", "overwrite_configfiles", "dryrun"),
            *("local_exec", "executor_plugin", "deployment_settings", "rules", "dag"),
            *("executor_settings", "global_resources", "nodes", "output_settings", "persistence"),
            *("main_snakefile", "execution_settings", "resource_settings", "globals"),
        ),
    ),
    ("snakemake.dag", "DAG", ("needrun_jobs", "jobs", "dependencies", "targetfiles")),
    (
        "snakemake.rules",
        "Rule",
        (
            *("get_wildcards", "expand_input", "expand_output", "docstring", "shellcmd"),
            *("output", "has_wildcards", "ruleinfo", "snakefile", "conda_env", "benchmark"),
            *("params", "set_params", "resources", "set_log"),
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
    ("snakemake.ruleinfo", "RuleInfo", ("path_modifier", "input", "params", "resources", "func", "log")),
    ("snakemake.ruleinfo", "InOutput", ("paths", "kwpaths", "modifier")),
    ("snakemake.io", "strip_wildcard_constraints", ()),
    ("snakemake.output_index", "OutputIndex", ("match_producers",)),
    ("snakemake.api", "SnakemakeApi", ("workflow",)),
    ("snakemake.api", "DAGApi", ("printd3dag",)),
    ("snakemake.api", "resolve_snakefile", ()),
    ("snakemake.cli", "get_argument_parser", ()),
    ("snakemake.common", "get_function_params", ()),
    ("snakemake.common", "overwrite_function_params", ()),
)


def attribute(owner: Any, *names: str) -> Any:
    """An attribute, or a nested one, of a Snakemake object; InputError with the versions if it is missing."""
    for name in names:
        try:
            owner = getattr(owner, name)
        except AttributeError:
            raise InputError(
                f"Snakemake {version('snakemake')} has no {type(owner).__name__}.{name}, which this workflow"
                f" needs: install one of {OLDEST} to {NEWEST}, with which it is tested"
            ) from None
    return owner


def is_first_process(workflow: Any) -> bool:
    """Whether this is the process that the user started, not one that Snakemake started for a job."""
    return attribute(workflow, "is_main_process")


def overlays(workflow: Any) -> list[Path | str]:
    """The files of ``--configfile``."""
    return list(attribute(workflow, "overwrite_configfiles"))


def has_own_config(workflow: Any) -> bool:
    """Whether another workflow uses this Snakefile as a module and gives it its configuration."""
    return attribute(workflow, "modifier", "skip_configfile")


def runs_here(workflow: Any) -> bool:
    """Whether jobs run on this machine rather than on the nodes of a cluster."""
    return attribute(workflow, "local_exec")


def makes_environments(workflow: Any) -> bool:
    """Whether Snakemake makes the environments that rules name: ``--sdm conda``."""
    chosen = attribute(workflow, "deployment_settings", "deployment_method") or ()
    return any(method.name == "CONDA" for method in chosen)


def executor(workflow: Any) -> str:
    """The name of the executor plugin: local, slurm, ..."""
    return attribute(workflow, "executor_plugin", "name")


def lift_rate_of_jobs(workflow: Any) -> None:
    """Without `--max-jobs-per-timespan`, remove the limit on jobs started per second; for `onstart`.

    The default limit is 100. With any limit, each time Snakemake examines the graph of jobs it sets a timer
    to examine it again after a second, and so on: after some hundred jobs it does so all the time, and uses
    a third of a core (9.27.1). Does nothing if the release has no such limit.
    """
    scheduler: Any = getattr(workflow, "scheduler", None)
    limit = getattr(scheduler, "job_rate_limiter", None)
    if limit is not None and (limit.max_jobs, limit.timespan) == DEFAULT_RATE:
        scheduler.job_rate_limiter = None


def array_jobs(workflow: Any) -> bool:
    """Whether the Slurm executor submits the jobs of a rule together."""
    return bool(attribute(workflow, "executor_settings", "array_jobs"))


def most_jobs(workflow: Any) -> int | None:
    """How many jobs may be on the nodes of a cluster at the same time; None if there is no limit."""
    return attribute(workflow, "nodes")


def limit(workflow: Any, resource: str) -> int | None:
    """How much of a resource all jobs together may use; None if there is no limit."""
    amount = attribute(workflow, "global_resources").get(resource)
    return getattr(amount, "value", amount)


def targets(workflow: Any) -> list[str]:
    """The files that this run is to make."""
    return list(map(str, attribute(workflow, "dag", "targetfiles")))


def is_included(workflow: Any, snakefile: Path) -> bool:
    """Whether another workflow includes this Snakefile or uses it as a module: it may have further rules."""
    return Path(attribute(workflow, "main_snakefile")).resolve() != snakefile.resolve()


def asked_for() -> list[str]:
    """The rules and files that the command line names; none if the program is not Snakemake.

    The workflow object knows them only after the rules are read.
    """
    program = Path(sys.argv[0])
    if "snakemake" not in (program.name, program.parent.name):
        return []
    from snakemake.cli import get_argument_parser

    options = get_argument_parser().parse_known_args()[0]
    return sorted(
        {str(name) for kind in ("targets", "forcerun", "until") for name in attribute(options, kind) or ()}
    )


def names_of_targets(rules: Iterable[Any]) -> set[str]:
    """The names of rules, and of the files made by rules without wildcards."""
    names = set()
    for rule in rules:
        names.add(rule.name)
        if not attribute(rule, "has_wildcards")():
            names |= set(map(str, attribute(rule, "output")))
    return names


def tells_jobs(workflow: Any) -> bool:
    """Whether the user wants Snakemake's own lines about jobs, or none (``--quiet``)."""
    from snakemake.settings.types import Quietness

    settings = attribute(workflow, "output_settings")
    quiet = set(attribute(settings, "quiet") or ()) & {Quietness.ALL, Quietness.PROGRESS}
    return bool(quiet or attribute(settings, "verbose") or attribute(settings, "printshellcmds"))


def runs_jobs(workflow: Any) -> bool:
    """Whether jobs are run, rather than only listed or the rules only checked."""
    return attribute(workflow, "executor_plugin") is not None and not attribute(workflow, "dryrun")


def keeps_going(workflow: Any) -> bool:
    """Whether jobs that do not depend on a failed one are still run: ``--keep-going``."""
    return bool(attribute(workflow, "execution_settings", "keep_going"))


def check_of_records() -> Callable[[Any], object]:
    """A function that raises ValueError for anything but a record of a finished file."""
    try:
        from snakemake.persistence import MetadataRecord
    except ImportError:
        # Older releases accept any JSON object.
        return _object
    return MetadataRecord.model_validate


def _object(content: Any) -> dict[str, Any]:
    if not isinstance(content, dict):
        raise ValueError("no object")
    return content


def has_dry_jobs(workflow: Any) -> bool:
    """Whether this is a dry run whose jobs are known by now."""
    return attribute(workflow, "dryrun") and attribute(workflow, "dag") is not None


def jobs_to_run(workflow: Any) -> list[Any]:
    """The jobs to run; each has `rule.name`, `wildcards`, `params` and `resources`."""
    return list(attribute(workflow, "dag", "needrun_jobs")(exclude_finished=False))


def long_commands(workflow: Any) -> dict[str, int]:
    """The rules to run whose commands are too long for a shell, with the bytes of the longest."""
    longest: dict[str, int] = {}
    for job in jobs_to_run(workflow):
        words = (*job.input, *job.output, *map(str, job.params))
        # Formatting takes long, and most commands are short even with each word twice, of characters of four
        # bytes, and as much again for the rest.
        if 16 * sum(map(len, words)) < LONGEST_COMMAND:
            continue
        size = len(os.fsencode(attribute(job, "shellcmd") or ""))
        if size > LONGEST_COMMAND:
            longest[job.rule.name] = max(size, longest.get(job.rule.name, 0))
    return longest


def mark_unfinished(workflow: Any, job: Any) -> None:
    """Record that the outputs of a job are not finished, so that the next run makes them."""
    attribute(workflow, "persistence", "started")(job)


def rules_of(workflow: Any) -> list[Any]:
    """All rules read so far; each has `name`, `log` and `docstring`."""
    return list(attribute(workflow, "rules"))


def keep_parameters(workflow: Any) -> None:
    """Let the functions of rules hold the list of their parameters; call it after all rules are read.

    For each job Snakemake finds out several times which arguments a function takes, which is a tenth of a dry
    run of thousands of jobs.
    """
    from snakemake import common, resources

    parameters_of = attribute(common, "get_function_params")
    hold = attribute(common, "overwrite_function_params")
    # Releases before 9.17 have no such class.
    given = [getattr(getattr(resources, "Resource", None), "evaluate", None)]
    for rule in rules_of(workflow):
        info = attribute(rule, "ruleinfo")
        for part in filter(None, (attribute(info, name) for name in ("input", "params", "resources"))):
            given += [*part[0], *part[1].values()]
    for function in given:
        if isinstance(function, FunctionType | MethodType):
            # Of some that Snakemake makes they are not those of the signature.
            hold(getattr(function, "__func__", function), parameters_of(function))


def makes(rules: Iterable[Any], path: str) -> bool:
    """Whether any rule makes a file."""
    return bool(attribute(_kept_index(tuple(rules)), "match_producers")(path))


def _index(rules: Iterable[Any]) -> Any:
    """Snakemake's index of outputs, which leads from a file to its rules.

    To ask each rule compiles all patterns, which is a twentieth of a start; with thousands of files it takes
    longer than all the rest.
    """
    from snakemake.output_index import OutputIndex

    return OutputIndex(list(rules))


# Rules of one name with the same outputs are equal, also those of two runs with other settings, so it is kept
# only for questions about outputs.
_kept_index = lru_cache(maxsize=1)(_index)


def inputs_of(rules: Iterable[Any]) -> Callable[[str], list[str] | None]:
    """A function that gives the input of the job that makes a file, with this run's settings.

    None if no rule makes it; that of the first rule if several do.
    """
    order = {rule: number for number, rule in enumerate(rules)}
    index = _index(order)
    inputs: dict[str, list[str] | None] = {}

    def input_of(path: str) -> list[str] | None:
        if path not in inputs:
            makers = attribute(index, "match_producers")(path)
            if not makers:
                inputs[path] = None
                return None
            maker = min(makers, key=order.__getitem__)
            wildcards = attribute(maker, "get_wildcards")(path)
            files = list(map(str, attribute(maker, "expand_input")(wildcards)[0]))
            inputs[path] = files
            # A job may have hundreds of outputs, which all have this input.
            for output in attribute(maker, "expand_output")(wildcards)[0]:
                inputs.setdefault(str(output), files)
        return inputs[path]

    return input_of


def jobs_behind(
    snakefile: Path, targets: list[str], *, configfiles: list[Path], config: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """All jobs that make the targets, as Snakemake plans them, even if files exist. No job runs.

    Each job has a number, and in `after` the numbers of the jobs whose files it reads, which come before it.
    Paths are relative to the working directory. Raises InputError, with Snakemake's message, if there is no
    way to make the files.
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
            # More than any job asks for: Snakemake limits a job's threads to the number of cores.
            resource_settings=ResourceSettings(cores=1024),
            config_settings=ConfigSettings(config=config, configfiles=configfiles),
            snakefile=snakefile,
            workdir=Path.cwd(),
        )
        try:
            planned = api_workflow.dag(DAGSettings(targets=set(targets), forceall=True))
            # Called for its side effect: afterwards the graph has its jobs.
            with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
                planned.printd3dag()
        except Exception as error:
            reason = " ".join(str(error).split())
            raise InputError(f"Snakemake finds no plan of this: {reason}", path=snakefile) from None
        dag = attribute(api_workflow, "_workflow", "dag")
        yield from _in_order(dag)


def _in_order(dag: Any) -> Iterator[dict[str, Any]]:
    """The jobs of a graph, each after the jobs it needs."""
    numbers: dict[Any, int] = {}
    for job in sorted(
        attribute(dag, "jobs"), key=lambda job: (job.rule.name, list(job.output), str(job.wildcards))
    ):
        todo = [job]
        while todo:
            before = sorted(dag.dependencies[todo[-1]], key=lambda job: (job.rule.name, list(job.output)))
            if waiting := [other for other in before if other not in numbers]:
                todo += waiting
                continue
            current = todo.pop()
            if current in numbers:
                continue
            numbers[current] = len(numbers)
            yield {
                "number": numbers[current],
                "after": sorted({numbers[other] for other in before}),
                "rule": current.rule.name,
                "step": current.rule.amounts.get("step", current.rule.name),
                "counts": current.rule.amounts.get("counts", "lines"),
                "lines": current.rule.amounts.get("lines", ""),
                "weights": current.rule.amounts.get("weights", ""),
                "command": current.shellcmd is not None,
                "wildcards": dict(current.wildcards.items()),
                "input": list(map(str, current.input)),
                "output": list(map(str, current.output)),
                "benchmark": str(current.benchmark or ""),
                "params": dict(current.params.items()),
                "threads": current.threads,
                "local": current.is_local,
                "resources": {name: current.resources.get(name) for name in ("mem_mb", "runtime", "gpu")},
            }
