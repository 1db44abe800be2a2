# What comes before the settings are read. No rule stands here.
import functools
import os
import shutil
import signal
import sys
from pathlib import Path

# Older releases give a module without `config` none at all.
globals().setdefault("config", {})
# The folder that this checkout is, in which another workflow may have it as a module; `basedir` is that workflow's.
CHECKOUT = Path(str(workflow.current_basedir)).parent
sys.path.insert(0, str(CHECKOUT))


def stop(problem):
    """Bad input, found before the first job: one line, exit code 2, no traceback."""
    print(f"error: {problem}", file=sys.stderr)
    sys.stderr.flush()
    sys.exit(2)


if not (CHECKOUT / "workflow_scripts").is_dir():
    stop("rules need the files beside them: clone the repository, and name the clone's Snakefile")

from workflow_scripts.core import snakemake_internals as internals

# Snakemake would end with a traceback.
if internals.makes_environments(workflow) and shutil.which("conda") is None:
    stop(
        "--sdm conda calls the program conda, which is not on the PATH: install it, or leave --sdm out and run:"
        f" make -C {CHECKOUT} setup"
    )


# What reading the rules needs besides Snakemake: `--sdm conda` brings it.
conda: "../envs/rules.yaml"


try:
    import pydantic
except ImportError:
    stop(
        "reading the rules needs pydantic, which is not beside this Snakemake: install it there"
        f" (pip install pydantic, pipx inject snakemake pydantic), add --sdm conda, or run: make -C {CHECKOUT} setup"
    )

from workflow_scripts.config import files
from workflow_scripts.core import run_records
from workflow_scripts.core.errors import InputError, nearest_target
from workflow_scripts.progress import jobs as progress
from workflow_scripts.progress import tables


def hang_up(number, frame):
    """The terminal was closed: the run ends as with Ctrl-C, so that no job goes on and no lock stays."""
    if os.getpgrp() == os.getpid():
        # Ctrl-C reaches the jobs too; the signal of a terminal that closes reaches the first process only.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.killpg(os.getpgrp(), signal.SIGINT)
    raise KeyboardInterrupt


# Not under nohup, which ignores it.
if internals.is_first_process(workflow) and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
    signal.signal(signal.SIGHUP, hang_up)

try:
    files.check_files([CHECKOUT / "config.yaml", *internals.overlays(workflow)])
    if internals.is_first_process(workflow):
        run_records.mend(Path(".snakemake"), internals.check_of_records())
except InputError as problem:
    stop(problem)


RECORDED = functools.cache(lambda: run_records.recorded(Path(".snakemake")))


def made_by_others(path):
    """Whether a file of a tool stands that no run in this directory has made: an experiment takes it as it is.

    With a rule for it, Snakemake would tell in each run that it has no record of how the file was made.
    """
    return (
        internals.is_first_process(workflow)
        and not os.path.samefile(".", CHECKOUT)
        and os.path.exists(path)
        and path not in RECORDED()
    )


def check_targets():
    """Stop at targets that no rule makes, and say what is near; for when all rules are read."""
    if not internals.is_first_process(workflow) or internals.is_included(workflow, CHECKOUT / "Snakefile"):
        return
    rules = internals.rules_of(workflow)
    names = {rule.name for rule in rules}
    unknown = [
        target
        for target in internals.asked_for()
        if target not in names
        # Of a storage plugin.
        and "://" not in target
        and not internals.makes(rules, target if os.path.isabs(target) else os.path.relpath(target))
    ]
    if unknown:
        known = internals.names_of_targets(rules)
        stop(
            "\nerror: ".join(
                f"no rule makes '{target}'; {nearest_target(os.path.relpath(target), known)}"
                for target in unknown
            )
        )


def at_end():
    """What a run ends with: the tables that it was asked for, and where the page is."""
    return tables.ending(internals.targets(workflow), [path for name in LEAVES for path in leaf_files(name)])


# In the place of Snakemake's lines on each job, unless these are asked for or another logger is.
PROGRESS = None
if internals.is_first_process(workflow) and not internals.tells_jobs(workflow):
    PROGRESS = progress.install(
        CHECKOUT / "resources/seconds.csv",
        # Which it is, is not known before the rules are read.
        runs=lambda: internals.runs_jobs(workflow),
        at_end=at_end,
    )


onsuccess:
    put_leaves_back()
    if PROGRESS:
        PROGRESS.say(at_end())
