"""One job at a time: where a file system has no locks, and where a request costs money."""

import errno
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.temporary import machine, runs, unchanged, unique

# Seconds without a sign of life after which a job on another machine is taken for dead.
QUIET = 15 * 60
# Seconds between two lines that tell a waiting job's user why nothing happens.
TELLING = 60.0
# The text of a claim whose job has ended its turn.
FREE = "free"


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
def turn(path: Path, patience: float | None) -> Iterator[Callable[[], None]]:
    """Wait until no other job has its turn at a file, and have it in this block.

    A turn is a lock of a small file beside `path`, of the kind that SQLite uses: it ends with its process.
    Where the file system has no locks it is a claim, a numbered file (`_Claims`). The function that is
    yielded is to be called at least every few minutes: it shows jobs on other machines that this one runs.
    InputError after `patience` seconds; None waits as long as the other job runs.
    """
    place = path.with_name(f".{path.name}.turn")
    began = told = time.monotonic()
    claims: _Claims | None = None
    while True:
        if claims is None:
            try:
                taken: int | None = _lock(place)
            except OSError as error:
                if isinstance(error, FileNotFoundError | PermissionError):
                    raise
                claims = _Claims(place)
                continue
        else:
            taken = claims.take()
        if taken is not None:
            break
        now = time.monotonic()
        if patience is not None and now - began > patience:
            raise InputError(
                f"another job has been at this for more than {patience:.0f} seconds",
                path=path,
                fix="run again when it has ended"
                + (f"; if none runs anywhere, delete {place}.*" if claims else ""),
            )
        if now - told > TELLING:
            told = now
            print(f"{path}: waiting for another job, {now - began:.0f} s so far", file=sys.stderr)
        time.sleep(random.uniform(0.01, 0.05))
    try:
        yield (lambda: None) if claims is None else claims.alive
    finally:
        if claims is None:
            # Still locked: whoever has opened the file sees after locking it that it is no longer there.
            with suppress(OSError):
                os.unlink(place)
            os.close(taken)
        else:
            claims.free()


def _lock(place: Path) -> int | None:
    """A descriptor that holds the lock of a file; None if another job has it. OSError without locks."""
    import fcntl

    opened = os.open(place, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # The one before may have ended its turn, and removed the file, after it was opened here.
        if os.path.samestat(os.fstat(opened), os.stat(place)):
            return opened
    except OSError as error:
        # Another job has the lock (POSIX allows either of the first two numbers), or has just ended.
        if error.errno not in (errno.EAGAIN, errno.EACCES, errno.ENOENT):
            os.close(opened)
            raise
    os.close(opened)
    return None


class _Claims:
    """Turns without locks: the job that makes the file of the next number has its turn.

    Every file system makes a file for one job only. The next number is free as soon as the job of the
    highest number has ended its turn, or is dead. The highest file is never removed, so that no number comes
    twice; a job that was slow to make its file, while others had later turns, finds a higher number and
    withdraws.
    """

    def __init__(self, place: Path) -> None:
        self.place, self.number = place, 0

    def take(self) -> int | None:
        """The number of this job's turn; None while another has its turn."""
        highest = max(self._numbers(), default=0)
        if highest and not self._over(self._file(highest)):
            return None
        own = self._file(highest + 1)
        try:
            opened = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError:
            return None
        try:
            os.write(opened, unique().encode())
        finally:
            os.close(opened)
        numbers = self._numbers()
        if max(numbers, default=0) != highest + 1:
            # Whoever has a later turn may have removed it already.
            with suppress(FileNotFoundError):
                os.unlink(own)
            return None
        self.number = highest + 1
        for number in numbers:
            if number < self.number:
                with suppress(OSError):
                    os.unlink(self._file(number))
        return self.number

    def alive(self) -> None:
        """Show jobs on other machines that this one runs."""
        os.utime(self._file(self.number))

    def free(self) -> None:
        """End the turn; a claim that others have taken for a dead job's is theirs."""
        part = self.place.with_name(f"{self.place.name}.{unique()}.part")
        part.write_text(FREE, encoding="utf-8")
        os.replace(part, self._file(self.number))

    def _file(self, number: int) -> Path:
        return self.place.with_name(f"{self.place.name}.{number}")

    def _numbers(self) -> list[int]:
        """The numbers of all claims, in order, as two listings agree on them.

        One listing of a folder that changes may lack both a removed file and the one that took its place.
        """
        names = re.compile(rf"{re.escape(self.place.name)}\.(\d+)")
        before: list[int] | None = None
        while True:
            listed = [match[1] for name in os.listdir(self.place.parent) if (match := names.fullmatch(name))]
            numbers = sorted(map(int, listed))
            if numbers == before:
                return numbers
            before = numbers

    def _over(self, claim: Path) -> bool:
        """Whether a turn has ended: said so, its process gone, or on another machine quiet for long."""
        try:
            owner = claim.read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            # Withdrawn, or removed below a higher number: to be looked at again.
            return False
        if owner == FREE:
            return True
        where, _, rest = owner.partition("-")
        process = rest.partition("-")[0]
        if where == machine() and process.isdigit():
            return not runs(int(process))
        return unchanged(claim, QUIET)
