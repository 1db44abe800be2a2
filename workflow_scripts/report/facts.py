"""Facts about the run for the page: wall times, versions, seeds."""

import math
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from workflow_scripts import __version__
from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines
from workflow_scripts.core.provenance import ROOT, versions

# The packages that compute the numbers of the leaves.
PACKAGES = (
    "snakemake",
    "torch",
    "transformers",
    "tokenizers",
    "sentencepiece",
    "sacremoses",
    "nltk",
    "sacrebleu",
    "ufal-kenlm",
    "scipy",
    "numpy",
    "matplotlib",
)


@dataclass(frozen=True)
class Job:
    """One job's wall time in seconds and largest memory in MB (0: too short to be measured)."""

    stage: str
    name: str
    seconds: float
    memory: float


@dataclass(frozen=True)
class Stage:
    """The jobs of a stage: their number, the sum of their wall times, the largest memory."""

    name: str
    jobs: int
    seconds: float
    memory: float


def jobs(folder: Path) -> list[Job]:
    """Every benchmark file below a folder, `<stage>/<job>.tsv`, as Snakemake writes it."""
    measured = []
    for path in sorted(folder.rglob("*.tsv")):
        rows = [line.split("\t") for line in read_lines(path)]
        try:
            row = dict(zip(rows[0], rows[-1], strict=True))
            # A job without any measurement, such as one of milliseconds, has NA.
            memory = 0.0 if row["max_rss"] == "NA" else _measured(row["max_rss"])
            measured.append(
                Job(
                    path.relative_to(folder).parts[0],
                    str(path.relative_to(folder).with_suffix("")),
                    _measured(row["s"]),
                    memory,
                )
            )
        except (IndexError, KeyError, ValueError):
            raise InputError("not a benchmark file of Snakemake", path=path, fix="delete it") from None
    return measured


def _measured(text: str) -> float:
    """A measured number; ValueError for text that is not a number, not finite or below 0."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError(text)
    return value


def stages(found: list[Job]) -> list[Stage]:
    """The jobs by stage, the longest stage first."""
    names = sorted({job.stage for job in found})
    sums = [
        Stage(
            name,
            sum(job.stage == name for job in found),
            sum(job.seconds for job in found if job.stage == name),
            max(job.memory for job in found if job.stage == name),
        )
        for name in names
    ]
    return sorted(sums, key=lambda stage: (-stage.seconds, stage.name))


def longest(found: list[Job], count: int) -> list[Job]:
    """The longest jobs."""
    return sorted(found, key=lambda job: (-job.seconds, job.name))[:count]


def clock(seconds: float) -> str:
    """A duration: 4.2 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if seconds < 60 and whole < 60:
        return f"{seconds:.1f} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def made_with() -> dict[str, str]:
    """The versions of tuvous (with the commit, in a git checkout), of Python and of the libraries."""
    version = f"{__version__}{commit(ROOT.parent)}"
    return {"tuvous": version, "python": sys.version.split()[0], **versions(*PACKAGES)}


def commit(folder: Path) -> str:
    """`, commit 0123456789ab`, with `and changes` if files differ from it; nothing outside a git checkout."""
    name = revision(folder)
    return f", commit {name}" if name else ""


def revision(folder: Path) -> str:
    """The commit of a checkout, `and changes` if files differ from it; nothing outside a git checkout.

    Changes in the gallery do not count, since they change no number.
    """

    def git(*arguments: str) -> str:
        finished = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, timeout=60, check=True
        )
        return finished.stdout.strip()

    try:
        if Path(git("rev-parse", "--show-toplevel")).resolve() != folder.resolve():
            return ""
        others = ("--", ".", ":(exclude)docs/gallery")
        changed = " and changes" if git("status", "--porcelain", "--untracked-files=no", *others) else ""
        return f"{git('rev-parse', '--short=12', 'HEAD')}{changed}"
    except (OSError, subprocess.SubprocessError):
        return ""
