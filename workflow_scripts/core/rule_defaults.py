"""Defaults that rules get after all of them are read; Snakemake has none for these."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.snakemake_internals import attribute, rules_of

# How rules state the amount of work of their jobs under `resources`: the step of `resources/rates.csv`, if it
# is not the rule's name; what it counts, if not lines; the number of lines, if it is not that of the files
# that they read; and where the size of the network that they write comes from.
AMOUNTS = ("step", "counts", "lines", "weights")
# The module of the package that a command runs.
_MODULE = re.compile(r" -m workflow_scripts\.([a-z0-9_.]+) ")
# Wildcards of a path, without their constraints.
_WILDCARDS = re.compile(r"(?:\{\w+\})+")


def give_defaults(workflow: Any, folder: Path, environment: Path, code_of: Callable[[str], str]) -> None:
    """Give the rules below a folder the defaults they lack: environment, log, benchmark, digest of code.

    The environment is the same for all commands. The log is `logs/<stage or paper>/<rule>.<wildcards>.log`,
    and the benchmark is named after it: `build/benchmarks/x.tsv` for `logs/x.log`. The param `code` is the
    result of `code_of` for the module that the command runs. Call it after all rules are read. A rule without
    output gets no benchmark, which would be its only file. Raises InputError for a command without a module.
    """
    for rule in rules_of(workflow):
        info, command = attribute(rule, "ruleinfo"), attribute(rule, "shellcmd")
        if command is None or not Path(attribute(rule, "snakefile")).is_relative_to(folder):
            continue
        if attribute(rule, "conda_env") is None:
            rule.conda_env = str(environment)
        if not info.log:
            _give_log(rule, folder)
        if not attribute(rule, "output"):
            continue
        if attribute(rule, "params").get("code") is None:
            module = _MODULE.search(command)
            if module is None:
                raise InputError(
                    f"rule {rule.name} runs no module of the package", fix="give it a param code"
                )
            attribute(rule, "set_params")(code=code_of(module[1]))
        if attribute(rule, "benchmark") is None:
            rule.benchmark_modifier = attribute(rule, "log_modifier")
            path = str(info.log.paths[0]).removeprefix("logs/").removesuffix(".log")
            rule.benchmark = f"build/benchmarks/{path}.tsv"


def _give_log(rule: Any, folder: Path) -> None:
    """Name a rule's log after its file of rules, itself, and the wildcards of its output in their order.

    Wildcards with nothing between them stay so: the second may be empty, or begin with a dot.
    """
    from snakemake.io import strip_wildcard_constraints
    from snakemake.ruleinfo import InOutput

    place = Path(attribute(rule, "snakefile")).relative_to(folder).with_suffix("").as_posix()
    stage = place.removeprefix("rules/").removeprefix("papers/").partition("/")[0]
    output = strip_wildcard_constraints("".join(map(str, attribute(rule, "output")[:1])))
    words = [rule.name, *dict.fromkeys(_WILDCARDS.findall(output))]
    # On the ruleinfo, which rules of another workflow copy.
    info = attribute(rule, "ruleinfo")
    info.log = InOutput((f"logs/{stage}/{'.'.join(words)}.log",), {}, info.path_modifier)
    rule.log_modifier = info.log.modifier
    attribute(rule, "set_log")(*info.log.paths)


def forget_functions(workflow: Any) -> None:
    """Take the functions of rules out of the names that rules share; call it after all rules are read.

    Snakemake copies all these names several times for each command that it lists or runs, and with two names
    for each rule most of them are such functions. Rules hold their functions themselves.
    """
    names = attribute(workflow, "globals")
    functions = {id(attribute(rule, "ruleinfo").func) for rule in rules_of(workflow)}
    for name in [name for name, value in names.items() if id(value) in functions]:
        del names[name]


def set_aside_amounts(workflow: Any) -> None:
    """Move the amounts of work out of all rules' resources into `rule.amounts`, for `jobs_behind`.

    As resources they would be printed with each job, and jobs with different ones could not form a group.
    Call it after all rules are read. Raises InputError for an amount that is not a string.
    """
    for rule in rules_of(workflow):
        declared = attribute(rule, "ruleinfo").resources
        rule.amounts = {name: declared[1][name] for name in AMOUNTS if declared and name in declared[1]}
        for name, value in rule.amounts.items():
            if not isinstance(value, str):
                raise InputError(f"rule {rule.name}: the resource {name} is no text", fix="put it in quotes")
        if rule.amounts:
            resources = attribute(rule, "resources")
            rule.resources = type(resources)(
                {name: value for name, value in resources.items() if name not in AMOUNTS}
            )


def give_resources_of_gpus(workflow: Any) -> None:
    """Apply a profile's ``--set-resources`` entries for `on_a_gpu` to the rules that count their GPUs.

    A rule's own entry wins. Rules whose `gpu` is a number are left out. Call it after all rules are read.
    """
    overwritten = attribute(workflow, "resource_settings", "overwrite_resources") or {}
    # Newer releases also hold the parsed values, which are what they assign to rules.
    overwritten = getattr(workflow.resource_settings, "_parsed_overwrite_resources", overwritten)
    for rule in rules_of(workflow):
        resources = attribute(rule, "ruleinfo").resources
        if resources and callable(resources[1].get("gpu")):
            for name, value in {**overwritten.get("on_a_gpu", {}), **overwritten.get(rule.name, {})}.items():
                attribute(rule, "resources")[name] = value
