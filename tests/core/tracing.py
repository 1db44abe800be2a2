"""Run commands as rules do, one after the other, and write down which functions of the package each called.

    python -m tests.core.tracing OUT COMMANDS

COMMANDS is a JSON list of lists: the module below the package, and its arguments. OUT gets, for each command,
a line of JSON: the names of the functions that it called, the module below the package and the top-level
definition in which the function stands. The exit code is not zero if that of a command is not.
"""

import ast
import inspect
import json
import os
import runpy
import sys
import threading
from functools import cache
from pathlib import Path
from types import CodeType, FrameType

import workflow_scripts

FOLDER = Path(workflow_scripts.__file__).parent
CALLED: set[CodeType] = set()


def note(frame: FrameType, event: str, argument: object) -> None:
    """Note a call; the lines of the function are not traced."""
    # The body of a class, and that of a module, is executed by an import, whether they are reached or not.
    if frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        CALLED.add(frame.f_code)


@cache
def definitions(path: Path) -> list[tuple[range, str]]:
    """The lines of a module's top-level functions and classes, with their names."""
    return [
        (
            range(min([node.lineno, *(d.lineno for d in node.decorator_list)]), (node.end_lineno or 0) + 1),
            node.name,
        )
        for node in ast.parse(path.read_bytes()).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]


def called(module: str, *arguments: str) -> list[str]:
    """The functions that a command calls in this process."""
    sys.argv = [module, *arguments]
    threading.settrace(note)
    sys.settrace(note)
    try:
        runpy.run_module(f"workflow_scripts.{module}", run_name="__main__", alter_sys=True)
    finally:
        sys.settrace(None)
    found = set()
    # A copy: the thread of a progress bar may still call something.
    for code in CALLED.copy():
        path = Path(code.co_filename)
        if path.is_relative_to(FOLDER):
            place = ".".join(path.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__init__")
            names = [name for lines, name in definitions(path) if code.co_firstlineno in lines]
            found |= {f"{place}.{name}" for name in names}
    return sorted(found)


def main(out: Path, commands: list[list[str]]) -> None:
    """Every command has a process of its own, which begins with the large libraries and nothing else.

    To load them is most of the time of a short command, and more so while calls are noted.
    """
    import torch  # noqa: F401

    for command in commands:
        process = os.fork()
        if not process:
            with out.open("a", encoding="utf-8") as stream:
                stream.write(f"{json.dumps(called(*command))}\n")
            return
        code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
        if code:
            sys.exit(f"{' '.join(command)}: exit code {code}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), json.loads(sys.argv[2]))
