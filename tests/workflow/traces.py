"""The files that jobs of a run have read, noted by `traced/sitecustomize.py`, beside Snakemake's notes."""

import base64
import json
import os
import shlex
from dataclasses import dataclass, field
from pathlib import Path

TRACED = Path(__file__).parent / "traced"


@dataclass
class Job:
    """A finished job: files that its rule names, those that it has opened, folders that it has listed."""

    rule: str
    inputs: list[str]
    outputs: list[str] = field(default_factory=list)
    opened: set[str] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)


def environment(folder: Path, notes: Path) -> dict[str, str]:
    """What makes the jobs of a run in a folder note what they read."""
    return {"PYTHONPATH": str(TRACED), "TUVOUS_TRACED": str(folder), "TUVOUS_NOTES": str(notes)}


def records(folder: Path) -> dict[str, Path]:
    """Snakemake's records of the finished files of a run, by what they are about."""
    top = folder / ".snakemake/metadata"
    found = {}
    for path in sorted(one for one in top.rglob("*") if one.is_file()):
        text = "".join(part.removeprefix("@") for part in path.relative_to(top).parts)
        found[base64.urlsafe_b64decode(text).decode()] = path
    return found


def jobs(folder: Path, notes: Path) -> list[Job]:
    """The jobs of a run that have left notes; raises KeyError for notes of one that has not ended."""
    found: dict[tuple[str, ...], Job] = {}
    for output, path in records(folder).items():
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["shellcmd"]:
            words = shlex.split(record["shellcmd"].rpartition(" 2> ")[0])
            command = tuple(words[words.index("-m") + 1 :])
            job = found.setdefault(command, Job(record["rule"], list(map(os.path.normpath, record["input"]))))
            job.outputs.append(output)
    for path in sorted(notes.iterdir()):
        command, *events = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        job = found[tuple(command)]
        for event, place in events:
            (job.listed if event == "listed" else job.opened).add(place)
    return [job for job in found.values() if job.opened]
