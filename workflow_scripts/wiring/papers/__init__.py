"""How leaves are made: a module for each paper, with a function `leaves`, and maybe `further` files."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from workflow_scripts.core.errors import InputError, nearest
from workflow_scripts.leaves.registry import Leaf, Paper
from workflow_scripts.wiring.leaves import LeafRule, leaf_rule
from workflow_scripts.wiring.subjects import Subjects


def wired(
    papers: Mapping[str, Paper], leaves: Mapping[str, Leaf], subjects: Subjects
) -> tuple[list[LeafRule], dict[str, list[str]]]:
    """The rules of all papers' leaves, and the files that each paper's target makes besides.

    Raises InputError for a paper without a module, and for a leaf without a row in the registry.
    """
    rules: list[LeafRule] = []
    further: dict[str, list[str]] = {}
    for name, paper in papers.items():
        if find_spec(f"{__name__}.{paper.folder}") is None:
            problem = f"'{name}' has no workflow_scripts/wiring/papers/{paper.folder}.py"
            raise InputError(problem, path="resources/papers.csv", fix="write it")
        module = import_module(f"{__name__}.{paper.folder}")
        made = module.leaves(subjects)
        if unknown := sorted(made.keys() - leaves.keys()):
            problem = f"no leaf '{unknown[0]}', which workflow_scripts/wiring/papers/ makes"
            raise InputError(problem, path="resources/leaves.csv", fix=nearest(unknown[0], leaves))
        scale = subjects.settings.scale
        rules += [leaf_rule(leaf, made[leaf.name], scale) for leaf in leaves.values() if leaf.name in made]
        further[name] = module.further(subjects) if hasattr(module, "further") else []
    return rules, further
