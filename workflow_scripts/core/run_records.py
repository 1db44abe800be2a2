"""Snakemake's records of finished and running jobs, mended after damage on disk.

Snakemake ends with a traceback on some damaged records and ignores others, after which it no longer notices
changes of settings or code.
"""

import base64
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.temporary import remove

# In Snakemake's folder: a record per finished file and a mark per unfinished file, under the same name.
RECORDS, MARKS, LOCKS = "metadata", "incomplete", "locks"


def mend(folder: Path, validate: Callable[[Any], object]) -> None:
    """Turn each file whose record is damaged into an unfinished one, which the run makes again.

    If a lock shows that another run is at work, nothing is changed. The number of damaged records is printed
    on stderr. Raises InputError for a lock that cannot be read.

    :param folder: Snakemake's own folder
    :param validate: raises ValueError for an invalid record
    """
    locks = sorted((folder / LOCKS).glob("*"))
    for lock in locks:
        if not _reads(lock):
            raise InputError(
                "a damaged lock of Snakemake", path=lock, fix="delete it if no other run is at work here"
            )
    if locks:
        return
    for mark in _entries(folder / MARKS):
        if _read(mark) is None:
            _put_mark(mark)
    damaged = [path for path in _entries(folder / RECORDS) if not _whole(path, validate)]
    for path in damaged:
        _put_mark(folder / MARKS / path.relative_to(folder / RECORDS))
        remove(path)
    if damaged:
        count = f"{len(damaged)} damaged record{'s' * (len(damaged) > 1)}"
        print(f"{folder / RECORDS}: {count}: the files they describe are made again", file=sys.stderr)


def recorded(folder: Path) -> set[str]:
    """The files for which Snakemake has recorded how they were made, as its rules name them.

    :param folder: Snakemake's own folder
    """
    return {name for name, _ in _named(folder)}


@dataclass(frozen=True)
class Made:
    """How a file was made: the rule, the files its job read, when the job began and ended (Unix seconds)."""

    rule: str
    inputs: tuple[str, ...]
    start: float
    end: float


def made(folder: Path) -> dict[str, Made]:
    """How each file was made, by its name in the rules; files with a damaged record are left out.

    :param folder: Snakemake's own folder
    """
    found = {}
    for name, path in _named(folder):
        record = _read(path) or {}
        try:
            start, end = float(record["starttime"]), float(record["endtime"])
            found[name] = Made(str(record["rule"]), tuple(map(str, record["input"])), start, end)
        except (KeyError, TypeError, ValueError):
            continue
    return found


def seconds(target: str, records: Mapping[str, Made]) -> float:
    """The sum of the wall times of all jobs behind a file; a job that made several files counts once.

    A file read from within a folder that another job made counts as made by that job.
    """
    known: set[str] = set()
    jobs: set[tuple[str, float, float]] = set()
    todo = [target]
    while todo:
        path = Path(todo.pop())
        name = next((str(place) for place in (path, *path.parents) if str(place) in records), None)
        if name is not None and name not in known:
            known.add(name)
            job = records[name]
            jobs.add((job.rule, job.start, job.end))
            todo += job.inputs
    return sum(end - start for _, start, end in jobs)


def _named(folder: Path) -> Iterator[tuple[str, Path]]:
    """The name of each file that has a record, and the record."""
    for path in _entries(folder / RECORDS):
        name = "".join(part.removeprefix("@") for part in path.relative_to(folder / RECORDS).parts)
        try:
            yield base64.urlsafe_b64decode(name).decode(), path
        except ValueError:
            # Not a name that Snakemake gives.
            continue


def _entries(folder: Path) -> Iterator[Path]:
    """All records or marks; for a long name, each part but the last is a folder that begins with @."""
    for path in sorted(folder.glob("*")):
        if path.name.startswith("@") and path.is_dir():
            yield from _entries(path)
        else:
            yield path


def _put_mark(mark: Path) -> None:
    remove(mark)
    mark.parent.mkdir(parents=True, exist_ok=True)
    mark.write_text('{"external_jobid": null}', encoding="utf-8")


def _reads(lock: Path) -> bool:
    try:
        lock.read_bytes().decode()
    except (OSError, ValueError):
        return False
    return True


def _read(path: Path) -> dict[str, Any] | None:
    """The JSON object in a file, in UTF-8 as Snakemake writes and reads it; None if there is none."""
    try:
        found = json.loads(path.read_bytes().decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _whole(path: Path, validate: Callable[[Any], object]) -> bool:
    found = _read(path)
    if not found:
        return False
    try:
        validate(found)
    except ValueError:
        return False
    return True
