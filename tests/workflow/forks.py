"""Runs in forks of one process: loading Snakemake and parsing the rules is half the time of a dry run.

    python -m tests.workflow.forks FOLDER

Reads a request a line, in JSON: the module, its arguments, the folder, the environment and the files for
what it prints. Answers each with the exit code. Nothing of the project is loaded before a fork, since tests
edit it. The folder keeps what was parsed. Variables that Python reads at its start are those of this process.
"""

import atexit
import contextlib
import gc
import hashlib
import importlib
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
# What reading the rules loads, and what planning loads in the middle of it.
LOADED = (
    *("snakemake.cli", "snakemake.api", "snakemake.dag", "snakemake.executors.dryrun", "snakemake.profiles"),
    *(
        "snakemake.storage",
        "snakemake.report.html_reporter",
        "pydantic",
        "yaml",
        "yte",
        "dpath",
        "platformdirs",
    ),
    *("smart_open", "requests", "argparse_dataclass"),
)
# For a process that has loaded much and forks: a fork copies the table of its pages, which is shorter with
# pages of 2 MiB.
LARGE_PAGES = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"}
# Stands for the path of a file of rules.
PATH = "\0path\0"
LOCK = threading.Lock()


def main(parsed: Path) -> None:
    """Serve until the input ends."""
    for name in LOADED:
        importlib.import_module(name)
    # Snakemake looks for its plugins among all packages when it first makes its parser of options.
    importlib.import_module("snakemake.cli").get_argument_parser()
    # A fork ends before garbage matters; to look for it visits, and so copies, whatever is loaded.
    gc.freeze()
    gc.disable()
    threading.Thread(target=end_with, args=[os.getppid()], daemon=True).start()
    keep_parsed(parsed)
    # yte, by which Snakemake reads settings, takes the loader that is Python throughout, eight times as slow.
    # The values are the same; messages differ, but the project's own check of these files comes first.
    yaml = importlib.import_module("yaml")
    yaml.FullLoader = getattr(yaml, "CFullLoader", yaml.FullLoader)
    for line in sys.stdin:
        process = os.fork()
        if not process:
            try:
                serve(json.loads(line))
            except KeyboardInterrupt:
                sys.exit(130)
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)


def end_with(parent: int) -> None:
    """Kill this process and its forks once the one that started it is gone, however that ended."""
    while os.getppid() == parent:
        time.sleep(1)
    os.killpg(0, signal.SIGKILL)


def keep_parsed(folder: Path) -> None:
    """Let forks reuse the code that an earlier one has parsed: parsing is a quarter of a dry run.

    The code that Snakemake makes of a file names its path, which is another one in each copy of the project.
    """
    from snakemake import parser, workflow

    def parse(path: Any, running: Any, linemap: dict[int, int], rulecount: int = 0) -> tuple[str, int]:
        name = path.get_path_or_uri(secret_free=True)
        with running.sourcecache.open(path) as file:
            text = file.read()
        place = folder / hashlib.sha256(f"{rulecount} {text}".encode()).hexdigest()
        if place.exists():
            code, count, lines = json.loads(place.read_text(encoding="utf-8"))
            linemap.update((int(line), of) for line, of in lines.items())
            return code.replace(PATH, repr(name)), count
        code, count = parser.parse(path, running, linemap=linemap, rulecount=rulecount)
        writing = place.with_suffix(".part")
        writing.write_text(json.dumps([code.replace(repr(name), PATH), count, linemap]), encoding="utf-8")
        writing.replace(place)
        return code, count

    workflow.parse = parse


def serve(request: dict[str, Any]) -> None:
    """Be a module; ends as the process of its own would."""
    gc.enable()
    for number, path in ((1, request["out"]), (2, request["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = [request["module"], *request["arguments"]]
    # As `python -m` does it.
    sys.path[0] = request["folder"]
    runpy.run_module(request["module"], run_name="__main__", alter_sys=True)
    sys.exit()


@cache
def server() -> subprocess.Popen:
    """The process that forks, one for each process that asks."""
    parsed = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, parsed)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.workflow.forks", parsed],
        cwd=ROOT,
        env=os.environ | LARGE_PAGES,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # So that a run which is not waited for any more can be ended with all its jobs.
        start_new_session=True,
    )
    atexit.register(process.kill)
    return process


def run(
    folder: Path,
    arguments: list[str],
    environment: dict[str, str] | None = None,
    module: str = "snakemake",
) -> subprocess.CompletedProcess:
    """Run Snakemake, or another module, in a folder, in a fork of the server; the finished process.

    environment: that of the caller, if not given.
    """
    with tempfile.TemporaryDirectory() as place, LOCK:
        out, err = (Path(place) / name for name in ("out", "err"))
        request = {
            "module": module,
            "arguments": arguments,
            "folder": str(folder.absolute()),
            "environment": dict(os.environ) if environment is None else environment,
            "out": str(out),
            "err": str(err),
        }
        process = server()
        assert process.stdin and process.stdout
        try:
            process.stdin.write(f"{json.dumps(request)}\n")
            process.stdin.flush()
            code = int(process.stdout.readline())
        except BaseException:
            # Such as a test that takes too long: its answer would be taken for that of the next one.
            server.cache_clear()
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        texts = [path.read_text(encoding="utf-8", errors="replace") for path in (out, err)]
    return subprocess.CompletedProcess([module, *arguments], code, *texts)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main(Path(sys.argv[1]))
