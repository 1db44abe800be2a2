"""Run a command of the package as rules do, in a fork of this process, with limits of time and memory.

A fork takes milliseconds where a new Python takes seconds, and what a case does to the process ends with it.
"""

import ctypes
import gc
import importlib
import math
import os
import resource
import runpy
import select
import signal
import sys
import time
import traceback
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tests.conftest import ROOT

# What a command may use above what the process has when it starts.
MEMORY = 3 << 30
OUTPUT = 1 << 30


@dataclass(frozen=True)
class Done:
    """How a command ended: a negative code is a signal, as in subprocess."""

    code: int
    errors: str
    seconds: float


def run(
    module: str,
    arguments: Sequence[str],
    folder: Path,
    log: Path,
    *,
    seconds: float,
    largest: int = OUTPUT,
    modules: Path | None = None,
    killed: tuple[Path, int, int] | None = None,
) -> Done:
    """Run `workflow_scripts.<module>` in a folder.

    `log` gets its stderr; `seconds`: the limit of the processor's time; `largest`: the size that no file
    may exceed, in bytes; `modules`: gets the names of the modules that were imported; `killed`: when the
    command is killed, see `_killed_after`.
    """
    begin = time.monotonic()
    # A collection of the child would touch, and so copy, every object that it shares with this process.
    gc.freeze()
    child = os.fork()
    if not child:
        _child(module, arguments, folder, log, seconds, largest, modules, killed)
    ended = os.pidfd_open(child)
    try:
        if not select.select([ended], [], [], 5 * seconds)[0]:
            os.killpg(child, signal.SIGKILL)
    finally:
        os.close(ended)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    # What the command has started and not waited for.
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    return Done(status, log.read_text(encoding="utf-8", errors="backslashreplace"), time.monotonic() - begin)


def _child(
    module: str,
    arguments: Sequence[str],
    folder: Path,
    log: Path,
    seconds: float,
    largest: int,
    modules: Path | None,
    killed: tuple[Path, int, int] | None,
) -> None:
    """Be the command; never returns."""
    code = 1
    try:
        os.setsid()
        stream = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(null, 1)
        os.dup2(stream, 2)
        os.chdir(folder)
        used = _virtual_memory()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        # Of the processor, since other work may be going on; whoever only waits is stopped by the parent.
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(seconds), math.ceil(seconds)))
        _obey_permissions()
        name = f"workflow_scripts.{module}"
        sys.modules.pop(name, None)
        sys.argv = [name, *arguments]
        if killed is not None:
            _killed_after(*killed)
        try:
            runpy.run_module(name, run_name="__main__", alter_sys=True)
            code = 0
        except SystemExit as end:
            if isinstance(end.code, str):
                print(end.code, file=sys.stderr)
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        except BaseException:
            traceback.print_exc()
        if modules is not None:
            modules.write_text("\n".join(sys.modules))
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _killed_after(place: Path, renames: int, events: int) -> None:
    """Have this process killed so many renames of something in a folder, and then so many events, from now.

    Events are those of Python's audit hooks, such as the opening of a file. Nobody outside can see a quick
    command's states in time.
    """

    def look(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal renames, events
        if renames == 0:
            events -= 1
            if events == -1:
                os.kill(os.getpid(), signal.SIGKILL)
        elif event == "os.rename" and place in Path(os.path.abspath(str(arguments[1]))).parents:
            renames -= 1

    sys.addaudithook(look)


def _virtual_memory() -> int:
    """The address space of this process, in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _obey_permissions() -> None:
    """Give up what lets root read and write what permissions forbid (CAP_DAC_*)."""
    if os.geteuid():
        return

    class Header(ctypes.Structure):
        _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))

    class Sets(ctypes.Structure):
        _fields_ = (
            ("effective", ctypes.c_uint32),
            ("permitted", ctypes.c_uint32),
            ("inheritable", ctypes.c_uint32),
        )

    library = ctypes.CDLL(None, use_errno=True)
    header, sets = Header(0x20080522, 0), (Sets * 2)()
    if library.capget(ctypes.byref(header), sets) == 0:
        for kind in ("effective", "permitted"):
            setattr(sets[0], kind, getattr(sets[0], kind) & ~0b110)
        library.capset(ctypes.byref(header), sets)


def preload(names: Iterable[str]) -> None:
    """Import what commands import, so that their forks need not; commands themselves are not imported."""
    for name in names:
        if name.split(".")[0] in ("tests", "__main__", "__mp_main__"):
            continue
        try:
            importlib.import_module(name)
        except Exception:
            sys.modules.pop(name, None)


def prepare() -> None:
    """Settings of this process that its forks share: the checkout's package, one thread, no window."""
    sys.path.insert(0, str(ROOT))
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ[name] = "1"
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    os.environ["MPLBACKEND"] = "svg"
    os.environ["PYTHONPATH"] = str(ROOT)
    import defopt

    # What reads docstrings compiles its patterns once, here.
    defopt.signature(run)
