"""The files of leaves, and their entries in Snakemake's report."""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workflow_scripts.leaves.registry import Leaf, Paper
from workflow_scripts.wiring.places import ROOT, resource


def printed(leaf: Leaf) -> bool:
    """Whether the printed numbers of a leaf are available."""
    return os.path.exists(resource(f"resources/printed/{leaf.printed}"))


def files_of(leaf: Leaf) -> list[str]:
    """The files of a leaf, in the order of its module's arguments."""
    endings = [".svg"] * (leaf.kind == "figure") + [".csv"] + [".compare.csv"] * printed(leaf)
    return [f"results/{leaf.name}{ending}" for ending in endings]


def files_of_papers(leaves: Iterable[Leaf], papers: Iterable[str]) -> list[str]:
    """The files of all leaves of some papers: tables, figures, comparisons with the printed numbers."""
    wanted = set(papers)
    return [path for leaf in leaves if leaf.paper in wanted for path in files_of(leaf)]


def shown(path: str, leaves: Mapping[str, Leaf], papers: Mapping[str, Paper]) -> dict[str, Any]:
    """The arguments of `report` for a file of a leaf: its paper, number, caption and file type."""

    def leaf_of(wildcards: Any) -> tuple[Leaf, str]:
        name, _, ending = path.format(**wildcards).removeprefix("results/").partition(".")
        return leaves[name], ending

    def labels(wildcards: Any) -> dict[str, str]:
        found, ending = leaf_of(wildcards)
        return {"leaf": found.number, "shows": found.caption, "file": ending}

    category: Callable[[Any], str] = lambda wildcards: papers[leaf_of(wildcards)[0].paper].label  # noqa: E731
    return {
        "caption": str(ROOT / "workflow_scripts/report/leaf.rst"),
        "category": category,
        "labels": labels,
    }
