"""Jobs read what their rules have as inputs, so that a change of any of it runs them again."""

from pathlib import Path

import pytest

from . import traces

# What jobs read besides their inputs, and why no change of it is to run them again.
BESIDE = {
    ".venvs/": "tools, whose folders are named after their lock files",
    "build/checkpoints/": "states of the job itself",
    "cache/": "translations, by all that defines them",
}
# The same of some rules.
BESIDE_OF = {
    "page": {"build/benchmarks/": "how long jobs took that are done"},
    "rulegraph": {
        ".snakemake/": "what Snakemake notes of this run",
        "config.yaml": "settings, which are in results/settings.json",
        "envs/": "lock files, after which folders of tools are named",
        "profiles/": "how jobs run",
        "resources/seconds.csv": "how long jobs take",
    },
}
# Folders that are listed besides those of inputs.
LISTED_OF = {
    "human_ratings": "only files with the names of languages may lie beside the inputs",
    "rulegraph": "Snakemake looks which files are there",
}
# Inputs that no job of their rule reads, by how they end.
UNREAD = {
    "/.done": "marks of tools that are whole",
    ".tex": "files that the page links",
}


@pytest.fixture(
    scope="module",
    params=[
        pytest.param("finished", marks=pytest.mark.slow),
        pytest.param("finished_whole", marks=pytest.mark.long),
    ],
)
def run(request):
    """The tiny run, of XFORMAL, and of the other papers too."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def jobs(run):
    """Its jobs."""
    found = traces.jobs(run.folder, run.notes)
    assert len(found) > 200
    return found


def within(path: str, files: list[str]) -> bool:
    """Whether a path is one of some files or folders, or lies in one."""
    return any(f"{path}/".startswith(f"{file}/") for file in files)


def is_code(path: str) -> bool:
    """Whether a file is of the package's code, whose digest is a param of the rules."""
    return path.startswith("workflow_scripts/") and (path.endswith(".py") or "/__pycache__/" in path)


def test_jobs_read_their_inputs_and_nothing_else(run, jobs):
    wrong = {
        (job.rule, path)
        for job in jobs
        for path in job.opened
        # Temporary files are gone.
        if (run.folder / path).is_file()
        and not is_code(path)
        and not path.startswith((*BESIDE, *BESIDE_OF.get(job.rule, ())))
        and not within(path, [*job.inputs, *job.outputs])
    }
    assert wrong == set()


def test_jobs_list_folders_of_their_inputs_and_nothing_else(run, jobs):
    wrong = set()
    for job in jobs:
        # Beside outputs, and folders of outputs, what killed jobs have left is removed.
        swept = {str(parent) for path in job.outputs for parent in Path(path).parents[:2]}
        beside = ("workflow_scripts/", *BESIDE, *BESIDE_OF.get(job.rule, ()))
        for path in job.listed - swept:
            if f"{path}/".startswith(beside) or job.rule in LISTED_OF or not (run.folder / path).is_dir():
                continue
            there = [f"{path}/{one.name}" for one in (run.folder / path).iterdir()]
            wrong |= {(job.rule, one) for one in there if not within(one, [*job.inputs, *job.outputs])}
    assert wrong == set()


def test_every_input_is_read_by_some_job_of_its_rule(jobs):
    inputs = {(job.rule, path) for job in jobs for path in job.inputs if not path.endswith(tuple(UNREAD))}
    read = {
        (job.rule, path)
        for job in jobs
        for path in job.inputs
        if any(within(one, [path]) for one in job.opened | job.listed)
    }
    assert inputs - read == set()
