"""The sources that a file of the workflow is made from, according to the workflow's rules.

The Snakefile imports this module, so it needs nothing but the standard library and the package's light parts.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from workflow_scripts.core.snakemake_internals import inputs_of


def sources_behind(
    targets: Iterable[str], rules: Iterable[Any], places: Mapping[str, str]
) -> dict[str, list[str]]:
    """The sources that a target is made from in the end, for each target that some rule makes.

    The input of a target's rule with this run's settings is traced back to the files of sources. So the
    answer is right for any configuration, unlike a list kept by hand.

    :param targets: files of the workflow
    :param rules: Snakemake's rules
    :param places: the file or folder of each source, and its name
    """
    input_of = inputs_of(rules)

    sources = {}
    for target in targets:
        if input_of(target) is None:
            continue
        seen: set[str] = set()
        todo = [target]
        while todo:
            path = todo.pop()
            if path not in seen:
                seen.add(path)
                todo += [] if path in places else input_of(path) or []
        sources[target] = [name for place, name in places.items() if place in seen]
    return sources
