"""Jobs of real runs in forks of a process that has loaded the large libraries: most of a small job is that.

    python -m tests.workflow.quick NUMBER

A file that bash reads before each command (`BASH_ENV`) makes `python -m` a call of the client below. It hands
its words, folder, environment and open files to the server, which forks, and ends as the fork does; a client
that is killed takes its fork along. Nothing of the project is loaded before a fork.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import runpy
import select
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from functools import cache
from pathlib import Path
from typing import NoReturn

from tests.workflow.forks import LARGE_PAGES

ROOT = Path(__file__).parents[2]
LOADED = (
    *("torch", "transformers.modeling_utils", "numpy", "scipy.sparse", "scipy.stats", "sklearn", "pandas"),
    *("sentencepiece", "tokenizers", "safetensors", "sacrebleu", "sacremoses", "rapidfuzz.distance"),
    *("pydantic.main", "defopt", "yaml"),
    # What defopt has read a docstring with.
    *("docutils.languages.en", "docutils.readers.standalone", "docutils.writers.null"),
    *(f"docutils.transforms.{name}" for name in ("frontmatter", "misc", "references")),
)
# `-S -I`: no packages, so that it starts at once.
CLIENT = """
import json, os, socket, sys
words = json.dumps([sys.argv[2:], os.getcwd(), dict(os.environ)]).encode()
with socket.socket(socket.AF_UNIX) as server:
    server.connect(sys.argv[1])
    socket.send_fds(server, [len(words).to_bytes(8, "big")], [0, 1, 2])
    server.sendall(words)
    code = server.recv(8)
sys.exit(int(code) if code else 1)
"""
BASH = """python() {
    if [ "$1" = -m ]
    then command "$TUVOUS_PYTHON" -I -S "$TUVOUS_CLIENT" "$TUVOUS_SOCKET" "$@"
    else command python "$@"
    fi
}
"""


def main(number: str) -> None:
    """Serve until killed, at the socket that has this number among the open files."""
    for name in LOADED:
        importlib.import_module(name)
    # Forks share what is loaded: no collection of garbage visits, and so copies, it.
    gc.collect()
    gc.freeze()
    listening = socket.socket(fileno=int(number))
    with selectors.DefaultSelector() as events:
        events.register(listening, selectors.EVENT_READ)
        while True:
            # One at a time, since one end of a job makes the other one pointless.
            key, _ = events.select()[0]
            if key.fileobj is listening:
                begin(events, listening.accept()[0])
            else:
                end(events, *key.data)


def begin(events: selectors.BaseSelector, client: socket.socket) -> None:
    """Fork the job that a client asks for; its end and the client's are events."""
    files: list[int] = []
    client.settimeout(10)
    try:
        first, files, _, _ = socket.recv_fds(client, 8, 3)
        request = json.loads(client.makefile("rb").read(int.from_bytes(first, "big")))
    except (OSError, ValueError):
        # The client was killed or stopped before it had said all.
        client.close()
    else:
        job = os.fork()
        if not job:
            client.close()
            for key in events.get_map().values():
                if isinstance(key.fileobj, socket.socket):
                    key.fileobj.close()
            work(files, *request)
        ended = os.pidfd_open(job)
        for event in (client, ended):
            events.register(event, selectors.EVENT_READ, (job, client, ended))
    for file in files:
        os.close(file)


def end(events: selectors.BaseSelector, job: int, client: socket.socket, ended: int) -> None:
    """Tell the client how its job ended, or kill the job of a client that is gone."""
    events.unregister(client)
    events.unregister(ended)
    finished, status = os.waitpid(job, os.WNOHANG)
    if finished:
        with contextlib.suppress(OSError):
            client.sendall(str(os.waitstatus_to_exitcode(status) % 256).encode())
    else:
        os.kill(job, signal.SIGKILL)
        os.waitpid(job, 0)
    client.close()
    os.close(ended)


def work(files: list[int], words: list[str], folder: str, environment: dict[str, str]) -> NoReturn:
    """Be `python -m module ...`; ends as that would."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if "HF_ENDPOINT" in environment:
        # The hub's address is read when its library is loaded.
        importlib.reload(sys.modules["huggingface_hub.constants"])
    sys.orig_argv = [sys.executable, *words]
    sys.argv = words[1:]
    paths = [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
    sys.path[:1] = [folder, *paths]
    for path in paths:
        if (custom := Path(path) / "sitecustomize.py").is_file():
            runpy.run_path(str(custom))
    code = 0
    try:
        runpy.run_module(words[1], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
        code = 1
    # The end of the interpreter would take all that is loaded down, object by object.
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()  # type: ignore[attr-defined]
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def start_when_asked(listening: socket.socket, variables: dict[str, str]) -> None:
    """Start the server once a client waits at its socket: to load the libraries takes seconds."""
    select.select([listening], [], [])
    one = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    server = subprocess.Popen(
        [sys.executable, "-m", "tests.workflow.quick", str(listening.fileno())],
        cwd=ROOT,
        env=variables | one | LARGE_PAGES,
        pass_fds=[listening.fileno()],
        start_new_session=True,
    )
    atexit.register(kill_all, server)
    listening.close()


def kill_all(server: subprocess.Popen[bytes]) -> None:
    """Kill the server and the jobs that still run."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(server.pid, signal.SIGKILL)


@cache
def environment() -> dict[str, str]:
    """The variables that make jobs forks of a server, started by the first; none on systems but Linux."""
    if not hasattr(os, "pidfd_open"):
        return {}
    place = Path(tempfile.mkdtemp(prefix="quick"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    (place / "client.py").write_text(CLIENT, encoding="utf-8")
    (place / "bash").write_text(BASH, encoding="utf-8")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(place / "socket"))
    listening.listen(64)
    threading.Thread(target=start_when_asked, args=[listening, dict(os.environ)], daemon=True).start()
    return {
        "BASH_ENV": str(place / "bash"),
        "TUVOUS_PYTHON": sys.executable,
        "TUVOUS_CLIENT": str(place / "client.py"),
        "TUVOUS_SOCKET": str(place / "socket"),
    }


if __name__ == "__main__":
    main(sys.argv[1])
