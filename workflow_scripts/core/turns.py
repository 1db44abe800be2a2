"""One job at a time: where a file system has no locks, and where what is found costs money."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.temporary import machine, runs, unchanged, unique

# Seconds without a sign of life after which a job on another machine is taken for dead.
QUIET = 15 * 60


def locks_work(folder: Path) -> bool:
    """Whether files in a folder can be locked, as SQLite does it; some network file systems refuse.

    A folder in which nothing can be written is left to whoever writes there.
    """
    try:
        import fcntl
    except ImportError:
        return True
    probe = folder / f".lock.{unique()}"
    try:
        opened = os.open(probe, os.O_RDWR | os.O_CREAT | os.O_EXCL)
    except OSError:
        return True
    try:
        fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(opened)
        with suppress(OSError):
            probe.unlink()
    return True


@contextmanager
def turn(path: Path, patience: float) -> Iterator[Callable[[], None]]:
    """Wait until no other job has its turn at a file, and have it in this block.

    A turn is a small file beside it, which every file system makes for one job only. What is yielded is to be
    called now and then: it shows that this job is alive, to jobs on other machines. InputError after
    `patience` seconds.
    """
    claim = path.with_name(f".{path.name}.turn")
    own = unique()
    end = time.monotonic() + patience
    while not _taken(claim, own):
        owner = _owner(claim)
        if owner is not None and _gone(claim, owner):
            # Only what is still the dead job's.
            if _owner(claim) == owner:
                with suppress(OSError):
                    claim.unlink()
            continue
        if time.monotonic() > end:
            raise InputError(
                f"another job has been at this for more than {patience:.0f} seconds",
                path=path,
                fix=f"run again when it has ended; if none runs anywhere, delete {claim}",
            )
        time.sleep(random.uniform(0.01, 0.05))
    try:
        yield lambda: os.utime(claim)
    finally:
        if _owner(claim) == own:
            claim.unlink(missing_ok=True)


def _taken(claim: Path, own: str) -> bool:
    """Make the file, if nobody has; False if somebody has."""
    try:
        opened = os.open(claim, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        return False
    try:
        os.write(opened, own.encode())
    finally:
        os.close(opened)
    return True


def _owner(claim: Path) -> str | None:
    """Machine, process and a random number of who has the turn; None if nobody has."""
    try:
        return claim.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def _gone(claim: Path, owner: str) -> bool:
    """Whether the job that made the file has ended; of other machines, whether it has long been quiet."""
    where, _, rest = owner.partition("-")
    process = rest.partition("-")[0]
    if where == machine() and process.isdigit():
        return not runs(int(process))
    return unchanged(claim, QUIET)
