"""Run a command as rules do, and write down which functions of the package it called.

    python -m tests.core.tracing OUT MODULE ARGUMENTS

OUT gets a line for each function that was called: the module below the package, and the name of the top-level
definition in which the function stands.
"""

from __future__ import annotations

import ast
import inspect
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


def main(out: Path, module: str, *arguments: str) -> None:
    """Run the command, and write the file also if it stops."""
    sys.argv = [module, *arguments]
    threading.settrace(note)
    sys.settrace(note)
    try:
        runpy.run_module(f"workflow_scripts.{module}", run_name="__main__", alter_sys=True)
    finally:
        sys.settrace(None)
        found = set()
        for code in CALLED:
            path = Path(code.co_filename)
            if path.is_relative_to(FOLDER):
                place = ".".join(path.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__init__")
                names = [name for lines, name in definitions(path) if code.co_firstlineno in lines]
                found |= {f"{place}.{name}\n" for name in names}
        out.write_text("".join(sorted(found)), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
