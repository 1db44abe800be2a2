# Checks before the first job, and the end of a run. This file has no rules.
import atexit
from functools import partial

from workflow_scripts.config import folders
from workflow_scripts.core import gpu
from workflow_scripts.corpora.sources import licensed as licences
from workflow_scripts.corpora.sources.registry import unpinned
from workflow_scripts.progress import tables
from workflow_scripts.translation import apertium
from workflow_scripts.wiring import checks
from workflow_scripts.wiring.sockeye import SOCKEYE, sockeye_paths, sockeye_problem

# Missing requirements of jobs by the value of their wildcard, as noted by the functions of their input.
MISSING = {}
# The rules that read a model of Sockeye: a dry run warns about it.
MODELS = ("check_sockeye", "read_sockeye")
# Folders that the configuration names and that are not there: a dry run warns about them too.
MISSING_FOLDERS = folders.missing(SETTINGS)
# The rules that ask a service, and whose settings name the key.
ASKED = {
    "prompted_endpoint": lambda wildcards: systems.named[wildcards.system],
    "asked_endpoint": lambda wildcards: politeness.asked[wildcards.classifier],
    "answered_endpoint": lambda wildcards: dialogue.systems[wildcards.system],
    "rewritten_endpoint": lambda wildcards: users.systems[wildcards.rewriter],
    "controlled_endpoint": lambda wildcards: control.systems[wildcards.system],
    **dict.fromkeys(["judge_endpoint", "judge_sentences_endpoint"], lambda wildcards: systems.scorers.judge),
}


def licensed_folder(wildcards):
    """Notes a licensed corpus that some job needs and that is not there, for onstart."""
    row = next(row for row in REGISTRY if row.id == wildcards.id)
    if problem := licences.missing(row, Path(corpora.licensed)):
        MISSING[row.id] = problem
    return []


def unpinned_download(wildcards):
    """Notes a download whose checksum nobody knows and nobody accepts, for onstart."""
    if problem := unpinned(wildcards.path, REGISTRY, UNPINNED):
        MISSING[wildcards.path] = problem
    return []


def sockeye_files(wildcards):
    """The files of a model of Sockeye; notes one that is not there or has no checksum, for onstart."""
    folder = control.sockeye[wildcards.lang]
    if problem := sockeye_problem(wildcards.lang, folder, accepted=SOCKEYE in UNPINNED):
        MISSING[wildcards.lang] = problem
        return []
    return sockeye_paths(folder)


def missing_inputs(*rules):
    """What was noted of jobs to run: others are asked for their input where sources are traced back."""
    return checks.noted(workflow, MISSING, rules)


def unreachable(rows):
    """The hosts of some rows that do not answer."""
    # Beside every Snakemake, but not needed to read the rules.
    from workflow_scripts.corpora.sources import reach

    return reach.unreachable(rows, Path(resource("resources")))


def unreachable_hosts():
    """The hosts of planned downloads that do not answer."""
    without_mirror = {
        name: {path: row for path, row in rows.items() if not corpora.mirror_option(row)}
        for name, rows in (("download", corpora.files), ("download_files", corpora.folders))
    }
    return checks.unreachable_hosts(workflow, without_mirror, unreachable)


def missing_programs():
    """Missing programs that jobs call, and commands that are too long for a shell."""
    modes = partial(apertium.missing, config["translation"]["apertium"]["chains"])
    needed = checks.missing_programs(workflow, backend.kind, modes)
    return needed + checks.long_commands(workflow)


def missing_keys():
    """The keys of services that planned jobs ask and that the environment lacks."""
    return checks.missing_keys(internals.jobs_to_run(workflow), ASKED)


def silent_servers():
    """The servers of this machine that planned jobs ask and that do not run."""
    return checks.silent_servers(internals.jobs_to_run(workflow), ASKED)


def warn_of_jobs():
    """A dry run has no hook, and knows its jobs at its end only."""
    if internals.has_dry_jobs(workflow):
        checks.warn(missing_inputs(*MODELS) + missing_programs() + missing_keys() + silent_servers())


if internals.is_first_process(workflow):
    checks.warn(MISSING_FOLDERS)
    atexit.register(warn_of_jobs)


def at_end():
    """The text at the end of a run: the requested tables, and the path of the page."""
    return tables.ending(internals.targets(workflow), files_of(*PAPERS))


onstart:
    internals.lift_rate_of_jobs(workflow)
    problems = MISSING_FOLDERS + missing_inputs("check_licensed", "download") + missing_inputs(*MODELS)
    problems += missing_programs()
    problems += checks.waiting_arrays(workflow) + checks.jobs_of_an_earlier_run(workflow)
    problems += checks.missing_gpu(workflow, gpu.count) + missing_keys()
    if internals.keeps_going(workflow):
        checks.warn(silent_servers())
    else:
        problems += silent_servers()
    # Asked only of a run that nothing else stops.
    problems = problems or unreachable_hosts()
    if problems:
        stop("\nerror: ".join(problems))
    try:
        checks.keep_leaves(workflow, set(files_of(*PAPERS)))
    except InputError as problem:
        stop(problem)


onsuccess:
    checks.put_leaves_back(workflow)
    if PROGRESS:
        PROGRESS.say(at_end())


onerror:
    checks.put_leaves_back(workflow)
