"""The jobs of all scales give modules the options they accept, and files of the right kind."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.commands import Command, command, parser
from workflow_scripts.wiring.resources import FIRST

from .scales import CONFIGURATIONS

pytestmark = pytest.mark.slow
# Paths of the run and of the checkout; a text may hold several.
PATHS = re.compile(r"(?:build|results|resources)/[^\s\"',]+")
# What is named, but read by no job, or from whatever is there.
UNREAD = {
    "checkpoints": "states of jobs that did not end",
    "partial": "downloads that did not end",
    "downloads": "what is there of the sources",
    "generated": "what is there of the sources",
    "benchmarks": "how long jobs took that are done",
    "plan": "what was planned, if anything was",
    "goal": "whose rules are drawn",
    "rows": "what a manifest lists for those who read it",
    "configuration": "all settings as text",
}
# Of what a manifest lists, they read some systems or levels; `test_reads.py` holds which.
SOME = {
    "dialogue_transcripts",
    "impolite_table9",
    "cocoa_mt_table5",
    "cocoa_mt_table7",
    "cocoa_mt_table14",
    "agreement",
}


def calls(jobs: list[dict[str, Any]]) -> list[tuple[dict[str, Any], Command]]:
    """The jobs that call a module, each with its command."""
    found = [(job, command(job["shell"])) for job in jobs if job["shell"]]
    assert len(found) > 500
    return found


def within(path: str, files: list[str]) -> bool:
    """Whether a path is one of some files or folders, lies in one, or is a folder of one."""
    return any(f"{path}/".startswith(f"{file}/") or file.startswith(f"{path}/") for file in files)


@pytest.fixture(params=CONFIGURATIONS)
def jobs(request, jobs_at):
    """The jobs of a configuration."""
    return jobs_at(request.param)


def test_no_two_jobs_have_one_log(jobs):
    logs = [path for job in jobs for path in job["log"]]
    assert len(logs) > 500 and [path for path, jobs in Counter(logs).items() if jobs > 1] == []


def test_modules_read_the_options_that_they_are_given(jobs):
    wrong = set()
    for job, call in calls(jobs):
        known = parser(call.module)
        wrong |= {(job["rule"], name) for name in call.options.keys() - known.options}
        wrong |= {(job["rule"], name) for name in known.required - call.options.keys()}
        if not (known.any_number or len(call.words) == len(known.positional)):
            wrong.add((job["rule"], " ".join(call.words)))
    assert wrong == set()


def test_files_that_a_command_names_are_those_of_its_job(jobs):
    wrong = set()
    for job, call in calls(jobs):
        own = [*job["input"], *job["output"], *job["log"]]
        values = [*call.words, *(one for name in call.options.keys() - UNREAD for one in call.options[name])]
        paths = {path.rstrip("/") for value in values for path in PATHS.findall(value)}
        wrong |= {(job["rule"], path) for path in paths if not within(path, own)}
    assert wrong == set()


def test_what_a_manifest_lists_is_read_with_it(jobs):
    listed = {
        job["output"][0]: [path for path in PATHS.findall(job["params"]["rows"]) if path.startswith("build/")]
        for job, call in calls(jobs)
        if call.module == "core.manifest"
    }
    wrong = {
        (job["rule"], path)
        for job, _ in calls(jobs)
        if job["rule"] not in SOME
        for manifest in set(job["input"]) & listed.keys()
        for path in listed[manifest]
        if not any(f"{path}/".startswith(f"{file}/") for file in job["input"])
    }
    assert wrong == set()


def test_nothing_is_trained_on_what_tests(jobs):
    trainings = [job for job, call in calls(jobs) if re.search("train|tun", call.module.rpartition(".")[2])]
    assert len({job["rule"] for job in trainings}) > 10
    wrong = {
        (job["rule"], path) for job in trainings for path in job["input"] if re.search(r"\btest\b", path)
    }
    assert wrong == set()


def test_what_most_jobs_wait_for_starts_first(jobs_at):
    priorities = {job["rule"]: job["priority"] for job in jobs_at("demo")}
    assert max(priorities.values()) == FIRST
    first = {rule for rule, priority in priorities.items() if priority == FIRST}
    assert first == {
        *("tool_venv", "lmplz", "sample_bitext", "learn_nmt_text", "nmt_bitext", "train_nmt"),
        *("translate_gyafc", "translate_ratings", "encoder", "train_regressor"),
    }


@pytest.mark.parametrize("scale", CONFIGURATIONS)
def test_between_what_starts_first_nothing_starts_later(jobs_at, scale):
    makers = {path: job for job in jobs_at(scale) for path in job["output"]}
    waiting: dict[str, bool] = {}

    def before(job: dict[str, Any]) -> list[dict[str, Any]]:
        """The jobs that it waits for; of what lies in a folder, the folder's."""
        paths = (path for given in job["input"] for path in (given, *map(str, Path(given).parents)))
        return [makers[path] for path in paths if path in makers]

    def waits(job: dict[str, Any]) -> bool:
        """Whether a first job is among those that it waits for."""
        name = job["output"][0]
        if name not in waiting:
            waiting[name] = any(other["priority"] == FIRST or waits(other) for other in before(job))
        return waiting[name]

    first = [job for job in makers.values() if job["priority"] == FIRST]
    later = [other for job in first for other in before(job) if other["priority"] < FIRST]
    assert {job["rule"] for job in later if waits(job)} == set()
