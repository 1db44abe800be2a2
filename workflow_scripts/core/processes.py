"""Run other programs, whose failure becomes one clear line, and end with a terminal that closes."""

import errno
import os
import re
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from types import FrameType

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.system_errors import BY_NUMBER

# Why the system cannot run a path: it does not exist, is a folder, is not executable, or is not a program.
_NO_PROGRAM = {errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.ELOOP}
_TAIL = 1000
_LONGEST = 1 << 16


def hang_up(number: int, frame: FrameType | None) -> None:
    """The handler of a terminal that closes: as with Ctrl-C, so that no job goes on and no lock stays."""
    if os.getpgrp() == os.getpid():
        # Ctrl-C reaches the jobs too; the signal of a terminal that closes reaches the first process only.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.killpg(os.getpgrp(), signal.SIGINT)
    raise KeyboardInterrupt


def call(
    command: Sequence[str | Path],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdin: Path | None = None,
    fix: str = "read the log above",
    keep: str | None = None,
) -> list[str]:
    """Run a program to its end, copy its output to stderr, and return the lines that match `keep`.

    `keep` is a regular expression, searched in every line however many there are; without it no line is
    returned. `env` is added to the environment, in which text is UTF-8 whatever the locale of the machine.
    `stdin` is the file that the program reads. If the program is missing or fails, raises InputError with its
    last line about an error, or else its last line.
    """
    words = [str(word) for word in command]
    surroundings = {**os.environ, "PYTHONUTF8": "1", "LC_ALL": "C.UTF-8", **(env or {})}
    wanted = re.compile(keep) if keep is not None else None
    kept: list[str] = []
    # Only for the error message.
    tail: deque[str] = deque(maxlen=_TAIL)
    with open(stdin or os.devnull, "rb") as source:
        try:
            process = subprocess.Popen(
                words,
                env=surroundings,
                cwd=cwd,
                stdin=source,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                encoding="utf-8",
                errors="replace",
            )
        except OSError as error:
            if error.errno not in _NO_PROGRAM:
                raise
            raise InputError("no such program, or not executable", path=words[0], fix=fix) from None
        with process:
            try:
                assert process.stdout is not None
                # A program that never ends its line does not fill the memory either.
                for line in iter(partial(process.stdout.readline, _LONGEST), ""):
                    sys.stderr.write(line)
                    tail.append(line.rstrip())
                    if wanted and wanted.search(line):
                        kept.append(line.rstrip())
            except BaseException:
                process.kill()
                raise
    name = Path(words[0]).name
    if process.returncode == -signal.SIGXFSZ:
        problem, fix = BY_NUMBER[errno.EFBIG]
        raise InputError(f"{name} wrote a file that is {problem}", fix=fix)
    if process.returncode:
        raise InputError(f"{name} failed (exit code {process.returncode}): {_reason(tail)}", fix=fix)
    return kept


def _reason(tail: Sequence[str]) -> str:
    filled = [line.strip() for line in tail if line.strip()]
    errors = [
        # What a line that ends with a colon introduces belongs to it.
        " ".join(filled[place : place + 2]) if line.endswith(":") else line
        for place, line in enumerate(filled)
        if re.search(r"error|exception|cannot|no such", line, re.IGNORECASE)
    ]
    return (errors or filled or ["it printed nothing"])[-1]
