"""The exception for bad input, and its message."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


class InputError(Exception):
    """A problem outside the code: in a file, a setting, a tool or a service.

    The message is one line (or one line per problem) on which a user can act. `command.run` prints it without
    a traceback and exits with code 2; any other exception is a bug and keeps its traceback.
    """

    def __init__(
        self, problem: str, *, path: Path | str | None = None, line: int | None = None, fix: str = ""
    ) -> None:
        """`problem`: what is wrong; `path`, `line`: where (lines count from 1); `fix`: what to do."""
        # A name may contain a line feed, but the message stays one line.
        name = "".join(one if one.isprintable() else ascii(one)[1:-1] for one in str(path))
        where = "" if path is None else f"{name}:{line}: " if line is not None else f"{name}: "
        self.problem, self.path, self.line, self.fix = problem, path, line, fix
        super().__init__(where + problem + (f"; {fix}" if fix else ""))


@contextmanager
def about(*paths: Path) -> Iterator[None]:
    """Add file names to an InputError of the block that has none: functions of contents know no names.

    So too to the end of the memory, for which a line of theirs may be too long.
    """
    try:
        yield
    except InputError as error:
        if error.path is not None:
            raise
        raise _named(error, paths) from None
    except (MemoryError, RuntimeError) as error:
        from workflow_scripts.core.system_errors import explained

        known = explained(error)
        if known is None:
            raise
        raise _named(known, paths) from None


def _named(error: InputError, paths: Iterable[Path]) -> InputError:
    return InputError(error.problem, path=", ".join(map(str, paths)), fix=error.fix)


def stop(problem: object) -> NoReturn:
    """End the process because of bad input before the first job: one line, exit code 2, no traceback.

    For rules and their input functions: Snakemake would show an exception as its own.
    """
    print(f"error: {problem}", file=sys.stderr)
    sys.stderr.flush()
    sys.exit(2)


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a mistyped word: ``did you mean 'x'?`` or, if no word is similar, the known words."""
    words = sorted(known)
    close = get_close_matches(word, words, n=1, cutoff=0.5)
    return f"did you mean '{close[0]}'?" if close else f"known: {', '.join(words)}"


def nearest_target(word: str, targets: Iterable[str]) -> str:
    """The same for a target, which may lack its folder ``results/``; if none is similar, their list."""
    names = {name.removeprefix("results/"): name for name in sorted(targets)}
    asked = word.removeprefix("results/")
    near = get_close_matches(asked, names, n=3, cutoff=0.7)
    if not near:
        return "resources/leaves.csv lists the leaves, snakemake --list-target-rules further names"
    likeness = [SequenceMatcher(None, name, asked).ratio() for name in near]
    nearest = [names[name] for name, ratio in zip(near, likeness, strict=True) if ratio == likeness[0]]
    return f"did you mean {' or '.join(map(repr, nearest))}?"
