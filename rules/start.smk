# Steps before the settings are read. This file has no rules.
import gc
import os
import shutil
import signal
import sys
from pathlib import Path

# Older releases give a module without `config` none at all.
globals().setdefault("config", {})
# The folder of this checkout, which another workflow may use as a module; `basedir` is that workflow's.
CHECKOUT = Path(str(workflow.current_basedir)).parent
sys.path.insert(0, str(CHECKOUT))

if not (CHECKOUT / "workflow_scripts").is_dir():
    print(
        "error: rules need the files beside them: clone the repository, and name the clone's Snakefile",
        file=sys.stderr,
    )
    sys.exit(2)

from workflow_scripts.core import rule_defaults
from workflow_scripts.core import snakemake_internals as internals
from workflow_scripts.core.errors import InputError, stop

# The graph of jobs is many small objects that stay: after every 700 of them, Python would look for garbage in vain.
gc.set_threshold(10_000)

# Snakemake would end with a traceback.
if internals.makes_environments(workflow) and shutil.which("conda") is None:
    stop(
        "--sdm conda calls the program conda, which is not on the PATH: install it, or leave --sdm out and run:"
        f" make -C {CHECKOUT} setup"
    )


# The packages that reading the rules needs besides Snakemake: `--sdm conda` provides them.
conda: "../envs/rules.yaml"


try:
    import pydantic
except ImportError:
    stop(
        "reading the rules needs pydantic, which is not beside this Snakemake: install it there"
        f" (pip install pydantic, pipx inject snakemake pydantic), add --sdm conda, or run: make -C {CHECKOUT} setup"
    )

from workflow_scripts.config import files
from workflow_scripts.core import processes, run_records
from workflow_scripts.progress import jobs as progress

# Not under nohup, which ignores it.
if internals.is_first_process(workflow) and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
    signal.signal(signal.SIGHUP, processes.hang_up)

try:
    files.check_files([CHECKOUT / "config.yaml", *internals.overlays(workflow)])
    if internals.is_first_process(workflow):
        run_records.mend(Path(".snakemake"), internals.check_of_records())
except InputError as problem:
    stop(problem)

# In place of Snakemake's lines on each job, unless the user asks for these or for another logger.
PROGRESS = None
if internals.is_first_process(workflow) and not internals.tells_jobs(workflow):
    PROGRESS = progress.install(
        CHECKOUT / "resources/seconds.csv",
        # Known only after the rules are read.
        runs=lambda: internals.runs_jobs(workflow),
        at_end=lambda: at_end(),
    )
