"""The files of leaves, their rules, and their entries in Snakemake's report."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from workflow_scripts.leaves.registry import Leaf, Paper
from workflow_scripts.wiring.places import ROOT, resource


@dataclass(frozen=True)
class MadeOf:
    """The files and options behind a leaf, by the options of its command; what is None is left out."""

    files: Mapping[str, str | Sequence[str] | None]
    options: Mapping[str, Any] = field(default_factory=dict)
    listed: Sequence[str] = ()
    """Files that a manifest among `files` lists, or that lie in a folder among the options."""


@dataclass(frozen=True)
class LeafRule:
    """The rule of a leaf: the module `papers.<paper>.<leaf>` writes its files."""

    name: str
    command: str
    log: str
    input: Mapping[str, str | Sequence[str]]
    listed: Sequence[str]
    output: Sequence[str]
    options: Mapping[str, Any]


def each(path: str, languages: Iterable[str]) -> list[str]:
    """A path in each of some languages, which stand for `{lang}`."""
    return [path.format(lang=lang) for lang in languages]


def leaf_rule(leaf: Leaf, made: MadeOf, scale: str) -> LeafRule:
    """The rule of a leaf: its printed numbers are added, and the scale if its own depend on it."""
    stem = leaf.name.rpartition("/")[2]
    paper = leaf.paper.replace("-", "_")
    files = {option: paths for option, paths in made.files.items() if paths is not None}
    options = dict(made.options)
    if printed(leaf):
        files["printed"] = resource(f"resources/printed/{leaf.printed}")
        if leaf.scaled:
            options["scale"] = scale
    return LeafRule(
        name=re.sub(r"\W", "_", leaf.name),
        command=f"papers.{paper}.{stem.replace('-', '_')}",
        log=f"logs/{paper}/{stem}.log",
        input=files,
        listed=made.listed,
        output=paths_of(leaf),
        options={**files, **options},
    )


def printed(leaf: Leaf) -> bool:
    """Whether the printed numbers of a leaf are available."""
    return os.path.exists(resource(f"resources/printed/{leaf.printed}"))


def paths_of(leaf: Leaf) -> list[str]:
    """The files of a leaf, in the order of its module's arguments."""
    endings = [".svg"] * (leaf.kind == "figure") + [".csv"] + [".compare.csv"] * printed(leaf)
    return [f"results/{leaf.name}{ending}" for ending in endings]


def files_of_papers(leaves: Iterable[Leaf], *papers: str) -> list[str]:
    """The files of all leaves of some papers: tables, figures, comparisons with the printed numbers."""
    return [path for leaf in leaves if leaf.paper in papers for path in paths_of(leaf)]


def reported(
    report: Callable[..., Any], leaves: Mapping[str, Leaf], papers: Mapping[str, Paper]
) -> Callable[[str], Any]:
    """A function that marks a file of a leaf for Snakemake's report, by its `report`."""
    return lambda path: report(path, **shown(path, leaves, papers))


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
