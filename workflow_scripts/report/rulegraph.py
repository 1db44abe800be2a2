"""Command: the rules that make a file, the purpose of each, and the rules before it."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import read_csv, write_csv
from workflow_scripts.core.errors import InputError, about
from workflow_scripts.core.processes import call

HEADER = ("rule", "stage", "does", "after")
_NODE = re.compile(r'^\s*(\d+)\[label = "(\w+)"')
_EDGE = re.compile(r"^\s*(\d+) -> (\d+)$")


def rulegraph(target: Path, *, snakefile: Path, settings: Path, rules: Path, goal: str) -> None:
    """Ask snakemake for the graph of the rules that make `goal`, with the settings of the run.

    That takes no lock and starts no job. Raises InputError if snakemake fails or names a rule that is not
    listed.

    :param target: CSV to write: rule, stage, does, after (the rules whose files it takes)
    :param snakefile: of the workflow
    :param settings: the checked configuration, from `report.resolved`
    :param rules: CSV: rule, stage (or the paper whose leaf it makes), does (its docstring)
    :param goal: a file that the workflow makes
    """
    with about(target):
        lines = call(
            [
                *(sys.executable, "-m", "snakemake", "--nolock", "--snakefile", snakefile),
                *("--configfile", settings, "--rulegraph", "dot", "--", goal),
            ],
            keep=f"{_NODE.pattern}|{_EDGE.pattern}",
        )
    known = {name: (stage, does) for _, (name, stage, does) in read_csv(rules, HEADER[:3])}
    names, after = parse(lines)
    for name in names:
        if name not in known:
            raise InputError(f"no rule {name}", path=rules)
    write_csv(target, HEADER, [(name, *known[name], " ".join(after[name])) for name in sorted(names)])


def parse(lines: Iterable[str]) -> tuple[list[str], dict[str, list[str]]]:
    """The rules in snakemake's dot text, and for each the rules before it, sorted; other lines are passed."""
    names: dict[str, str] = {}
    after: dict[str, set[str]] = {}
    for line in lines:
        if node := _NODE.match(line):
            names[node[1]] = node[2]
            after.setdefault(node[2], set())
        elif edge := _EDGE.match(line):
            after[names[edge[2]]].add(names[edge[1]])
    if not names:
        raise InputError("snakemake has printed no graph")
    return list(names.values()), {name: sorted(before - {name}) for name, before in after.items()}


if __name__ == "__main__":
    run(rulegraph)
