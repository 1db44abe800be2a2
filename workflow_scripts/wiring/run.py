"""The common basis of the wiring: the checked settings and the tables beside them."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from workflow_scripts.config.settings import Settings
from workflow_scripts.core.errors import InputError, stop
from workflow_scripts.core.rater_files import files_by_language
from workflow_scripts.seq2seq.checkpoints import KEPT
from workflow_scripts.wiring.places import resource

# The largest number of missing files in a message.
MOST_FILES = 10

Languages = Mapping[str, Mapping[str, str]]
# Snakemake's wildcards of a job, as attributes.
Wildcards = Any
Kind = TypeVar("Kind")


class Row(Protocol):
    """The part of a row of `resources/sources.csv` that rules use; see `corpora.sources.registry`."""

    id: str
    corpus: str
    version: str
    part: str
    access: str
    url: str
    files: str
    mirror_path: str
    path: str


def of_kind(system: object, kind: type[Kind]) -> Kind:
    """The settings of a system whose kind is fixed by a rule's wildcards."""
    assert isinstance(system, kind)
    return system


@dataclass(frozen=True)
class Run:
    """The settings of a run, and the tables of corpora and languages."""

    settings: Settings
    registry: Sequence[Row]
    """The rows of `resources/sources.csv`."""
    languages: Languages
    """The rows of `resources/languages.csv`, by code."""
    generic_languages: Languages
    """The rows of `resources/generic.csv`."""
    makes: Callable[[str], bool]
    """Whether some rule makes a file."""

    def files(
        self, setting: str, needed: Mapping[str, str], others: Mapping[str, str] | None = None
    ) -> list[str]:
        """Files named in the configuration, as input; `needed` describes each file by its path.

        If one is missing that the workflow does not make, the run stops, also a dry run: Snakemake would keep
        earlier results, as if the file were a source. Missing ones of `others` are listed as well.
        """
        self._check(setting, "file", needed, others or {})
        return list(needed)

    def folder(
        self, setting: str, path: str, description: str, others: Mapping[str, str] | None = None
    ) -> list[str]:
        """The files of a checkpoint's folder that the configuration names, as input; errors as for `files`.

        A folder that the workflow makes is input itself.

        :param description: of the folder
        :param others: further folders, and what describes them
        """
        self._check(setting, "folder", {path: description}, others or {})
        return [path] if self.makes(path) else checkpoint_files(path)

    def _check(self, setting: str, kind: str, needed: Mapping[str, str], others: Mapping[str, str]) -> None:
        """Stop the run if a file or folder is missing that the workflow does not make."""
        is_there = os.path.isdir if kind == "folder" else os.path.isfile

        def missing(path: str) -> bool:
            return not is_there(path) and not self.makes(path)

        if any(map(missing, needed)):
            lines = [
                f"configuration: {setting}: no such {kind}: {path}{f' ({of})' if of else ''}"
                for path, of in {**others, **needed}.items()
                if missing(path)
            ]
            if len(lines) > MOST_FILES:
                further = len(lines) - MOST_FILES
                lines[MOST_FILES:] = [f"configuration: {setting}: and {further} further files"]
            stop("\nerror: ".join(lines))

    def file(self, setting: str, path: str | None, default: str) -> str:
        """A file that the configuration may name, or the default file of the checkout."""
        return self.files(setting, {path: ""})[0] if path else resource(default)


def checkpoint_files(folder: str | None) -> list[str]:
    """The files that belong to the checkpoint in a folder, in their order; none without such a folder."""
    if folder is None:
        return []
    return sorted(str(path) for path in Path(folder).glob("*") if path.is_file() and path.suffix in KEPT)


def rater_files(
    setting: str, folder: str, languages: Sequence[str] | None, **options: Any
) -> dict[str, list[str]]:
    """The files of raters in a folder, by language; any other file there stops the run."""
    try:
        found = files_by_language(Path(folder), languages, **options)
    except InputError as problem:
        stop(f"configuration: {setting}: {problem}")
    return {lang: list(map(str, paths)) for lang, paths in found.items()}


def files_to_check(folder: str, simulated: bool) -> list[str]:
    """The files of raters in a folder; for simulated raters, the file of a job's language."""
    return [f"{folder}/{{lang}}.csv"] if simulated else sorted(map(str, Path(folder).glob("*.csv")))
