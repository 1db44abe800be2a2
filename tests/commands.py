"""The commands of rules and jobs, parsed, and the options of the modules that they call."""

import ast
import importlib
import inspect
import re
import shlex
from dataclasses import dataclass
from functools import cache

from tests.conftest import ROOT
from workflow_scripts.core.provenance import reachable

PACKAGE = ROOT / "workflow_scripts"
# All commands: the modules that end with a call of `run`.
COMMANDS = sorted(
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
    for path in PACKAGE.rglob("*.py")
    if '\nif __name__ == "__main__":\n' in path.read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Command:
    """A call of a module: its name below the package, the words before the first option, and the options."""

    module: str
    words: list[str]
    options: dict[str, list[str]]


@dataclass(frozen=True)
class Parser:
    """The parameters of a module's command: positional ones, options, and those options that it needs."""

    positional: list[str]
    any_number: bool
    options: set[str]
    required: set[str]


def command(text: str) -> Command:
    """Take a shell command apart, with its placeholders or without; what it logs is left out."""
    words = shlex.split(text.rpartition(" 2> ")[0])
    start = words.index("-m") + 1
    positional: list[str] = []
    options: dict[str, list[str]] = {}
    values = positional
    for word in words[start + 1 :]:
        if word.startswith("--"):
            name, given, value = word.removeprefix("--").partition("=")
            values = options.setdefault(name.replace("-", "_"), [])
            values += [value] if given else []
        else:
            values.append(word)
    return Command(words[start].removeprefix("workflow_scripts."), positional, options)


def reaching(name: str) -> set[str]:
    """The commands that can call or read a definition."""
    return {command for command in COMMANDS if name in reachable(command)}


def trainings() -> set[str]:
    """The commands that train a model: they keep its state."""
    return reaching("training.state.TrainingState")


@cache
def parser(module: str) -> Parser:
    """What a module's last lines say that it reads (`core.command.run`), from its text."""
    path = PACKAGE / f"{module.replace('.', '/')}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = re.search(r"^    run\((\w+)\)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert called, module
    defined = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == called[1]]
    if not defined or defined[0].decorator_list:
        # Made by `leaves.command.leaf`, or by a function that several leaves of a kind share.
        function = getattr(importlib.import_module(f"workflow_scripts.{module}"), called[1])
        parameters = inspect.signature(function).parameters.values()
        options = [one for one in parameters if one.kind is one.KEYWORD_ONLY]
        return Parser(
            [one.name for one in parameters if one.kind is one.POSITIONAL_OR_KEYWORD],
            any(one.kind is one.VAR_POSITIONAL for one in parameters),
            {one.name for one in options},
            {one.name for one in options if one.default is one.empty},
        )
    (function,) = defined
    given = function.args
    return Parser(
        [one.arg for one in given.args],
        given.vararg is not None,
        {one.arg for one in given.kwonlyargs},
        {
            one.arg
            for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
            if default is None
        },
    )
