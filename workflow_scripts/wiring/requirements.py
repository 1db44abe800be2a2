"""The needs of planned jobs: corpora, models, programs, keys and hosts, checked before the first job."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from workflow_scripts.config import folders
from workflow_scripts.core import gpu
from workflow_scripts.core import snakemake_internals as internals
from workflow_scripts.wiring import checks
from workflow_scripts.wiring.places import resource
from workflow_scripts.wiring.run import Row, Wildcards
from workflow_scripts.wiring.sockeye import SOCKEYE, sockeye_paths, sockeye_problem
from workflow_scripts.wiring.subjects import Subjects

# The rules that read a model of Sockeye: a dry run warns about it.
MODELS = ("check_sockeye", "read_sockeye")


@dataclass
class Requirements:
    """The requirements of a run's jobs.

    The functions of stages that know them are handed over, as a library does not import stages.
    """

    workflow: Any
    subjects: Subjects
    accepted: Collection[str]
    """The corpora whose downloads are accepted without a known checksum."""
    licensed: Callable[[Any, Path], str | None]
    """A message about a licensed corpus, a row of the registry, that is not in a folder."""
    unpinned: Callable[[str, Iterable[Any], Collection[str]], str | None]
    """A message about a download, by its path, whose checksum nobody knows and nobody accepts."""
    apertium: Callable[[list[str], list[tuple[str, str]]], Any]
    """The packages of Apertium that are missing, by its chains, for some directions."""
    unreachable: Callable[[list[Any], Path], list[str]]
    """The hosts of some rows of the registry that do not answer."""
    missing: dict[str, str] = field(default_factory=dict)
    """Problems by the value of a job's wildcard, as noted by the functions of its input."""

    def __post_init__(self) -> None:
        """Look for the folders that the configuration names; a dry run warns about missing ones too."""
        of = self.subjects
        self.folders = folders.missing(of.settings)
        # The rules that ask a service, and whose settings name the key.
        self.asked: dict[str, Callable[[Wildcards], Any]] = {
            "prompted_endpoint": lambda wildcards: of.systems.named[wildcards.system],
            "asked_endpoint": lambda wildcards: of.politeness.asked[wildcards.classifier],
            "answered_endpoint": lambda wildcards: of.dialogue.systems[wildcards.system],
            "rewritten_endpoint": lambda wildcards: of.users.systems[wildcards.rewriter],
            "controlled_endpoint": lambda wildcards: of.control.systems[wildcards.system],
            "judge_endpoint": lambda wildcards: of.systems.scorers.judge,
            "judge_sentences_endpoint": lambda wildcards: of.systems.scorers.judge,
        }

    def _note(self, name: str, problem: str | None) -> list[str]:
        if problem:
            self.missing[name] = problem
        return []

    def licensed_folder(self, wildcards: Wildcards) -> list[str]:
        """No input; notes a licensed corpus that some job needs and that is not there."""
        row: Row = next(row for row in self.subjects.run.registry if row.id == wildcards.id)
        return self._note(row.id, self.licensed(row, Path(self.subjects.corpora.licensed)))

    def unpinned_download(self, wildcards: Wildcards) -> list[str]:
        """No input; notes a download whose checksum nobody knows and nobody accepts."""
        problem = self.unpinned(wildcards.path, self.subjects.run.registry, self.accepted)
        return self._note(wildcards.path, problem)

    def sockeye_files(self, wildcards: Wildcards) -> list[str]:
        """The files of a model of Sockeye; none and a note if one is not there or has no checksum."""
        folder = self.subjects.control.sockeye[wildcards.lang]
        problem = sockeye_problem(wildcards.lang, folder, accepted=SOCKEYE in self.accepted)
        return self._note(wildcards.lang, problem) if problem else sockeye_paths(folder)

    def _noted(self, *rules: str) -> list[str]:
        """The notes of jobs to run: others are asked for their input where sources are traced back."""
        return checks.noted(self.workflow, self.missing, rules)

    def _missing_programs(self) -> list[str]:
        """Missing programs that jobs call, and commands that are too long for a shell."""
        modes = partial(self.apertium, self.subjects.settings.translation.apertium.chains)
        needed = checks.missing_programs(self.workflow, self.subjects.backend.kind, modes)
        return needed + checks.long_commands(self.workflow)

    def _missing_keys(self) -> list[str]:
        return checks.missing_keys(internals.jobs_to_run(self.workflow), self.asked)

    def _silent_servers(self) -> list[str]:
        return checks.silent_servers(internals.jobs_to_run(self.workflow), self.asked)

    def _unreachable_hosts(self) -> list[str]:
        """The hosts of planned downloads that do not answer."""
        corpora = self.subjects.corpora
        without_mirror = {
            name: {path: row for path, row in rows.items() if not corpora.mirror_option(row)}
            for name, rows in (("download", corpora.files), ("download_files", corpora.folders))
        }
        resources = Path(resource("resources"))
        return checks.unreachable_hosts(
            self.workflow, without_mirror, lambda rows: self.unreachable(rows, resources)
        )

    def warn(self) -> None:
        """Warn of what a dry run lacks, which has no hook and knows its jobs at its end only."""
        if internals.has_dry_jobs(self.workflow):
            problems = self._noted(*MODELS) + self._missing_programs()
            checks.warn(problems + self._missing_keys() + self._silent_servers())

    def problems(self) -> list[str]:
        """The problems that stop a run before its first job."""
        problems = self.folders + self._noted("check_licensed", "download") + self._noted(*MODELS)
        problems += self._missing_programs()
        problems += checks.waiting_arrays(self.workflow) + checks.jobs_of_an_earlier_run(self.workflow)
        problems += checks.missing_gpu(self.workflow, gpu.count) + self._missing_keys()
        if internals.keeps_going(self.workflow):
            checks.warn(self._silent_servers())
        else:
            problems += self._silent_servers()
        # Asked only of a run that nothing else stops.
        return problems or self._unreachable_hosts()
