"""Damage to Snakemake's records: of finished files, marks of unfinished ones, locks.

The next run ends with the same files as the undisturbed one, or stops with one line; where a lock stays,
after `--unlock`. No traceback.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random

from tests.stress import mutations
from tests.stress.inputs import Case
from tests.workflow import traces
from tests.workflow.tiny import CONFIG, snakemake
from workflow_scripts.core.files import digest

# Made in a second each, of a chain of files that have records.
TARGETS = ("build/corpora/xformal/fr/informal.txt", "build/corpora/pt16/test.sentences.txt")
FORGED = (b"", b"{}", b"\xff", b"[]", b"5", b'{"external_jobid": 5}', b"x" * 100_000)


class Marks:
    """A folder in which some of the run's files are made and recorded."""

    def __init__(self, run: Path, folder: Path) -> None:
        self.place, self.whole = folder / "work", folder / "whole"
        for name in ("Snakefile", "config.yaml", "tiny.yaml"):
            (self.place / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(run / name, self.place / name)
        for name in ("rules", "profiles", "config", "envs", "resources", "workflow_scripts"):
            (self.place / name).symlink_to((run / name).resolve())
        done = self.run()
        if done.returncode:
            raise RuntimeError(done.stdout[-2000:] + done.stderr[-2000:])
        self.names = sorted(self.records())
        self.expected = self.made()
        shutil.copytree(self.place / ".snakemake", self.whole / ".snakemake")
        shutil.copytree(self.place / "build", self.whole / "build")

    def run(self, *options: str) -> subprocess.CompletedProcess:
        """Ask for the files."""
        return snakemake(self.place, "--cores", 1, "--quiet", "all", *options, *CONFIG, "--", *TARGETS)

    def made(self) -> dict[str, str]:
        """The digests of the files that have records."""
        found = {}
        for name in self.names:
            path = self.place / name
            for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if one.is_file():
                    found[one.relative_to(self.place).as_posix()] = digest(one)
        return found

    def records(self) -> dict[str, Path]:
        """The records of finished files below `build/`, by what they are about."""
        found = traces.records(self.place)
        return {
            name: path
            for name, path in found.items()
            if name.startswith("build/") and "benchmarks" not in name
        }

    def damaged(self, number: int, seed: int) -> tuple[Case, str | None, str]:
        """Damage one thing, and run."""
        rng = Random(f"{seed}:marks:{number}")
        records = self.records()
        name = rng.choice(sorted(records))
        record = records[name]
        top = self.place / ".snakemake"
        mark = top / "incomplete" / record.relative_to(top / "metadata")
        lock = top / "locks" / rng.choice(("0.input.lock", "0.output.lock"))
        match number % 6:
            case 0 | 1:
                how = mutations.mutate(rng, record)
                case = Case(f"record of {name}", how)
                if number % 6 == 1 and (self.place / name).is_file() and not is_whole(record):
                    # The file too; its time says nothing of it.
                    self.spoil(self.place / name)
            case 2:
                record.unlink()
                mark.parent.mkdir(parents=True, exist_ok=True)
                mark.write_bytes(rng.choice(FORGED))
                case = Case(f"mark of {name}", "forged, and no record")
            case 3:
                mark.parent.mkdir(parents=True, exist_ok=True)
                mark.write_bytes(rng.choice(FORGED))
                case = Case(f"mark of {name}", "forged")
                if (self.place / name).is_file():
                    self.spoil(self.place / name)
            case 4:
                lock.parent.mkdir(exist_ok=True)
                lock.write_text(f"{self.place / name}\n{name}\n")
                case = Case(lock.name, mutations.mutate(rng, lock) if rng.random() < 0.5 else "left")
            case _:
                case = Case("records", rng.choice(("metadata", "incomplete", "locks")) + " is gone")
                shutil.rmtree(top / case.damage.split()[0], ignore_errors=True)
        done = self.run()
        said = done.stdout + done.stderr
        if number % 6 == 4 and done.returncode:
            if "delete it" in done.stderr:
                shutil.rmtree(top / "locks")
            snakemake(self.place, "--unlock", *CONFIG)
            done = self.run()
            said += done.stdout + done.stderr
        problem = None
        if "Traceback" in said:
            problem = f"traceback: {said.strip().splitlines()[-1][:200]}"
        elif done.returncode:
            problem = f"exit {done.returncode}: {said[-300:]}"
        elif self.made() != self.expected:
            problem = "other files"
        for part in (".snakemake", "build"):
            shutil.rmtree(self.place / part)
            shutil.copytree(self.whole / part, self.place / part)
        return case, problem, said

    @staticmethod
    def spoil(path: Path) -> None:
        """Cut a file, and leave its time as it was."""
        times = path.stat()
        path.write_bytes(path.read_bytes()[:-1] + b"?")
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


def is_whole(record: Path) -> bool:
    """Whether a record is one, whatever it says."""
    from snakemake.persistence import MetadataRecord

    try:
        said = json.loads(record.read_bytes().decode())
        MetadataRecord.model_validate(said)
    except (OSError, ValueError, RecursionError):
        return False
    return bool(said)
