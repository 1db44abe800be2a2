"""Which code, and which versions, a number comes from."""

from __future__ import annotations

import ast
import hashlib
import os
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

PACKAGE = "workflow_scripts"
ROOT = Path(__file__).parents[1]


@cache
def code_of(module: str) -> str:
    """A digest of a module's code and of every module of this package that it imports, however deep.

    `module` is a dotted name below the package (``filtering.curate``). The digest is over syntax trees
    without docstrings: a comment, a docstring or another formatting leaves it as it is. Rules hold it as a
    param, so that an edited function reruns exactly the rules whose modules can reach it.
    """
    seen: dict[str, str] = {}
    todo = [module]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen[name], imports = _parse(name)
            todo.extend(imports)
    text = "\n".join(f"{name} {tree}" for name, tree in sorted(seen.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def _parse(name: str) -> tuple[str, tuple[str, ...]]:
    """One module's digest and the package's modules that it imports, at the top or inside functions."""
    path = _file(name)
    if path is None:
        raise ValueError(f"no module {PACKAGE}.{name}")
    tree = ast.parse(path.read_bytes(), filename=str(path))
    imports: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = node.body[1:] or [ast.Pass()]
        elif isinstance(node, ast.Import):
            imports.update(_below(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports.add(_below(node.module))
            imports.update(_below(f"{node.module}.{alias.name}") for alias in node.names)
    found = tuple(sorted(i for i in imports if i and _file(i)))
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), found


def _below(name: str) -> str:
    return name.removeprefix(PACKAGE + ".") if name.startswith(PACKAGE + ".") else ""


def _file(name: str) -> Path | None:
    stem = ROOT.joinpath(*name.split("."))
    for path in (stem.with_suffix(".py"), stem / "__init__.py"):
        if path.is_file():
            return path
    return None


def versions(*distributions: str) -> dict[str, str]:
    """The installed versions of the named distributions."""
    return {name: version(name) for name in distributions}


def use_this_python(root: Path) -> None:
    """Let child processes find this Python as `python`, and this package from any working directory."""
    for name, folder in (("PATH", Path(sys.executable).parent), ("PYTHONPATH", root)):
        os.environ[name] = os.pathsep.join(filter(None, [str(folder), os.environ.get(name)]))
