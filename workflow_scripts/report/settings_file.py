"""The settings that the page shows, read from the file that `report.resolved` wrote."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ValidationError, model_validator

from workflow_scripts.core.errors import InputError
from workflow_scripts.core.files import read_lines


class System(BaseModel):
    """A system: its label, and where its seeds are from."""

    label: str
    seeds: list[int] | None = None
    base: str | None = None
    of: str | None = None


class _Translation(BaseModel):
    backend: str
    backends: dict[str, str] = {}


class _Encoder(BaseModel):
    kind: str
    checkpoint: str | None = None


class _Formality(BaseModel):
    encoder: _Encoder


class _Evaluation(BaseModel):
    resamples: int


class Shown(BaseModel):
    """The settings that the page shows; it passes over the others."""

    scale: str
    seed: int
    languages: list[str]
    device: str
    precision: str
    translation: _Translation
    formality: _Formality
    evaluation: _Evaluation
    corpora: dict[str, str | int | list[str] | dict[str, str] | None]
    systems: dict[str, System]

    @model_validator(mode="after")
    def _systems_are_known(self) -> Shown:
        for name, system in self.systems.items():
            for other in (system.base, system.of):
                if other is not None and other not in self.systems:
                    raise ValueError(f"systems.{name} is made of '{other}', which is not a system")
        return self

    def seeds(self) -> list[tuple[str, str]]:
        """The seed of the run, then those of each system that has its own or another system's."""
        rows = [("everything that is drawn", str(self.seed))]
        for system in self.systems.values():
            base = system.base or system.of
            if system.seeds:
                rows.append((system.label, ", ".join(map(str, system.seeds))))
            elif base:
                rows.append((system.label, f"those of {self.systems[base].label}"))
        return rows


def read_settings(path: Path) -> Shown:
    """The settings of a run; InputError, naming the file, if it is not JSON or lacks a shown setting."""
    try:
        return Shown.model_validate(json.loads("\n".join(read_lines(path))))
    except ValidationError as error:
        first = error.errors()[0]
        problem = ": ".join(filter(None, (".".join(map(str, first["loc"])), first["msg"])))
    except (ValueError, RecursionError) as error:
        problem = f"no JSON: {error}"
    raise InputError(f"not the settings of a run ({problem})", path=path, fix="delete it and run again")
