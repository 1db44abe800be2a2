"""Note which files the Python processes of a job open; loads by itself where PYTHONPATH names this folder.

TUVOUS_TRACED is the folder of the run, TUVOUS_NOTES that of the notes: a file per process, of lines of JSON.
The first has the words of the job's command behind `python -m`, each other one what happened and a path
relative to the folder of the run. What programs that are not Python open is not seen, nor what libraries in
other languages open by themselves.
"""

import json
import os
import sys
import time
from typing import Any

# What is noted of which event.
EVENTS = {
    "open": "opened",
    "sqlite3.connect": "opened",
    "os.listdir": "listed",
    "os.scandir": "listed",
}


def command() -> list[str]:
    """The words of the job that this process belongs to, its own or a parent's; none outside of jobs."""
    words = sys.orig_argv
    if words[1:2] == ["-m"] and words[2].startswith("workflow_scripts."):
        os.environ["TUVOUS_JOB"] = json.dumps(words[2:])
    return json.loads(os.environ.get("TUVOUS_JOB", "[]"))


def watch(job: list[str], folder: str, notes: str) -> None:
    """Note from now on what is opened to be read, and which folders are listed, each once."""
    name = f"{notes}/{os.getpid()}-{time.time_ns()}"
    file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_EXCL, 0o600)
    os.write(file, f"{json.dumps(job)}\n".encode())
    noted: set[tuple[str, str]] = set()

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if (happened := EVENTS.get(event)) is None:
            return
        if event == "open" and arguments[2] & os.O_ACCMODE == os.O_WRONLY:
            return
        # Not a number of what is open already, nor None.
        if isinstance(path := arguments[0], (str, bytes, os.PathLike)):
            place = os.path.abspath(os.fsdecode(path))
            if place.startswith(f"{folder}/") and (happened, place) not in noted:
                noted.add((happened, place))
                os.write(file, f"{json.dumps([happened, os.path.relpath(place, folder)])}\n".encode())

    sys.addaudithook(note)


if job := command():
    watch(job, os.environ["TUVOUS_TRACED"], os.environ["TUVOUS_NOTES"])
