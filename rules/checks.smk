# Checks before the first job, and the end of a run. This file has no rules.
import atexit

from workflow_scripts.corpora.sources import licensed, reach
from workflow_scripts.corpora.sources.registry import unpinned
from workflow_scripts.translation import apertium
from workflow_scripts.wiring import checks
from workflow_scripts.wiring.requirements import Requirements

requirements = Requirements(
    workflow,
    subjects,
    UNPINNED,
    licensed=licensed.missing,
    unpinned=unpinned,
    apertium=apertium.missing,
    unreachable=reach.unreachable,
)
# The text at the end of a run.
at_end = partial(checks.at_end, workflow, files_of(*PAPERS))

if internals.is_first_process(workflow):
    checks.warn(requirements.folders)
    atexit.register(requirements.warn)


onstart:
    internals.lift_rate_of_jobs(workflow)
    if problems := requirements.problems():
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
