"""Command: the rules that make a file, what each does, and which come before it."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from workflow_scripts.core.command import run
from workflow_scripts.core.csv_files import write_csv
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.core.processes import call

HEADER = ("rule", "stage", "does", "after")
_RULE = re.compile(
    r'^ *(?:rule|checkpoint|use rule \w+ as) (\w+)(?: with)?:\n(?: *"""(.*?)""")?', re.MULTILINE | re.DOTALL
)
_NODE = re.compile(r'^\s*(\d+)\[label = "(\w+)"')
_EDGE = re.compile(r"^\s*(\d+) -> (\d+)$")


def rulegraph(target: Path, *, snakefile: Path, settings: Path, rules: list[Path], goal: str) -> None:
    """Ask snakemake for the graph of the rules that make `goal`, with the settings of the run.

    That takes no lock and starts no job. Raises InputError if snakemake fails or names a rule that stands in
    none of the files.

    :param target: CSV to write: rule, stage (the file that it stands in), does (its docstring), after (the
        rules whose files it takes)
    :param snakefile: of the workflow
    :param settings: the checked configuration, from `report.resolved`
    :param rules: the files with the rules
    :param goal: a file that the workflow makes
    """
    lines = call(
        [
            *(sys.executable, "-m", "snakemake", "--nolock", "--snakefile", snakefile),
            *("--configfile", settings, "--rulegraph", "dot", "--", goal),
        ]
    )
    known = described(rules)
    names, after = parse(lines)
    for name in names:
        if name not in known:
            raise InputError(f"rule {name} stands in none of the files of rules")
    write_csv(target, HEADER, [(name, *known[name], " ".join(after[name])) for name in sorted(names)])


def described(paths: Iterable[Path]) -> dict[str, tuple[str, str]]:
    """The stage and the docstring of each rule in these files."""
    return {
        name: (path.stem, " ".join(text.split()))
        for path in paths
        for name, text in _RULE.findall("\n".join(read_lines(path)))
    }


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
