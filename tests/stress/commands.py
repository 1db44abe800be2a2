"""The commands of the package, and jobs that run them: of the tiny run and of the leaves of released data.

The command lines are the rules' own, asked of Snakemake; `further` has those of other commands.
"""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT
from workflow_scripts.leaves.registry import load, load_papers

# Commands that are given no file of another's, or are no part of a run.
UNTESTED = {
    "core.manifest": "reads no file",
    "core.tools": "builds environments, from lock files of the checkout",
    "core.conda": "for developers: from the requirements of the checkout",
    "config.reference": "for developers: reads no file",
    "report.resolved": "reads no file",
    "control.winomt": "runs in an environment of its own (fast_align)",
    "politeness.align": "runs in an environment of its own (fast_align)",
    "papers.cocoa_mt.table3": "runs in an environment of its own (spaCy)",
    "corpora.identify": "runs in an environment of its own (langdetect)",
    "corpora.sources.make_mirror": "calls the two downloads: see the campaign of states",
    "corpora.sources.download_files": "downloads: see the campaign of states",
    "core.fetch": "downloads a model of the hub",
    "core.fetch_packaged": "downloads a package",
    "responders.released": "downloads a model of the hub",
    "encoders.released": "takes over a checkpoint of the hub",
    "fluency.lmplz": "compiles a tool",
    "progress.install": "calls uv and pip, before any package is there",
    "progress.measure": "for developers: reads a log of Snakemake",
    "papers.tydip.picture": "for developers: draws a finished table for a document",
    "report.gallery": "for developers: copies a finished run into a document",
    "report.beside": "for developers: draws a finished table for a document",
}


@dataclass(frozen=True)
class Job:
    """One call of a command: its module below the package, its arguments, what it reads and writes."""

    module: str
    arguments: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def jobs_of_rules(folder: Path, configfiles: list[str]) -> list[Job]:
    """The jobs of all leaves in the order in which they run, as Snakemake would call them."""
    papers = [paper.name for paper in load_papers(ROOT / "resources/papers.csv").values()]
    leaves = [leaf for leaf in load(ROOT / "resources/leaves.csv") if leaf.paper in papers]
    goals = [f"results/{leaf.name}.csv" for leaf in leaves] + ["results/index.html", "results/sources.csv"]
    goals += [
        "results/human/rewriting/en.html",
        "results/human/fr.spreadsheet.csv",
        "results/human/fr.html",
        "results/human/fr.qualification.html",
    ]
    words = [
        json.dumps(value)
        for value in ({}, ["config.yaml", *(str(folder / name) for name in configfiles)], goals)
    ]
    done = subprocess.run(
        [sys.executable, "-m", "tests.workflow.dag", str(folder), *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    # In the same order each time, since a case is named after the job's place in it.
    found = sorted((json.loads(line) for line in done.stdout.splitlines()), key=lambda one: one["output"])
    # Downloads would ask the network; `further` has one from a mirror.
    jobs = [
        job for one in found if (job := _job(one)) and not job.module.startswith("corpora.sources.download")
    ]
    return list(_in_order(jobs))


def _job(found: dict) -> Job | None:
    """A job of Snakemake that calls a command in the main environment; None for any other."""
    words = shlex.split(found["shell"] or "")
    if words[:2] != ["python", "-m"] or not words[2].startswith("workflow_scripts."):
        return None
    end = next((at for at, word in enumerate(words) if word.startswith("2>")), len(words))
    module = words[2].removeprefix("workflow_scripts.")
    return Job(module, tuple(words[3:end]), tuple(found["input"]), tuple(found["output"]))


def _in_order(jobs: list[Job]) -> Iterator[Job]:
    """Jobs after those whose outputs they read."""
    makers = {output: job for job in jobs for output in job.outputs}
    seen: set[Job] = set()

    def visit(job: Job) -> Iterator[Job]:
        if job in seen:
            return
        seen.add(job)
        for path in job.inputs:
            if path in makers:
                yield from visit(makers[path])
        yield job

    for job in jobs:
        yield from visit(job)


def chosen(jobs: list[Job]) -> dict[str, Job]:
    """Of each command, a job for each set of options that it is called with; by name."""
    found: dict[tuple[str, ...], Job] = {}
    for job in jobs:
        options = sorted({word.split("=")[0] for word in job.arguments if word.startswith("--")})
        if job.module in ("transfer.decode", "seq2seq.train", "encoders.score"):
            options = []
        if job.module == "encoders.train":
            # What learns classes may be of n-grams, which is another training.
            options.append(job.arguments[job.arguments.index("--objective") + 1])
        found.setdefault((job.module, *options), job)
    names: dict[str, Job] = {}
    for (module, *_), job in found.items():
        number = sum(1 for name in names if name.split(":")[0] == module)
        names[module if not number else f"{module}:{number + 1}"] = job
    return names
