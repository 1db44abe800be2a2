"""Which sources stand behind a file of the workflow, by the workflow's own rules.

The Snakefile imports this module, so it needs nothing but the standard library and the package's light parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workflow_scripts.core.snakemake_internals import input_of


def sources_behind(
    targets: Iterable[str], rules: Iterable[Any], places: Mapping[str, str]
) -> dict[str, list[str]]:
    """The sources that a target is made of in the end, for each target that some rule makes.

    A rule that makes a file is asked for its input with this run's settings, and so on, until the files of
    sources are reached. So the answer is right for any configuration, which a list by hand would not be.

    :param targets: files of the workflow
    :param rules: Snakemake's rules
    :param places: the file or folder of each source, and what it is called
    """
    known = list(rules)
    inputs: dict[str, list[str] | None] = {}

    def needed(path: str) -> list[str] | None:
        """What the rule that makes a file reads; nothing if no rule makes it."""
        if path not in inputs:
            inputs[path] = input_of(known, path)
        return inputs[path]

    found = {}
    for target in targets:
        if needed(target) is None:
            continue
        seen: set[str] = set()
        todo = [target]
        while todo:
            path = todo.pop()
            if path not in seen:
                seen.add(path)
                todo += [] if path in places else needed(path) or []
        found[target] = [name for place, name in places.items() if place in seen]
    return found
