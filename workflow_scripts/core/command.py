"""A command line for any function: positional parameters become arguments, keyword-only ones options.

The last lines of a module that a rule runs are::

    if __name__ == "__main__":
        run(curate)
"""

import os
import re
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import end_progress
from workflow_scripts.core.options import described
from workflow_scripts.core.system_errors import explained

# Control characters, separators of lines, and marks of direction.
UNFIT = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
# The longest line of a message, in characters.
LONGEST = 2000
# How many files a message lists.
MOST = 5


def run(*functions: Callable[..., Any]) -> None:
    """Call the function, or the one named by the first argument, with the arguments of the process.

    An option whose type is a section of the configuration is given as JSON and checked like the
    configuration itself. Bad input, and a refusal by the system (a full disk, an unreadable file), end the
    process with one line on stderr and exit code 2. Any other exception is a bug and shows its traceback
    (exit code 1).
    """
    # Imported here, since rules import modules that end with a command, and Snakemake's environment has no
    # defopt.
    import defopt

    for function in functions:
        function.__doc__ = described(function)
    read: list[str] = []
    try:
        command = defopt.bind(
            functions[0] if len(functions) == 1 else list(functions),
            parsers=_parsers(functions),
            no_negated_flags=False,
        )
        read = _given(command)
        command()
    except InputError as error:
        sys.exit(_fail(_told(error, read)))
    except KeyboardInterrupt:
        end_progress()
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except Exception as error:
        known = explained(error)
        if known is None:
            raise
        sys.exit(_fail(_told(known, read)))


def _given(command: Callable[[], Any]) -> list[str]:
    """The files and folders among the arguments that a command was bound to."""
    values = [*getattr(command, "args", ()), *getattr(command, "keywords", {}).values()]
    places = [place for value in values for place in (value if isinstance(value, list) else [value])]
    return [str(place) for place in places if isinstance(place, Path) and place.exists()]


def _told(error: InputError, read: list[str]) -> str:
    """The message of an error; with the files that the command was given if the error is of none of them.

    Functions of contents know no names, and the system does not say at which file memory came to its end.
    """
    message = str(error)
    if error.path is not None or not read or "\n" in message or any(name in message for name in read):
        return message
    further = f", and {len(read) - MOST} more" if len(read) > MOST else ""
    return f"{message} (the command was given {', '.join(read[:MOST])}{further})"


def _parsers(functions: Iterable[Callable[..., Any]]) -> dict[type, Callable[[str], Any]]:
    """Parsers for options that are pydantic models, or None; recognises them without importing pydantic."""
    hints = {hint for function in functions for hint in get_type_hints(function).values()}
    hints |= {member for hint in hints if isinstance(hint, UnionType) for member in get_args(hint)}
    return {hint: _parser(hint) for hint in hints if hasattr(hint, "model_validate_json")}


def _parser(section: Any) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        try:
            return section.model_validate_json(text)
        except ValueError as error:
            problems: list[dict[str, Any]] = getattr(error, "errors", list)()
            found = "; ".join(
                ": ".join(filter(None, (".".join(map(str, one["loc"])), one["msg"]))) for one in problems
            )
            raise InputError(f"settings of {section.__name__}: {found or error}") from None

    return read


def _fail(message: str) -> int:
    end_progress()
    # The log may be on the full disk: the exit code is enough then.
    with suppress(OSError):
        print("\n".join(map(_readable, f"error: {message}".split("\n"))), file=sys.stderr)
    return 2


def _readable(line: str) -> str:
    """A line of a message, which may quote any file, shortened and without control characters."""
    line = UNFIT.sub(lambda found: ascii(found[0])[1:-1], line)
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 300]} [...] {line[-300:]}"


def fix_threads(count: int) -> None:
    """Fix the number of threads of OpenMP, BLAS and tokenizers; call it before torch or numpy is imported.

    Another order of summation gives other last bits, so the count comes from the configuration and never from
    the number of free cores.
    """
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = str(count)
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(count)
