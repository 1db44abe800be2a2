"""The numbers of jobs and submissions that a run needs on a cluster, from its DAG.

python -m tests.cluster.submissions
"""

from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from tests.workflow.dag import ask

ROOT = Path(__file__).parents[2]
TABLE7 = ["results/table7.csv"]


def profile() -> dict[str, Any]:
    """The profile for Slurm."""
    return yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8"))


def depths(jobs: list[dict[str, Any]]) -> list[int]:
    """The number of jobs on the longest way to each job: those of one depth can start at the same time."""
    makers = {path: number for number, job in enumerate(jobs) for path in job["output"]}
    found: dict[int, int] = {}

    def depth(number: int) -> int:
        if number not in found:
            before = {makers[path] for path in jobs[number]["input"] if path in makers}
            found[number] = 1 + max(map(depth, before), default=0)
        return found[number]

    return [depth(number) for number in range(len(jobs))]


def counted(jobs: list[dict[str, Any]]) -> dict[str, int]:
    """Jobs of all kinds; jobs on nodes; submissions, if the jobs of a rule at one depth start together."""
    settings = profile()
    groups = dict(item.split("=") for item in settings["groups"])
    sizes = {name: int(size) for name, size in (item.split("=") for item in settings["group-components"])}
    chains: Counter[str] = Counter()
    arrays, on_nodes = set(), 0
    for job, depth in zip(jobs, depths(jobs), strict=True):
        group = groups.get(job["rule"])
        if group:
            # Each chain of the group has one job of its first rule.
            chains[group] += job["rule"] == next(rule for rule in groups if groups[rule] == group)
        elif not job["local"]:
            on_nodes += 1
            arrays.add((job["rule"], depth))
    grouped = sum(-(-count // sizes[name]) for name, count in chains.items())
    return {"jobs": len(jobs), "on nodes": on_nodes + grouped, "submissions": len(arrays) + grouped}


if __name__ == "__main__":
    print(counted(ask(ROOT, {}, ["config/paper.yaml"], TABLE7)))
